import type { ToolCallEvent } from '../core/events.ts';
import type { MessageKey } from '../core/i18n.ts';
import type { JSONValue } from '../core/json.ts';

/**
 * Why a turn ended.
 *
 * | reason | meaning |
 * |---|---|
 * | `endTurn` | the model finished its answer |
 * | `parked` | at least one question waits for a decision; `TauAgent.resume` goes on |
 * | `cancelled` | the signal fired or the consumer left |
 * | `interrupt` | a foreign interrupt could not be cleared |
 * | `limitTurns` `limitOutputTokens` `limitTotalTokens` | the turn's budget is used up |
 * | `maxTokens` | the model's answer was cut off |
 * | `contextOverflow` `throttled` `modelError` | the model failed |
 * | `stopped` | the model stopped for a reason of its own, named in `detail` |
 */
export type TurnEndReason =
  | 'endTurn'
  | 'parked'
  | 'cancelled'
  | 'interrupt'
  | 'limitTurns'
  | 'limitOutputTokens'
  | 'limitTotalTokens'
  | 'maxTokens'
  | 'contextOverflow'
  | 'throttled'
  | 'modelError'
  | 'stopped';

/**
 * What one user turn tells, in order; discriminated by `type`. The last one is always `end`.
 *
 * | type | meaning |
 * |---|---|
 * | `text` | a piece of the answer |
 * | `reasoning` | a piece of the model's thinking |
 * | `tool_start` | the model asked for a tool; nothing has run yet |
 * | `tool_progress` | a running tool reports |
 * | `tool_call` | a call ran or was refused |
 * | `notice` | a message for the person, in their language |
 * | `end` | the turn is over |
 */
export type TurnEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'tool_start'; readonly tool: string; readonly toolUseId: string; readonly input: JSONValue }
  | { readonly type: 'tool_progress'; readonly data: unknown }
  | { readonly type: 'tool_call'; readonly call: ToolCallEvent }
  | { readonly type: 'notice'; readonly key: MessageKey; readonly text: string }
  | {
      readonly type: 'end';
      readonly reason: TurnEndReason;
      readonly approvalIds?: readonly string[];
      readonly detail?: string;
    };
