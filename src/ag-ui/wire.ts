/** What tau adds to the protocol, as it is on the wire. */
import type { Interrupt } from '@ag-ui/core';
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

/** The payload of a resolved answer to an approval. Any other key is `INVALID_PAYLOAD`, and decides nothing. */
export type TauAnswer =
  | {
      readonly approved: true;
      readonly reason?: string;
      /** Other arguments to run with; a question of their own where more changed than was typed. */
      readonly editedArgs?: Readonly<Record<string, JSONValue>>;
    }
  | {
      readonly approved: false;
      /** Why not; the model reads it. */
      readonly reason?: string;
    };

/** The value of `CUSTOM tau:pending`: what a thread waits for, told to a client that sent something else than answers. */
export interface TauPending {
  readonly interrupts: readonly Interrupt[];
}

/** The value of `CUSTOM tau:decided`: how a question ended for which the client's answer came too late. */
export interface TauDecided {
  readonly interruptId: string;
  /** What counts: somebody's decision, or how the question ended without one. */
  readonly decision: ApprovalStatus;
  /** Id of the principal who decided or withdrew it; `null` when nobody did. */
  readonly by: string | null;
  /** When, in ISO 8601; `null` when the question ended without anybody's doing. */
  readonly at: string | null;
}
