import { isJsonArray, isJsonObject, type JSONValue } from '../../../core/json.ts';

/** The member `name` of a tool result when it is a text. */
export function textOf(data: JSONValue, name: string): string | undefined {
  const value = isJsonObject(data) ? data[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The member `name` of a tool result when it is a number. */
export function numberOf(data: JSONValue, name: string): number | undefined {
  const value = isJsonObject(data) ? data[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** The member `name` of a tool result when it is a list of texts. */
export function textsOf(data: JSONValue, name: string): readonly string[] | undefined {
  const value = isJsonObject(data) ? data[name] : undefined;
  if (value === undefined || !isJsonArray(value)) return undefined;
  return value.filter((item) => typeof item === 'string');
}
