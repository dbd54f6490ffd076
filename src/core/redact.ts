import { isJsonArray, isJsonObject, type JSONValue } from './json.ts';

const REDACTED = '[redacted]';

/**
 * Replaces the values at the given paths by `[redacted]`. A path is keys joined by dots; `*` stands for any one key
 * or index, and a path of one key matches at every depth (`password` hides every `password`).
 */
export function redact(value: JSONValue, paths: readonly string[]): JSONValue {
  if (paths.length === 0) return value;
  const anywhere = new Set(paths.filter((path) => !path.includes('.')));
  const rooted = paths.filter((path) => path.includes('.')).map((path) => path.split('.'));
  return hide(value, rooted, anywhere);
}

function hide(value: JSONValue, rooted: readonly string[][], anywhere: ReadonlySet<string>): JSONValue {
  if (isJsonArray(value)) return value.map((item, index) => hideAt(item, String(index), rooted, anywhere));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideAt(item, key, rooted, anywhere)]));
}

function hideAt(item: JSONValue, key: string, rooted: readonly string[][], anywhere: ReadonlySet<string>): JSONValue {
  if (anywhere.has(key)) return REDACTED;
  const below = rooted.filter((path) => path[0] === key || path[0] === '*').map((path) => path.slice(1));
  if (below.some((path) => path.length === 0)) return REDACTED;
  return hide(item, below, anywhere);
}
