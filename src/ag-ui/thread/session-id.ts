import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Principal } from '../../core/call.ts';
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
  return bytesToHex(sha256(utf8ToBytes(threadKey(threadId, principal))));
}
