import type { JSONValue } from './json.ts';

/** One row of the audit chain. */
export interface AuditRow {
  /** 1, 2, 3 … without a gap. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What happened, with secrets replaced; discriminated by its `type`. */
  readonly event: { readonly [key: string]: JSONValue };
  /** `hash` of the row before; that of the row that a prune kept, or 64 zeros, for the first. */
  readonly prev: string;
  /** SHA-256 (lower-case hex) over the RFC 8785 form of `{ seq, at, event, prev }`. */
  readonly hash: string;
  /** There, and true, when what is stored is not byte for byte what was written, even where it says the same. */
  readonly altered?: true;
}

/** Where a chain ends, or where the part of it that is kept begins. */
export interface AuditHead {
  /** 0 for an empty chain. */
  readonly seq: number;
  readonly hash: string;
}

/**
 * What happened, in one order, each row chained to the one before. Rows are added and, by a prune, removed from the
 * front; none is ever changed. Methods reject only when the store is broken.
 */
export interface AuditLog {
  /** Adds a row. */
  append(event: { readonly [key: string]: JSONValue }, at: number): Promise<AuditRow>;
  /**
   * Rows in order.
   *
   * @param options.after - Only those with a larger `seq`; default 0. A verification asks from `-Infinity` on, and so finds a
   *   row whose number nobody would ask for.
   * @param options.limit - At most this many, 1 to 1000; default 100.
   */
  rows(options?: { readonly after?: number; readonly limit?: number }): Promise<readonly AuditRow[]>;
  /** The last row. */
  head(): Promise<AuditHead>;
  /** What the first row that is kept is chained to. */
  anchor(): Promise<AuditHead>;
  /**
   * Removes the rows from before a time, in milliseconds since the epoch, and tells of it in a row, or in one for each part;
   * returns how many. What is left is a whole chain at every moment.
   */
  prune(before: number, at: number): Promise<number>;
  /** Calls `listener` after rows were added; returns its undo. */
  watch(listener: () => void): () => void;
}
