import type { AuditRow } from '../wire/shapes.ts';

/** The part of the chain that was read, and where the chain ends. */
export interface AuditState {
  /** The newest first. */
  readonly rows: readonly AuditRow[];
  readonly head: { readonly seq: number; readonly hash: string } | undefined;
}

/** Nothing was read yet. */
export const NO_ROWS: AuditState = { rows: [], head: undefined };

/** Adds rows that were read or that just happened; a row that is there already is not added again. */
export function addRows(
  { rows, head }: AuditState,
  more: readonly AuditRow[],
  newHead: { readonly seq: number; readonly hash: string },
): AuditState {
  const bySeq = new Map([...rows, ...more].map((row) => [row.seq, row]));
  const sorted = [...bySeq.values()].sort((a, b) => b.seq - a.seq);
  return { rows: sorted, head: head === undefined || newHead.seq > head.seq ? newHead : head };
}

/** The number of the oldest row that was read. */
export function oldestOf(rows: readonly AuditRow[]): number | undefined {
  return rows.at(-1)?.seq;
}
