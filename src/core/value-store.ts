import type { JSONValue } from './json.ts';

/** One small document. */
export interface StoredValue {
  readonly id: string;
  readonly value: JSONValue;
  /** Milliseconds since the epoch; from then on it is gone. */
  readonly expiresAt?: number;
}

/** Small documents by kind and id: tokens, login links, page sessions, conversations. Methods reject only when the store is broken. */
export interface ValueStore {
  /** The document; `undefined` when there is none, or it has expired at `now`. */
  get(kind: string, id: string, now: number): Promise<StoredValue | undefined>;
  /** Adds or replaces it. */
  put(kind: string, value: StoredValue): Promise<void>;
  /** Removes it. Exactly one of several callers is answered `true`, so a document can be used up. */
  take(kind: string, id: string): Promise<boolean>;
  /** All of one kind that have not expired at `now`, by id; only those whose id begins with `prefix` when it is given. */
  list(kind: string, now: number, prefix?: string): Promise<readonly StoredValue[]>;
  /** The same, those that were put last, the last one first; at most `limit` of them, without a look at all the others. */
  latest(
    kind: string,
    now: number,
    options: { readonly prefix?: string; readonly limit: number },
  ): Promise<readonly StoredValue[]>;
}
