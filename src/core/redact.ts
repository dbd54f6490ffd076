import { isJsonArray, isJsonObject, type JSONValue, sealJson } from './json.ts';

const REDACTED = '[redacted]';

/**
 * Replaces the values at the given paths by `[redacted]`. A path is keys joined by dots; `*` stands for any one key
 * or index, and a path of one key matches at every depth (`password` hides every `password`). A text that is JSON is
 * looked into as if it stood there unpacked.
 */
export function redact(value: JSONValue, paths: readonly string[]): JSONValue {
  return replaceAt(value, paths, () => REDACTED);
}

/** Replaces the values at the given paths, which are those of `redact`, by what `replace` makes of them. */
export function replaceAt(value: JSONValue, paths: readonly string[], replace: Replace): JSONValue {
  if (paths.length === 0) return value;
  const anywhere = new Set(paths.filter((path) => !path.includes('.')));
  const rooted = paths.filter((path) => path.includes('.')).map((path) => path.split('.'));
  return walk(value, rooted, { anywhere, replace });
}

type Replace = (value: JSONValue) => JSONValue;

interface Everywhere {
  readonly anywhere: ReadonlySet<string>;
  readonly replace: Replace;
}

function walk(value: JSONValue, rooted: readonly string[][], rules: Everywhere): JSONValue {
  if (isJsonArray(value)) return value.map((item, index) => walkTo(item, String(index), rooted, rules));
  if (typeof value === 'string') return walkText(value, rooted, rules);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walkTo(item, key, rooted, rules)]));
}

/** JSON inside a text. What cannot be looked into, such as one nested without end, is hidden as a whole. */
function walkText(text: string, rooted: readonly string[][], rules: Everywhere): JSONValue {
  const inner = insideOf(text);
  if (inner === 'no_json') return text;
  if (inner === 'unreadable') return rules.replace(text);
  let isHidden = false;
  const replace: Replace = (value) => {
    isHidden = true;
    return rules.replace(value);
  };
  const walked = walk(inner.value, rooted, { ...rules, replace });
  return isHidden ? JSON.stringify(walked) : text;
}

const LIKE_JSON = /^\s*[[{"]/;

/** What a text of JSON holds. */
export function insideOf(text: string): { readonly value: JSONValue } | 'no_json' | 'unreadable' {
  if (!LIKE_JSON.test(text)) return 'no_json';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'no_json';
  }
  try {
    return { value: sealJson(value) };
  } catch {
    return 'unreadable';
  }
}

function walkTo(item: JSONValue, key: string, rooted: readonly string[][], rules: Everywhere): JSONValue {
  if (rules.anywhere.has(key)) return rules.replace(item);
  const below = rooted.filter((path) => path[0] === key || path[0] === '*').map((path) => path.slice(1));
  if (below.some((path) => path.length === 0)) return rules.replace(item);
  return walk(item, below, rules);
}
