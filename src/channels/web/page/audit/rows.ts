import type { AuditRow } from '../wire/shapes.ts';

/** The part of the chain that was read, and where the chain ends. */
export interface AuditState {
  /** The newest first. */
  readonly rows: readonly AuditRow[];
  readonly head: { readonly seq: number; readonly hash: string } | undefined;
  /** Rows up to this number were not read yet. */
  readonly floor: number;
}

/** Nothing was read yet. */
export const NO_ROWS: AuditState = { rows: [], head: undefined, floor: 0 };

/** Adds rows that were read or that just happened; a row that is there already is not added again. */
export function addRows(
  { rows, head, floor }: AuditState,
  more: readonly AuditRow[],
  newHead: { readonly seq: number; readonly hash: string },
): AuditState {
  const bySeq = new Map([...rows, ...more].map((row) => [row.seq, row]));
  const sorted = [...bySeq.values()].sort((a, b) => b.seq - a.seq);
  return { rows: sorted, head: head === undefined || newHead.seq > head.seq ? newHead : head, floor };
}
