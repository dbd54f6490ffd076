import { escapeText } from '../../../../core/escape.ts';
import type { JSONValue } from '../../../../core/json.ts';
import { jsonEquals } from '../../../../core/json.ts';
import { jsonFault } from './json-fault.ts';

/** What somebody typed into the editor of the arguments. */
export type Edited =
  | { readonly type: 'ok'; readonly value: JSONValue }
  | { readonly type: 'unchanged' }
  /** `at` is the place in the text, where it is known. */
  | { readonly type: 'invalid'; readonly line?: number; readonly column?: number };

/**
 * JSON for an editor: what is hidden, or could turn the text around, is written as the escapes that JSON has for it, so
 * that it is seen and stays the same value.
 */
export function editableJson(value: JSONValue): string {
  return Array.from(JSON.stringify(value, null, 2), (char) => {
    const plain = char === '\n' || char === '\\' || escapeText(char) === char;
    return plain ? char : char.replace(/[\s\S]/g, unitEscape);
  }).join('');
}

function unitEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Reads what was typed. Whether it fits the tool is for the hub to say. */
export function readEdited(text: string, before: JSONValue): Edited {
  try {
    const value: JSONValue = JSON.parse(text);
    return jsonEquals(value, before) ? { type: 'unchanged' } : { type: 'ok', value };
  } catch {
    return { type: 'invalid', ...placeOf(text) };
  }
}

function placeOf(text: string): { readonly line?: number; readonly column?: number } {
  const fault = jsonFault(text);
  if (fault === undefined) return {};
  const before = text.slice(0, fault).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
