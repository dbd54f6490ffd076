import type { Failure, Reply } from '../wire/hub-client.ts';
import type { Approval } from '../wire/shapes.ts';

/** How long a question must have been on the screen before a press counts: long enough not to be meant for it. */
export const SETTLE_MS = 500;

/** Whether a press may decide: the question has settled, and the key is not one that is held down. */
export function isDeliberate(press: {
  readonly at: number;
  readonly appearedAt: number;
  readonly repeat: boolean;
}): boolean {
  return !press.repeat && press.at - press.appearedAt >= SETTLE_MS;
}

/**
 * What is uncertain about an answer.
 *
 * | value | meaning |
 * |---|---|
 * | `away` | the hub could not be reached, or its answer could not be read |
 * | `broken` | the hub failed |
 * | `open` | one of these was so; looked at again, the question is still open |
 */
export type Unsure = 'away' | 'broken' | 'open';

/**
 * What came of an answer.
 *
 * | type | meaning |
 * |---|---|
 * | `decided` | it counts |
 * | `asked_again` | the edit made a new question, which has to be looked at |
 * | `elsewhere` | somebody was faster; `approval` tells who |
 * | `changed` | what was shown is not what is open, or it is gone: read it again |
 * | `invalid` | the edit does not fit the tool |
 * | `failed` | the hub could not be reached or failed; nothing was decided as far as the page knows |
 */
export type Answered =
  | { readonly type: 'decided' | 'asked_again' | 'elsewhere'; readonly approval: Approval }
  | { readonly type: 'changed' }
  | { readonly type: 'invalid'; readonly problem: string }
  | { readonly type: 'failed'; readonly unsure: Exclude<Unsure, 'open'> };

/** Reads the hub's answer to a decision. */
export function answered(
  reply: Reply<{ readonly approval: Approval; readonly result?: unknown }>,
  asked: { readonly id: string; readonly edited: boolean },
): Answered {
  if (!reply.ok) return refused(reply, asked.edited);
  const { approval, result } = reply.value;
  const again = resultName(result) === 'asked_again' || (approval.id !== asked.id && approval.status === 'pending');
  return { type: again ? 'asked_again' : 'decided', approval };
}

function refused(failure: Failure, edited: boolean): Answered {
  const problem = failure.message ?? failure.code ?? `HTTP ${failure.status}`;
  if (failure.status === 409 && failure.approval !== undefined)
    return { type: 'elsewhere', approval: failure.approval };
  if (failure.status === 422 && edited && failure.code !== 'digest_mismatch') return { type: 'invalid', problem };
  if (failure.status === 409 || failure.status === 422 || failure.status === 404) return { type: 'changed' };
  return { type: 'failed', unsure: failure.status === 0 ? 'away' : 'broken' };
}

function resultName(result: unknown): string | undefined {
  if (typeof result === 'string') return result;
  if (typeof result !== 'object' || result === null || !('status' in result)) return undefined;
  return typeof result.status === 'string' ? result.status : undefined;
}
