import { MAX_DEPTH } from '../../core/json.ts';

/** The snake_case spellings that clients in other languages send. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['thread_id', 'threadId'],
  ['run_id', 'runId'],
  ['parent_run_id', 'parentRunId'],
  ['forwarded_props', 'forwardedProps'],
  ['tool_call_id', 'toolCallId'],
  ['parent_message_id', 'parentMessageId'],
]);

/** Keys that reach an object's prototype when a careless reader copies them. */
const HOSTILE: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a key from outside may be copied. */
export function isHostileKey(key: string): boolean {
  return HOSTILE.has(key);
}

/** A value that is nested deeper than anything that is read here. */
export class TooDeepError extends Error {
  /** Where, as keys joined by dots. */
  readonly path: string;

  constructor(path: readonly string[]) {
    super(`nested deeper than ${MAX_DEPTH} levels`);
    this.name = 'TooDeepError';
    this.path = path.slice(0, 10).join('.');
  }
}

/**
 * Where in a request a value stands. The names inside a tool's JSON Schema and inside an answer to an interrupt are
 * those of tool arguments: renaming one, or leaving one out, would show the model, or run, another call than the one that
 * was meant. What may not be in an answer is for its reader to refuse.
 *
 * | place | aliases are renamed | hostile keys are dropped |
 * |---|---|---|
 * | `input` `tools` `resume` `other` | yes | yes |
 * | `arguments` | no | yes |
 * | `answer` | no | no |
 */
type Place = 'input' | 'tools' | 'resume' | 'other' | 'arguments' | 'answer';

/**
 * A request with the snake_case aliases of protocol fields renamed at any depth (a camelCase spelling wins) and without
 * hostile keys, but for those in answers. It is copied only when there is something to change.
 *
 * @throws TooDeepError
 */
export function withProtocolKeys(body: unknown): unknown {
  return isClean(body, 0) ? body : copy(body, 'input', []);
}

/** Whether nothing in a value has to be renamed, dropped or refused. */
function isClean(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  if (!Array.isArray(value) && Object.keys(value).some((key) => ALIASES.has(key) || HOSTILE.has(key))) return false;
  return Object.values(value).every((item) => isClean(item, depth + 1));
}

/**
 * Copies plain JSON without hostile keys.
 *
 * @throws TooDeepError
 */
export function withoutHostileKeys(value: unknown): unknown {
  return copy(value, 'arguments', []);
}

function copy(value: unknown, place: Place, path: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (path.length >= MAX_DEPTH) throw new TooDeepError(path);
  return Array.isArray(value) ? copyList(value, place, path) : copyRecord(value, place, path);
}

function copyList(list: readonly unknown[], place: Place, path: string[]): unknown[] {
  return list.map((item, i) => step(item, String(i), place, path));
}

function copyRecord(record: object, place: Place, path: string[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) {
    if (place === 'answer') {
      // Assigned, `__proto__` would be no key of the copy.
      Object.defineProperty(result, key, { value: step(value, key, place, path), ...PLAIN });
      continue;
    }
    const name = place === 'arguments' ? key : (ALIASES.get(key) ?? key);
    if (HOSTILE.has(key) || (name !== key && Object.hasOwn(record, name))) continue;
    result[name] = step(value, name, placeOf(place, name), path);
  }
  return result;
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

function step(value: unknown, key: string, place: Place, path: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  path.push(key);
  const result = copy(value, place, path);
  path.pop();
  return result;
}

function placeOf(parent: Place, key: string): Place {
  switch (parent) {
    case 'input':
      return key === 'tools' || key === 'resume' ? key : 'other';
    case 'tools':
      return key === 'parameters' ? 'arguments' : 'other';
    case 'resume':
      return key === 'payload' ? 'answer' : 'other';
    case 'other':
    case 'arguments':
    case 'answer':
      return parent;
    default:
      return parent satisfies never;
  }
}
