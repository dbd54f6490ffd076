import { errorText } from '../../core/errors.ts';
import type { ResultPart } from './input.ts';

/**
 * A tool result as the text that the client gets.
 *
 * | result | text |
 * |---|---|
 * | one text | as it is: not parsed, not quoted, so that long numbers keep their digits |
 * | one JSON value | its JSON |
 * | nothing, or `null` | empty |
 * | several texts | line by line |
 * | several parts, not all text | a JSON list of them; media as `{"type":"image"}` |
 */
export function resultContent(parts: readonly ResultPart[]): string {
  const [only] = parts;
  if (only === undefined) return '';
  if (parts.length === 1) return soleContent(only);
  if (parts.every((part) => part.type === 'text')) return parts.map((part) => part.text).join('\n');
  return jsonText(parts.map(partValue));
}

function soleContent(part: ResultPart): string {
  switch (part.type) {
    case 'text':
      return part.text.trim() === 'null' ? '' : part.text;
    case 'json':
      return part.json === null || part.json === undefined ? '' : jsonText(part.json);
    case 'media':
      return jsonText(partValue(part));
    default:
      return part satisfies never;
  }
}

function partValue(part: ResultPart): unknown {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'json':
      return part.json;
    case 'media':
      return { type: part.kind };
    default:
      return part satisfies never;
  }
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item)) ?? '';
  } catch (error) {
    return `Tool result is not JSON serializable: ${errorText(error)}`;
  }
}

/** A tool result as a value, for hooks: text that is JSON is parsed; several parts make a list. */
export function resultData(parts: readonly ResultPart[]): unknown {
  const [only] = parts;
  if (only === undefined) return null;
  if (parts.length > 1) return parts.map(partValue);
  return only.type === 'text' ? parsed(only.text) : partValue(only);
}

/** The second reading is of a dictionary as Python prints it. */
function parsed(text: string): unknown {
  for (const reading of [text, text.replaceAll("'", '"')]) {
    try {
      return JSON.parse(reading);
    } catch {
      // The text stands for itself.
    }
  }
  return text;
}
