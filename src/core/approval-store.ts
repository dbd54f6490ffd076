import type {
  ApprovalRecord,
  ApprovalStatus,
  DecisionRecord,
  DeliveryReceipt,
  OutcomeRecord,
  Transition,
} from './approval-record.ts';
import type { Principal } from './call.ts';
import type { JSONValue } from './json.ts';

/** Which records `list` returns; every given field must match. */
export interface ApprovalFilter {
  readonly status?: ApprovalStatus;
  readonly conversation?: string;
  readonly batch?: string;
  /** Id of the principal that the call was made for; `anonymous` for a call that names none. */
  readonly requester?: string;
  /** By when they were created; default `oldest` first. */
  readonly order?: 'oldest' | 'newest';
  /** At most this many, 1 to 1000; default 100. */
  readonly limit?: number;
  /**
   * `nextCursor` of the page before, asked for with the same filter and order; or the id of a record
   * that such a page had, to go on behind it.
   */
  readonly cursor?: string;
}

/** One page of records, in the order that was asked for. */
export interface ApprovalPage {
  readonly records: readonly ApprovalRecord[];
  readonly nextCursor?: string;
}

/** The tool calls a conversation is parked on: tau's own copy, never the session file's. */
export interface ParkedTurn {
  readonly conversation: string;
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What the adapter needs to dispatch the calls again. */
  readonly state: JSONValue;
}

/**
 * Where approvals live. Every change of a record is one atomic compare-and-set step of `stepApproval`; two callers
 * that race see one winner, and the loser gets the winner's record. A method rejects only when the store itself is
 * broken; whatever waits on it then fails closed.
 */
export interface ApprovalStore {
  /** Adds a new record. Rejects when its id is taken. */
  create(record: ApprovalRecord): Promise<void>;
  /** The record of this id. */
  get(id: string): Promise<ApprovalRecord | undefined>;
  /**
   * Records that match; those of a conversation are the ones that have a position in it. Pages show each record once,
   * also when records come and go between them.
   */
  list(filter?: ApprovalFilter): Promise<ApprovalPage>;
  /** Adds a delivery receipt to an open question. */
  deliver(id: string, receipt: DeliveryReceipt): Promise<Transition>;
  /** `pending` to `approved`, `rejected` or `timeout`; the first caller wins. */
  decide(id: string, decision: DecisionRecord): Promise<Transition>;
  /** `approved` to `consumed`, durable before it resolves; whoever gets `ok` may start the body. */
  consume(id: string, token: string, at: number): Promise<Transition>;
  /** `consumed` to the outcome, only for the token that consumed it. */
  finish(id: string, token: string, outcome: OutcomeRecord): Promise<Transition>;
  /** `consumed` to `unknown`: nobody can say any more how the body ended. */
  lose(id: string, at: number): Promise<Transition>;
  /**
   * Ends a question or an unused approval: `cancelled`, `void` or (an approval only) `expired`.
   *
   * @param by - Who withdrew it; kept as `closedBy`.
   */
  close(
    id: string,
    status: 'cancelled' | 'void' | 'expired',
    at: number,
    because: string,
    by?: Principal,
  ): Promise<Transition>;
  /**
   * `pending` to `void`, and a new record in its place, in one step: nobody ever sees the one without the other. The new
   * record may be decided already; whoever decided the old one first has won, and nothing is created.
   *
   * @returns `ok` with the new record, else the old one as it is. Rejects, and changes nothing, when the id of the new
   *   record is taken.
   */
  replace(id: string, next: ApprovalRecord, because: string, at: number): Promise<Transition>;
  /** Decides every open question whose `expiresAt` has passed as `timeout`; returns their ids. */
  expire(now: number): Promise<readonly string[]>;
  /** Calls `listener` with the id of every record that was created or changed; returns its undo. */
  watch(listener: (id: string) => void): () => void;
  /** Keeps the calls a conversation is parked on, replacing an earlier copy. */
  park(turn: ParkedTurn): Promise<void>;
  /** The calls a conversation is parked on. */
  parked(conversation: string): Promise<ParkedTurn | undefined>;
  /** All conversations that are parked, in any order. */
  parkedConversations(): Promise<readonly string[]>;
  /** Forgets them; with `turn` only when they are that turn's and not those of a later one, in one atomic step. */
  unpark(conversation: string, turn?: Pick<ParkedTurn, 'run' | 'at'>): Promise<void>;
}
