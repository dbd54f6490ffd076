import type { JSONValue } from '../../../../core/json.ts';
import { jsonEquals } from '../../../../core/json.ts';

/** What somebody typed into the editor of the arguments. */
export type Edited =
  | { readonly type: 'ok'; readonly value: JSONValue }
  | { readonly type: 'unchanged' }
  /** `at` is the place in the text, where it is known. */
  | { readonly type: 'invalid'; readonly line?: number; readonly column?: number };

/** Reads what was typed. Whether it fits the tool is for the hub to say. */
export function readEdited(text: string, before: JSONValue): Edited {
  try {
    const value: JSONValue = JSON.parse(text);
    return jsonEquals(value, before) ? { type: 'unchanged' } : { type: 'ok', value };
  } catch (error) {
    return { type: 'invalid', ...placeOf(error, text) };
  }
}

/** Browsers tell where JSON ends to be JSON, each in its own words. */
function placeOf(error: unknown, text: string): { readonly line?: number; readonly column?: number } {
  const words = error instanceof Error ? error.message : '';
  const [, line, column] = /line (\d+) column (\d+)/.exec(words) ?? [];
  if (line !== undefined && column !== undefined) return { line: Number(line), column: Number(column) };
  const [, position] = /position (\d+)/.exec(words) ?? [];
  if (position === undefined) return {};
  const before = text.slice(0, Number(position)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
