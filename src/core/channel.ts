import type { ApprovalRecord } from './approval-record.ts';
import type { ApprovalRequest, Principal } from './call.ts';
import type { DecideResult } from './decide.ts';
import type { EditResult } from './edit.ts';
import type { JSONValue } from './json.ts';

/** What somebody answered on a channel. */
export interface ChannelAnswer {
  readonly decision: 'approved' | 'rejected';
  /** Who answered, as the channel authenticated them; the policy decides whether they may. */
  readonly by: Principal;
  /** Digest of the question that was shown, `ApprovalRequest.digest`. */
  readonly digest: string;
  /** SHA-256 (hex) of exactly what was shown. */
  readonly shownDigest: string;
  /** Read by the model when the call is rejected. */
  readonly reason?: string;
  /** Other arguments, with `approved`: the question is void and the edit is one of its own. */
  readonly editedArguments?: JSONValue;
}

/** One question on its way to one channel. */
export interface Delivery {
  /** Frozen; show all of it. */
  readonly request: ApprovalRequest;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Fires when the question is over. */
  readonly signal: AbortSignal;
  /** Whether the policy lets this principal answer; ask it before showing the question to somebody. */
  mayDecide(principal: Principal): boolean;
  /**
   * Hands an answer over. The first valid one of all channels wins; the result says who did. A yes waits until `deliver`
   * has resolved, and counts only for what it has shown. Rejects when the store is broken: then nothing was decided.
   */
  answer(answer: ChannelAnswer): Promise<DecideResult | EditResult>;
}

/** Proof that a channel has shown all of a question. */
export interface Shown {
  /**
   * SHA-256 (hex) of exactly what was shown. Absent at a place that only lists the question for those who come and look;
   * nobody can say yes through such a delivery.
   */
  readonly shownDigest?: string;
}

/**
 * One way to reach people: it shows questions and hands over what they answer. It cannot decide anything itself. Write
 * one and give it to an `Inbox`; `channelContract` of `strands-tau/testing` tests it.
 */
export interface Channel {
  /** Short name for records, such as `telegram`. */
  readonly name: string;
  /** How long people take here, in seconds; absent means there is no limit. */
  readonly timeoutSeconds?: number;
  /** Whether somebody who may decide this question can be reached here now. */
  reaches(delivery: Pick<Delivery, 'request' | 'mayDecide'>): boolean | Promise<boolean>;
  /**
   * Shows a question; resolves once all of it was shown, rejects when it could not be. Answers may come any time after.
   * Several questions may be up at once.
   */
  deliver(delivery: Delivery): Promise<Shown>;
  /**
   * Takes a question down: it was decided, here or elsewhere, or is over for another reason. Called once for each
   * `deliver`, also for one that has failed or is still under way.
   */
  close(record: ApprovalRecord): void | Promise<void>;
}
