import type { Message, TokenUsage } from '@ag-ui/core';
import type { HaltReason } from './output.ts';
import type { StrandsResult } from './sdk-events.ts';

/**
 * How the stream ended.
 *
 * | type | meaning |
 * |---|---|
 * | `result` | the agent's loop ended, perhaps at an interrupt |
 * | `failed` | it threw, or the run cannot go on (a `RunError`) |
 * | `left` | the signal fired |
 */
export type StreamEnd =
  | { readonly type: 'result'; readonly result: StrandsResult }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'left' };

/** What a translation returns when its last event has gone out. */
export interface TranslationEnd {
  readonly end: StreamEnd;
  /**
   * Why the agent was made to end its turn after a batch of tools: calls wait for the client, or a result was to be the
   * last. Its history then ends in an assistant message of `HALT_TEXT`, which is to be taken out again, unless the same
   * batch was interrupted.
   */
  readonly halted: HaltReason | undefined;
  /** Empty when nothing was measured. */
  readonly usage: readonly TokenUsage[];
  readonly state: unknown;
  /** What the run added to the thread. */
  readonly messages: readonly Message[];
  /** Settles when the stream is closed: at once after a result, and only after the agent has let go otherwise. */
  readonly closed: Promise<void>;
}
