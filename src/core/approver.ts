import type { ApprovalRequest, Principal } from './call.ts';

/** What a person (or their silence) decided. */
export type Decision = 'approved' | 'rejected' | 'timeout';

/** Names for the three decisions. */
export const Decision: { readonly Approved: 'approved'; readonly Rejected: 'rejected'; readonly Timeout: 'timeout' } =
  Object.freeze({ Approved: 'approved', Rejected: 'rejected', Timeout: 'timeout' });

/**
 * What an approver may answer.
 *
 * | answer | meaning |
 * |---|---|
 * | a `Decision` | decided by the requester, no reason given |
 * | `{ decision, reason?, by? }` | decided, with the reason the model reads and who decided |
 * | `{ parked: true }` | the question was delivered; the answer will arrive, or is, in the approval store |
 * | `{ unreachable: true }` | nobody who may decide could be asked; the call is refused at once as `no_approver` |
 *
 * Anything else counts as a failure of the approver and refuses the call.
 */
export type Answer =
  | Decision
  | { readonly decision: Decision; readonly reason?: string; readonly by?: Principal }
  | { readonly parked: true }
  | { readonly unreachable: true };

/** What an approver is given with a question. */
export interface ApproverContext {
  /** Fires when the question is over. */
  readonly signal: AbortSignal;
  /** Whether the yes of somebody would count, by the policy. */
  readonly mayDecide?: (principal: Principal) => boolean;
}

/** One channel's way to ask a person. */
export interface Approver {
  /** Short name for records and logs, such as `terminal`. */
  readonly name: string;
  /** How long this channel naturally waits, in seconds. The gate's own timeout wins over it; neither means no limit. */
  readonly timeoutSeconds?: number;
  /**
   * Asks. Must be cancellable: when `context.signal` fires the question is over and its answer no longer counts.
   *
   * @param request - Frozen; show all of it.
   * @param context - `signal` fires on timeout and when the call is cancelled. `mayDecide` says whose yes would count, so that
   *   nobody is asked in vain; the gate always gives it.
   */
  decide(request: ApprovalRequest, context: ApproverContext): Promise<Answer>;
}

/** The approver of a gate that was given none: every question is answered `rejected`. */
export class AutoRejectApprover implements Approver {
  readonly name: string = 'auto-reject';
  readonly timeoutSeconds?: number;

  decide(): Promise<Answer> {
    return Promise.resolve('rejected');
  }
}
