import type { StrandsAgent } from '../ag-ui/strands-agent.ts';
import type { AuditLog } from '../core/audit-log.ts';
import type { TierGate } from '../core/gate.ts';
import type { Language } from '../core/i18n.ts';
import type { Clock, Logger } from '../core/platform.ts';
import type { ValueStore } from '../core/value-store.ts';
import type { TauAgent } from '../strands/tau-agent.ts';
import type { FailedAttempts } from './auth/attempts.ts';
import type { Credentials } from './auth/identify.ts';
import type { Identity } from './auth/identity.ts';
import type { LoginLinks } from './auth/login-links.ts';
import type { OwnAddresses } from './auth/origin.ts';
import type { Principals } from './auth/principals.ts';
import type { EventFeeds } from './events.ts';
import type { HubOptions } from './options.ts';
import type { ActiveRuns } from './runs.ts';
import type { ThreadIndex } from './threads.ts';

/** What the routes of one hub share. */
export interface HubParts {
  readonly gate: TierGate;
  /** The agent as it was given; ordered attempts run on it. */
  readonly agent: TauAgent;
  readonly bridge: StrandsAgent;
  readonly audit: AuditLog;
  readonly values: ValueStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly principals: Principals;
  readonly credentials: Credentials;
  readonly loginLinks: LoginLinks;
  readonly addresses: OwnAddresses;
  readonly attempts: FailedAttempts;
  readonly proofKey: string;
  readonly runs: ActiveRuns;
  readonly threads: ThreadIndex;
  readonly feeds: EventFeeds;
  readonly language: Language;
  readonly demo: boolean;
  readonly bodyLimit: number;
  readonly keepAliveSeconds: number;
  readonly page: HubOptions['page'];
  /** Resolves when the store answers. */
  readonly ready: () => Promise<unknown>;
}

/** What a request carries through the routes. */
export interface HubEnv {
  readonly Bindings: {
    /** Address of the caller, as far as the server knows. */
    readonly address: string;
  };
  readonly Variables: {
    /** Set for every route that is not open. */
    identity: Identity;
  };
}
