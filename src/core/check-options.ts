import { closest } from './did-you-mean.ts';
import { ConfigError } from './errors.ts';

/**
 * What an option must be.
 *
 * | kind | for example |
 * |---|---|
 * | `any` | checked by whoever takes it |
 * | `object` | a logger |
 * | `record` | settings by name; no list and no `Map`, whose entries would be silently ignored |
 * | `map` | a `Map`, or what is used like one |
 * | `object or list` | one of something, or several |
 * | `positive number`, `number from 0 on` | a limit; finite |
 * | `positive number up to 2147483` | seconds that a timer of the platform holds, 24.8 days |
 * | `number from 0 on or Infinity` | a limit that may be none |
 * | a list of texts | one of them |
 */
export type OptionKind =
  | 'any'
  | 'boolean'
  | 'function'
  | 'list'
  | 'map'
  | 'number from 0 on'
  | 'number from 0 on or Infinity'
  | 'object'
  | 'object or list'
  | 'positive number'
  | 'positive number up to 2147483'
  | 'record'
  | 'string'
  | readonly string[];

/** The options that something takes, and what each of them must be. */
export type OptionKinds<T> = { readonly [K in keyof Required<T>]: OptionKind };

/**
 * Refuses options that would be silently ignored: a mistyped `auth` must not leave a route open, nor a mistyped filter
 * offer every tool.
 *
 * @param taker - Who takes them, for the message.
 * @throws ConfigError that names the option, what was probably meant, and what it may be.
 */
export function checkOptions<T extends object>(taker: string, options: T, kinds: OptionKinds<T>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ConfigError(`${taker}: the options are no object`);
  }
  const known = new Map<string, OptionKind>(Object.entries(kinds));
  for (const [name, value] of Object.entries(options)) {
    const kind = known.get(name);
    if (kind === undefined) throw unknownOption(taker, name, [...known.keys()]);
    if (value !== undefined && !isKind(value, kind)) {
      throw new ConfigError(`${taker}: option '${name}' must be ${described(kind)}, not ${shown(value)}`);
    }
  }
}

function unknownOption(taker: string, name: string, known: readonly string[]): ConfigError {
  const meant = closest(name, known);
  const hint = meant === undefined ? '' : ` (did you mean '${meant}'?)`;
  return new ConfigError(`${taker}: unknown option '${name}'${hint}; known are ${known.join(', ')}`);
}

function described(kind: OptionKind): string {
  if (typeof kind !== 'string') return `one of ${kind.map((text) => `'${text}'`).join(', ')}`;
  return `${kind.startsWith('o') ? 'an' : 'a'} ${kind}`;
}

/** A wrong number and a wrong word say what is wrong with them; of anything else the type does. */
function shown(value: unknown): string {
  if (value === null || typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 64));
  return Array.isArray(value) ? 'a list' : typeof value;
}

function isKind(value: unknown, kind: OptionKind): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'function':
    case 'boolean':
    case 'string':
      return typeof value === kind;
    case 'positive number':
      return isAbove0(value) && Number.isFinite(value);
    case 'positive number up to 2147483':
      return isAbove0(value) && value <= 2_147_483;
    case 'number from 0 on':
      return typeof value === 'number' && value >= 0 && Number.isFinite(value);
    case 'number from 0 on or Infinity':
      return typeof value === 'number' && value >= 0;
    default:
      return typeof kind === 'string' ? isContainer(value, kind) : kind.some((text) => text === value);
  }
}

function isAbove0(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function isContainer(value: unknown, kind: 'list' | 'map' | 'object' | 'object or list' | 'record'): boolean {
  if (typeof value !== 'object' || value === null) return false;
  switch (kind) {
    case 'list':
      return Array.isArray(value);
    case 'map':
      return 'get' in value && 'set' in value && 'has' in value;
    case 'object':
      return !Array.isArray(value);
    case 'object or list':
      return true;
    case 'record':
      return !(Symbol.iterator in value);
    default:
      return kind satisfies never;
  }
}
