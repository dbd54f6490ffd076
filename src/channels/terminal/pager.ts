import type { Line } from './layout.ts';

/** As much of the lines as fits on the screen at once. */
export interface Page {
  readonly lines: readonly Line[];
  readonly number: number;
  readonly pages: number;
  readonly last: boolean;
  /** Where the next page starts. */
  readonly next: number;
}

/** The page that starts with line `start`. */
export function pageAt(lines: readonly Line[], start: number, height: number): Page {
  const next = Math.min(start + height, lines.length);
  const number = Math.ceil(start / height) + 1;
  const pages = number + Math.ceil((lines.length - next) / height);
  return { lines: lines.slice(start, next), number, pages, last: next === lines.length, next };
}

/** Where a page must start, after the lines were broken anew, to show everything from `place` on. */
export function startAt(lines: readonly Line[], place: Pick<Line, 'row' | 'offset'> | undefined): number {
  if (place === undefined) return 0;
  const after = lines.findIndex(({ row, offset }) => row > place.row || (row === place.row && offset > place.offset));
  return Math.max(0, (after === -1 ? lines.length : after) - 1);
}
