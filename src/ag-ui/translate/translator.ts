import type { BaseEvent, Message, RunAgentInput, TokenUsage } from '@ag-ui/core';
import type { Logger, StrandsAgentConfig, ToolCallContextExtras } from '../config.ts';
import type { HaltReason } from './output.ts';
import { LeftError, Pull } from './pull.ts';
import type { RunRules } from './rules.ts';
import type { StrandsEvent, StrandsResult, StrandsStream } from './sdk-input.ts';
import { Translation } from './translation.ts';

/** What a translation works from. */
export interface TranslateOptions {
  readonly input: RunAgentInput;
  readonly config: StrandsAgentConfig;
  /** The request's context and forwarded properties, as hooks get them. */
  readonly extras: ToolCallContextExtras;
  readonly rules: RunRules;
  readonly newId: () => string;
  /** Fires when nobody listens any more; then a model, tool or hook that hangs is not waited for. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

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
   * last. Its history then ends in an assistant message of `HALT_TEXT`, which is to be taken out again.
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

/**
 * Translates one run of an agent into the protocol's events, without those that start and end the run. Events go out
 * as they come; nothing is held back. It does not throw: how the stream ended is returned, and by then whatever was
 * open is closed.
 *
 * The caller aborts the agent, removes `HALT_TEXT`, and sends `RUN_FINISHED` or `RUN_ERROR`.
 */
export async function* translate(
  stream: StrandsStream,
  options: TranslateOptions,
): AsyncGenerator<BaseEvent, TranslationEnd, undefined> {
  const translation = new Translation(options);
  const pull = new Pull(stream, options.signal);
  try {
    const end = yield* guarded(pull, translation, options.signal);
    yield* translation.close(end);
    return translation.summary(end, pull.close());
  } finally {
    void pull.close();
  }
}

type Strands = Pull<StrandsEvent, StrandsResult>;

async function* guarded(
  pull: Strands,
  translation: Translation,
  signal: AbortSignal,
): AsyncGenerator<BaseEvent, StreamEnd, undefined> {
  try {
    return { type: 'result', result: yield* follow(pull, translation, signal) };
  } catch (error) {
    return error instanceof LeftError ? { type: 'left' } : { type: 'failed', error };
  }
}

async function* follow(
  pull: Strands,
  translation: Translation,
  signal: AbortSignal,
): AsyncGenerator<BaseEvent, StrandsResult, undefined> {
  let next = await pull.next();
  for (; !next.done; next = await pull.next()) {
    for (const output of translation.outputsOf(next.value)) {
      if (output.type === 'hook') {
        yield* translation.runHook(output, signal);
      } else {
        const event = translation.perform(output, next.value);
        if (event !== undefined) yield event;
      }
    }
  }
  pull.ended();
  return next.value;
}
