import type { Message, StopReason, StreamOptions } from '@strands-agents/sdk';
import type { JSONValue } from '../core/json.ts';

/** One block of a scripted answer. A tool use without an id gets one. */
export type ScriptedBlock =
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly toolUse: { readonly name: string; readonly input: JSONValue; readonly toolUseId?: string } };

/** A scripted answer that says more than its blocks. */
export interface ScriptedMessage {
  readonly blocks: readonly ScriptedBlock[];
  /** Default: `toolUse` when there is a tool use among the blocks, else `endTurn`. `maxTokens` makes the SDK throw. */
  readonly stopReason?: StopReason;
  /** Tokens that the answer reports; default 10 in, 5 out. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/**
 * What a scripted model answers to one call.
 *
 * | turn | what happens |
 * |---|---|
 * | a list of blocks | they are streamed, with the stop reason that fits them |
 * | a `ScriptedMessage` | the same, with a given stop reason or usage |
 * | an `Error` | it is thrown, such as `ModelThrottledError` or `ContextWindowOverflowError` |
 */
export type ScriptedTurn = readonly ScriptedBlock[] | ScriptedMessage | Error;

/** Makes a turn when the model is called; gets what the model gets, the agent's cancel signal included. */
export type TurnFunction = (
  messages: readonly Message[],
  options: StreamOptions,
) => ScriptedTurn | Promise<ScriptedTurn>;
