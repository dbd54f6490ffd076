/** What tau adds to the protocol, as it is on the wire. */
import type { ApprovalStatus } from '../core/approval-record.ts';
import type { JSONValue } from '../core/json.ts';
import type { Tier } from '../core/tier.ts';

/** `metadata.tau` of an interrupt that asks for an approval: exactly what would run, and how the question stands. */
export interface TauInterruptMetadata {
  readonly tool: string;
  readonly tier: Tier;
  /** One line by the tool's author. */
  readonly effect: string;
  /** A model wrote them: show them as text. */
  readonly arguments: JSONValue;
  /** SHA-256 (hex) of the question. */
  readonly digest: string;
  /**
   * There, and `false`, when a yes or a no of whoever is told this would not count: somebody else has to decide, or it is
   * over. Whoever asked for the call may still withdraw it with `{ status: 'cancelled' }`.
   */
  readonly mayDecide?: false;
  /** There when the question is over. The client still has to address it, with any answer, for the run to go on. */
  readonly status?: Exclude<ApprovalStatus, 'pending'>;
}
