import type { ApprovalStore } from './approval-store.ts';
import type { Approver } from './approver.ts';
import type { ToolCatalog } from './catalog.ts';
import type { Exemptions } from './exemptions.ts';
import type { LateOutcomes } from './late-outcomes.ts';
import type { Clock, Random } from './platform.ts';
import type { Policy } from './policy.ts';
import type { Reporter } from './reporter.ts';
import type { RunningBodies } from './running-bodies.ts';
import type { KeyedQueue } from './serial.ts';
import type { TicketBox } from './tickets.ts';

/** What one gate is made of, shared by its stages. */
export interface GateParts {
  readonly catalog: ToolCatalog;
  readonly policy: Policy;
  readonly store: ApprovalStore;
  /** What is decided by; where it fails, the call is refused. */
  readonly clock: Clock;
  /** The same clock for what must not fail any more: telling, and recording how a body ended. */
  readonly steady: Clock;
  readonly random: Random;
  readonly reporter: Reporter;
  readonly approver: Approver;
  readonly timeoutSeconds: number | undefined;
  readonly exemptions: Exemptions;
  readonly tickets: TicketBox;
  /** One open question at a time per conversation. */
  readonly questions: KeyedQueue;
  /** One tier-2 body at a time. */
  readonly bodies: KeyedQueue;
  /** Ids of the approvals whose bodies run in this process now. */
  readonly running: Set<string>;
  /** All bodies that are at work in this process now. */
  readonly atWork: RunningBodies;
  /** Ends of bodies that the store has not taken yet. */
  readonly late: LateOutcomes;
}
