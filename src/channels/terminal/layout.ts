import { displayWidth } from './display-width.ts';
import type { Row } from './question-rows.ts';

/** One line as it stands on the screen. */
export interface Line {
  /** What tau puts before the text: a label, or the mark of the area that the text belongs to. */
  readonly mark: string;
  readonly text: string;
  /** Which row it is a part of, and which character of that row it starts with. */
  readonly row: number;
  readonly offset: number;
}

/** Begins a line of the arguments, … */
const ARGUMENT = '  │ ';
/** … and ends the mark of a line that continues the one above it. */
const CONTINUED = '┆ ';

/** Under this width, values stand below their labels instead of beside them. */
const NARROW = 36;

/** Breaks rows into lines that fit a width, so that no text of somebody else's ever starts a line of its own. */
export function layOut(rows: readonly Row[], columns: number): readonly Line[] {
  const width = Math.max(columns - 1, 12);
  const labels = rows.map((row) => (row.type === 'field' ? displayWidth(row.label) : 0));
  const indent = width < NARROW ? 4 : labels.reduce((widest, label) => Math.max(widest, label), 0) + 4;
  return rows.flatMap((row, index) => layOutRow(row, index, width, indent));
}

function layOutRow(row: Row, index: number, width: number, indent: number): readonly Line[] {
  switch (row.type) {
    case 'heading':
      return [{ mark: `  ${row.label}`, text: '', row: index, offset: 0 }];
    case 'argument':
      return wrap(row.text, { first: ARGUMENT, next: `  ${CONTINUED}`, width, words: false }, index);
    case 'field': {
      const label = `  ${row.label}`;
      const beside = displayWidth(label) < indent;
      const first = beside ? label.padEnd(indent) : ' '.repeat(indent);
      const next = `${' '.repeat(indent - CONTINUED.length)}${CONTINUED}`;
      const lines = wrap(row.text, { first, next, width, words: true }, index);
      return beside ? lines : [{ mark: label, text: '', row: index, offset: 0 }, ...lines];
    }
    default:
      return row satisfies never;
  }
}

interface Wrapping {
  /** The mark of the first line, and of the others; equally wide. */
  readonly first: string;
  readonly next: string;
  readonly width: number;
  /** Whether to break after a space where there is one near the end. */
  readonly words: boolean;
}

/** An escape, or a character with the marks on it: what must not be torn apart. */
const PIECE = /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|.)|[^\p{M}]\p{M}*|\p{M}/gu;

function wrap(text: string, { first, next, width, words }: Wrapping, row: number): readonly Line[] {
  const room = width - displayWidth(first);
  const lines: Line[] = [];
  let offset = 0;
  let line = '';
  let used = 0;
  const flush = (upTo: number): void => {
    lines.push({ mark: lines.length === 0 ? first : next, text: line.slice(0, upTo), row, offset });
    offset += upTo;
    line = line.slice(upTo);
    used = displayWidth(line);
  };
  for (const [piece] of text.matchAll(PIECE)) {
    const size = displayWidth(piece);
    if (used + size > room && line !== '') flush(breakAt(line, words));
    line += piece;
    used += size;
  }
  if (line !== '' || lines.length === 0) flush(line.length);
  return lines;
}

/** After the last space when that leaves at least half the line, else at the end. */
function breakAt(line: string, words: boolean): number {
  const space = words ? line.lastIndexOf(' ') + 1 : 0;
  return space * 2 > line.length ? space : line.length;
}
