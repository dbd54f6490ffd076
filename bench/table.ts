import type { Row, Table } from './suite.ts';

/** A table as Markdown, ready to be quoted. */
export function markdown({ title, columns, rows, notes }: Table): string {
  const texts = rows.map((row) => row.map(String));
  const widths = columns.map((column, index) =>
    Math.max(column.length, 3, ...texts.map((row) => row[index]?.length ?? 0)),
  );
  const numeric = columns.map((_, index) => index > 0 && rows.every((row) => isNumeric(row[index])));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, index) => pad(cells[index] ?? '', width, numeric[index] === true)).join(' | ')} |`;
  const rule = `|${widths.map((width, index) => (numeric[index] ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`;
  const list = notes.map((note) => `- ${note}`).join('\n');
  return [`### ${title}`, '', line(columns), rule, ...texts.map(line), ...(list === '' ? [] : ['', list])].join('\n');
}

function pad(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}

/** A number, a range of them, a target, or nothing. */
function isNumeric(cell: Row[number] | undefined): boolean {
  return typeof cell === 'number' || /^[\d.–≤ -]*$/.test(cell ?? '');
}
