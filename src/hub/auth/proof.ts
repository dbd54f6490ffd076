import { createHmac } from 'node:crypto';
import { sameHash } from './secrets.ts';

/** What a hub answers to a number that was never used before, so that only who knows its key can have answered. */
export function proofOf(key: string, nonce: string): string {
  return createHmac('sha256', key).update(`tau hub\n${nonce}`, 'utf8').digest('hex');
}

/** Whether an answer to `nonce` was made with this key. */
export function isProof(key: string, nonce: string, proof: string): boolean {
  return sameHash(proofOf(key, nonce), proof);
}
