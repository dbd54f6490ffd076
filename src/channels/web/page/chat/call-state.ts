import { isAllowed } from '../told/ending.ts';
import { readRefusal } from '../told/refusal.ts';
import type { Approval } from '../wire/shapes.ts';
import type { ChatItem } from './chat-item.ts';

/**
 * Where a call is.
 *
 * | state | meaning |
 * |---|---|
 * | `calling` | the model still writes its arguments |
 * | `asked` | a person has to answer first |
 * | `waiting` | it runs |
 * | `done` `failed` | it ran, and ended with a result or an error |
 * | `not_run` | it was refused |
 * | `unknown` | nobody knows whether it took effect |
 */
export type CallState = 'calling' | 'asked' | 'waiting' | 'done' | 'failed' | 'not_run' | 'unknown';

/** Where a call is: what is on record about its question counts, then its result. */
export function callState(call: Extract<ChatItem, { type: 'tool' }>, question: Approval | undefined): CallState {
  if (question !== undefined) return stateOfQuestion(question.status);
  const { open, name, result, failed } = call;
  if (result === undefined) return open ? 'calling' : 'waiting';
  if (failed !== true) return 'done';
  return readRefusal(name, result) === undefined ? 'failed' : 'not_run';
}

function stateOfQuestion(status: string): CallState {
  if (status === 'pending') return 'asked';
  if (status === 'done' || status === 'failed' || status === 'unknown') return status;
  return isAllowed(status) ? 'waiting' : 'not_run';
}
