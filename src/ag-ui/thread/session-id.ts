import type { Principal } from '../../core/call.ts';
import { digestText } from '../../core/digest.ts';
import { threadKey } from './thread-key.ts';

/**
 * The id of the session of a principal's thread, for a `sessionManagerProvider`: 64 hexadecimal digits, which every
 * storage of the SDK takes. A thread id alone will not do: two people may use the same one, and the SDK refuses many.
 *
 * @example
 * ```ts
 * sessionManagerProvider: ({ threadId }, { principal }) =>
 *   new SessionManager({ sessionId: sessionIdOf(threadId, principal), storage }),
 * ```
 */
export function sessionIdOf(threadId: string, principal: Principal): string {
  return digestText(threadKey(threadId, principal));
}
