import type { ApprovalRequest, Principal } from '../../core/call.ts';
import type { Channel } from '../../core/channel.ts';

/** How the contract suite plays the person at the other end of a channel. */
export interface ChannelDriver<C extends Channel> {
  /** Who sits there. */
  readonly person: Principal;
  /** Everything that people there have been shown so far, as text. */
  seen(channel: C): string;
  /**
   * Undoes the channel's own line breaks, page breaks and continuation marks, so that a long value reads in one piece.
   * Left out where there are none.
   */
  joined?(seen: string): string;
  /**
   * The person answers a question: waits until it is shown, then does what they would do. What is not up any more is
   * answered as far as they still can, with a button that is out of date, say, or not at all.
   */
  answer(
    channel: C,
    request: ApprovalRequest,
    answer: { readonly decision: 'approved' | 'rejected'; readonly reason?: string },
  ): Promise<unknown> | unknown;
  /** Whether a no can carry a reason there. */
  readonly reasons: boolean;
  /** Ends a channel after its test. */
  end?(channel: C): Promise<void> | void;
}
