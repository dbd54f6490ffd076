import type { JSONValue } from '../../core/json.ts';

/** Tokens of one model call. */
export interface UsageSample {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/**
 * What can happen in an agent's stream, in the translator's own words. `sdk-input.ts` is the only file that knows the
 * SDK's event types; it turns them into these.
 *
 * | type | meaning |
 * |---|---|
 * | `text` `reasoning` `redacted` | a piece of the model's answer or thinking |
 * | `tool_start` `tool_args` | a call is being streamed |
 * | `block_stop` | the block that was being streamed is complete |
 * | `tool_use` | a whole call, whether it was streamed before or not |
 * | `tool_progress` | a running tool reports |
 * | `tool_result` | a call has a result |
 * | `tools_done` | all calls of the message have results |
 * | `usage` | a model call was measured |
 * | `stopped` | the model stopped for an unusual reason |
 * | `raw` | anything else; already stripped and strict JSON |
 */
export type TranslatorInput =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'redacted'; readonly data: string }
  | { readonly type: 'tool_start'; readonly toolUseId: string; readonly name: string }
  | { readonly type: 'tool_args'; readonly delta: string }
  | { readonly type: 'block_stop' }
  | { readonly type: 'tool_use'; readonly toolUseId: string; readonly name: string; readonly input: unknown }
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
  | { readonly type: 'raw'; readonly event: JSONValue };

/** One block of a tool result. */
export type ResultPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly json: unknown }
  | { readonly type: 'media'; readonly kind: string };
