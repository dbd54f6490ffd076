import type { Answer, Approver } from './approver.ts';
import { checkOptions } from './check-options.ts';

/**
 * The approver of a channel that cannot wait inside the process: every question is left open in the approval store,
 * and the run stops until somebody decides it there (`TierGate.decide`). Use it for agents that are served over HTTP.
 */
export class ParkingApprover implements Approver {
  readonly name: string;
  readonly timeoutSeconds?: number;

  /**
   * @param options.timeoutSeconds - How long a question stays open; default no limit.
   * @throws ConfigError when that is no positive number, and for an option that does not exist.
   */
  constructor(options: { readonly name?: string; readonly timeoutSeconds?: number } = {}) {
    checkOptions('ParkingApprover', options, { name: 'string', timeoutSeconds: 'positive number' });
    this.name = options.name ?? 'parked';
    if (options.timeoutSeconds !== undefined) this.timeoutSeconds = options.timeoutSeconds;
  }

  decide(): Promise<Answer> {
    return Promise.resolve({ parked: true });
  }
}
