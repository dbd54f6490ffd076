import type { JSONValue } from '../../core/json.ts';

/** Tokens of one model call; `inputTokens` is the whole prompt, what came from or went to a cache included. */
export interface UsageSample {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
}

/**
 * What can happen in an agent's stream, in the translator's own words. `sdk-input.ts` is the only file that knows the
 * SDK's event types; it turns them into these.
 *
 * | type | meaning |
 * |---|---|
 * | `message_start` | the model begins a new message; the one before is over, or broke off and is being tried again |
 * | `text` `reasoning` `redacted` | a piece of the model's answer or thinking |
 * | `tool_start` `tool_args` | a call is being streamed |
 * | `block_stop` | the block that was being streamed is complete |
 * | `tool_use` | a whole call of the model that was not streamed |
 * | `tool_pending` | a call is about to run that the model did not make in this stream, such as one of a resumed batch |
 * | `tool_progress` | a running tool reports |
 * | `tool_result` | a call has a result |
 * | `tools_done` | all calls of the message have results |
 * | `usage` | a model call was measured |
 * | `stopped` | the model stopped for an unusual reason |
 * | `step_start` `step_stop` `handoff` | a node of a multi-agent run began, ended, or handed over |
 * | `raw` | anything else; already stripped and strict JSON |
 */
export type TranslatorInput =
  | { readonly type: 'message_start'; readonly brokenOff: boolean }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'redacted'; readonly data: string }
  | { readonly type: 'tool_start'; readonly toolUseId: string; readonly name: string }
  | { readonly type: 'tool_args'; readonly delta: string }
  | { readonly type: 'block_stop' }
  | { readonly type: 'tool_use'; readonly toolUseId: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool_pending'; readonly toolUseId: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool_progress'; readonly toolUseId: string | undefined; readonly data: unknown }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly status: 'success' | 'error';
      readonly content: readonly ResultPart[];
    }
  | { readonly type: 'tools_done' }
  | { readonly type: 'usage'; readonly usage: UsageSample; readonly model: string | undefined }
  | { readonly type: 'stopped'; readonly reason: string }
  | { readonly type: 'step_start'; readonly name: string }
  | { readonly type: 'step_stop'; readonly name: string }
  | { readonly type: 'handoff'; readonly from: string; readonly to: readonly string[]; readonly message: string | null }
  | { readonly type: 'raw'; readonly event: JSONValue };

/** One block of a tool result. */
export type ResultPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly json: unknown }
  | { readonly type: 'media'; readonly kind: string };
