import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Problem } from './problem.ts';

/** Begins a sealed cursor; no id of a record does. */
const MARK = '~';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Hides in a cursor where to go on: behind a record of which the reader may not even know that it exists. A cursor holds for
 * as long as the hub that made it.
 */
export class SealedCursors {
  readonly #key: Buffer;

  /**
   * @param secret - The hub's `proofKey`: new for each hub, and known to it and to whoever may read its `hub.json`, who could
   *   read the store as well.
   */
  constructor(secret: string) {
    this.#key = createHash('sha256').update(`cursor:${secret}`).digest();
  }

  /** The cursor that goes on behind a record. */
  seal(id: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const hidden = [cipher.update(id, 'utf8'), cipher.final()];
    return MARK + Buffer.concat([nonce, ...hidden, cipher.getAuthTag()]).toString('base64url');
  }

  /**
   * The id in a cursor; one that is not sealed is an id.
   *
   * @throws Problem 400 for one that this hub did not make.
   */
  open(cursor: string): string {
    if (!cursor.startsWith(MARK)) return cursor;
    const bytes = Buffer.from(cursor.slice(MARK.length), 'base64url');
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new Problem(400, 'invalid_cursor', 'The cursor is none of this hub, or from before its start; begin anew.');
    }
  }
}
