import { isJsonArray, type JSONValue } from './json.ts';

/** Levels of nesting that are indented; deeper ones stay at that indent, so that lines keep room for their content. */
const MAX_INDENT = 12;

/** Controls, formats, surrogates, private use, unassigned; separators; what is invisible by default; blank symbols. */
const HIDDEN = /(?! )[\p{C}\p{Z}\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]/u;

/** The same outside of ASCII, which JSON escapes itself, except DEL. */
const HIDDEN_IN_JSON = new RegExp(`(?![\\0-~])${HIDDEN.source}`, 'gu');

/** Marks that cover the letter that they stand on: enclosing ones, strokes and slashes through it. */
const COVERING =
  /\p{Me}|[\u0334-\u0338]|[\u20d2\u20d3]|[\u20d8-\u20da]|[\u20e5\u20e6\u20ea\u20eb]|\u{10a39}|[\u{1d167}-\u{1d169}]/u;

/** What a letter may carry: more marks would pile up over the lines above and below. */
const READABLE_MARKS = new RegExp(`^(?:(?!${HIDDEN.source}|${COVERING.source})\\p{M}){0,8}`, 'u');

/** What does not stay as it is: a letter with marks, padding, a backslash, anything hidden, a mark on no letter. */
const SPECIAL = new RegExp(
  `(?<letter>(?!${HIDDEN.source})[\\p{L}\\p{N}])(?<marks>\\p{M}+)|(?<= {16}) +|\\\\|${HIDDEN.source}|\\p{M}`,
  'gu',
);

/**
 * Writes text so that a person sees all of it and it cannot act on the screen: for every text that a model or a
 * stranger may have written, in a prompt, a list or a log line.
 *
 * Letters of all scripts, digits, punctuation and emoji stay as they are. Written as `\uXXXX` or `\u{XXXXX}` are:
 * control characters (so ANSI and OSC sequences come out as visible text), line breaks and every space but U+0020,
 * bidirectional controls, zero-width and other invisible characters (joiners, variation selectors, tags, fillers),
 * private use, unassigned and unpaired surrogates, combining marks that stand on no letter, cover it or come more
 * than eight in a row, and spaces after the sixteenth in a row. A backslash is doubled, so that two different texts
 * never look the same.
 *
 * The result is one line. Escaping twice doubles the backslashes again: escape once, where the text is shown.
 */
export function escapeText(text: string): string {
  return text.replace(SPECIAL, (found: string, letter?: string, marks?: string) => {
    if (found === '\\') return '\\\\';
    return letter === undefined || marks === undefined ? escapeAll(found) : letter + escapeMarks(marks);
  });
}

/**
 * A JSON text, still of the same value, in which nothing can act on the screen or hide on it: what `escapeText` writes as
 * `\uXXXX` outside of ASCII is an escape of JSON, as are the controls of ASCII in every JSON text.
 */
export function escapeJson(json: string): string {
  return json.replace(HIDDEN_IN_JSON, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}

/**
 * Writes a JSON value for a person: one entry a line, indented, keys sorted, strings escaped as in `escapeText` (with
 * the usual `\n`, `\r`, `\t` and `\"`). No line contains a line break or a control character; every line starts with
 * spaces, a quote, a bracket, a digit, a minus sign or a literal of JSON.
 */
export function showJson(value: JSONValue): string[] {
  const lines: string[] = [];
  addLines(lines, { before: '', value, after: '' }, 0);
  return lines;
}

function escapeMarks(marks: string): string {
  const [readable = ''] = READABLE_MARKS.exec(marks) ?? [];
  return readable + escapeAll(marks.slice(readable.length));
}

function escapeAll(text: string): string {
  return Array.from(text, (char) => {
    const hex = (char.codePointAt(0) ?? 0).toString(16);
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
  }).join('');
}

interface Entry {
  /** What stands before the value on its line: the key. */
  readonly before: string;
  readonly value: JSONValue;
  /** What follows it: a comma, except after the last. */
  readonly after: string;
}

function addLines(lines: string[], { before, value, after }: Entry, depth: number): void {
  const indent = '  '.repeat(Math.min(depth, MAX_INDENT));
  if (typeof value !== 'object' || value === null) {
    lines.push(`${indent}${before}${showPrimitive(value)}${after}`);
    return;
  }
  const [open, close] = isJsonArray(value) ? ['[', ']'] : ['{', '}'];
  const entries = entriesOf(value);
  if (entries.length === 0) {
    lines.push(`${indent}${before}${open}${close}${after}`);
    return;
  }
  lines.push(`${indent}${before}${open}`);
  for (const entry of entries) addLines(lines, entry, depth + 1);
  lines.push(`${indent}${close}${after}`);
}

function entriesOf(value: Exclude<JSONValue, string | number | boolean | null>): readonly Entry[] {
  const comma = (index: number, length: number): string => (index < length - 1 ? ',' : '');
  if (isJsonArray(value)) {
    return value.map((item, index) => ({ before: '', value: item, after: comma(index, value.length) }));
  }
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([key, item], index) => ({
    before: `${showString(key)}: `,
    value: item,
    after: comma(index, sorted.length),
  }));
}

function showPrimitive(value: string | number | boolean | null): string {
  return typeof value === 'string' ? showString(value) : String(value);
}

const SHORT: Readonly<Record<string, string>> = { '\\u0009': '\\t', '\\u000a': '\\n', '\\u000d': '\\r', '"': '\\"' };

function showString(text: string): string {
  return `"${escapeText(text).replace(/\\\\|\\u000[9ad]|"/g, (found) => SHORT[found] ?? found)}"`;
}
