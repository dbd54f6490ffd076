import { TauError } from './errors.ts';
import { Marked } from './marked.ts';

/** A value that JSON can carry. */
export type JSONValue = string | number | boolean | null | readonly JSONValue[] | { readonly [key: string]: JSONValue };

/** A JSON Schema document (draft-07 or 2020-12), as plain data. */
export type JSONSchema = { readonly [key: string]: JSONValue } | boolean;

/** Arguments nested deeper than this are refused: no tool needs it, and recursion must end somewhere. */
export const MAX_DEPTH = 100;

/** Values beyond this many are refused: shared references could make a small object expand without end. */
const MAX_NODES = 250_000;

/** How many more values one call may seal. */
interface Allowance {
  left: number;
}

/** The mark of every object and array that `sealJson` has made: the proof that it is plain, deep-frozen JSON. */
class Seal extends Marked {
  readonly #sealed = true;

  static isOn(value: object): value is { readonly [key: string]: JSONValue } {
    return #sealed in value;
  }
}

/**
 * Copies a value once into deep-frozen plain JSON, so that whatever looks at it afterwards (a question, an
 * exemption, an event, the tool body) sees the same unchangeable object.
 *
 * A value that this function made before is returned as it is. `-0` becomes `0`.
 *
 * @param value - Anything; only plain objects, arrays, finite numbers, well-formed strings, booleans and null pass.
 * @returns The frozen copy.
 * @throws TauError with code `not_json` and the path of the first value that is not plain JSON.
 */
export function sealJson(value: unknown): JSONValue {
  return seal(value, '', 0, { left: MAX_NODES });
}

/** Whether `value` is a primitive JSON value or an object made by `sealJson`. */
export function isSealed(value: unknown): value is JSONValue {
  return typeof value === 'object' && value !== null ? Seal.isOn(value) : isJsonPrimitive(value);
}

/** Structural equality of two sealed values; the order of object keys does not matter. */
export function jsonEquals(a: JSONValue, b: JSONValue): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isJsonArray(a) || isJsonArray(b)) {
    return (
      isJsonArray(a) &&
      isJsonArray(b) &&
      a.length === b.length &&
      a.every((item, i) => jsonEquals(item, b[i] as JSONValue))
    );
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEquals(a[key] as JSONValue, b[key] as JSONValue))
  );
}

/**
 * Whether sealing `value` would give a value that equals `sealed`, so that `sealed` can stand for it. Says no where it
 * would have to look twice: at getters, at hidden properties, at anything but plain objects and arrays.
 */
export function sealsTo(value: unknown, sealed: JSONValue): boolean {
  if (typeof value !== 'object' || value === null || typeof sealed !== 'object' || sealed === null) {
    return value === sealed;
  }
  if (Array.isArray(value) || isJsonArray(sealed)) return sealsToArray(value, sealed);
  if (!isPlain(value)) return false;
  const keys = Reflect.ownKeys(value);
  return keys.length === Object.keys(sealed).length && keys.every((key) => sealsToItem(value, key, sealed));
}

function sealsToArray(value: object, sealed: object): boolean {
  if (!Array.isArray(value) || !Array.isArray(sealed) || value.length !== sealed.length) return false;
  const keys = Object.keys(sealed);
  // One more: the length is a property of its own, hidden like any length.
  return Reflect.ownKeys(value).length === keys.length + 1 && keys.every((key) => sealsToItem(value, key, sealed));
}

function sealsToItem(holder: object, key: string | symbol, sealed: object): boolean {
  const found = Object.getOwnPropertyDescriptor(holder, key);
  const wanted = Object.getOwnPropertyDescriptor(sealed, key);
  if (found === undefined || wanted === undefined || !found.enumerable || !('value' in found)) return false;
  return sealsTo(found.value, wanted.value);
}

/** `Array.isArray` for read-only JSON arrays. */
export function isJsonArray(value: JSONValue): value is readonly JSONValue[] {
  return Array.isArray(value);
}

/** Whether `value` is a JSON object (not an array, not null). */
export function isJsonObject(value: JSONValue | undefined): value is { readonly [key: string]: JSONValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isJsonPrimitive(value: unknown): value is JSONValue {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && value.isWellFormed();
}

function seal(value: unknown, path: string, depth: number, allowance: Allowance): JSONValue {
  allowance.left -= 1;
  if (allowance.left < 0) throw notJson(path, `is part of more than ${MAX_NODES} values`);
  if (typeof value !== 'object' || value === null) return sealPrimitive(value, path);
  if (Seal.isOn(value)) return value;
  if (depth >= MAX_DEPTH) throw notJson(path, `is nested deeper than ${MAX_DEPTH} levels`);
  const copy = Array.isArray(value)
    ? sealArray(value, path, depth, allowance)
    : sealObject(value, path, depth, allowance);
  new Seal(copy);
  return Object.freeze(copy);
}

function sealPrimitive(value: unknown, path: string): JSONValue {
  if (!isJsonPrimitive(value)) throw notJson(path, describeNonJson(value));
  return Object.is(value, -0) ? 0 : value;
}

function sealArray(value: readonly unknown[], path: string, depth: number, allowance: Allowance): JSONValue[] {
  const length = value.length;
  const copy: JSONValue[] = [];
  for (let i = 0; i < length; i++)
    copy.push(seal(ownValue(value, String(i), path), `${path}[${i}]`, depth + 1, allowance));
  if (Reflect.ownKeys(value).length !== length + 1) throw notJson(path, 'is an array with holes or extra properties');
  return copy;
}

function sealObject(value: object, path: string, depth: number, allowance: Allowance): { [key: string]: JSONValue } {
  if (!isPlain(value)) throw notJson(path, 'is not a plain object');
  const copy: { [key: string]: JSONValue } = {};
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol') throw notJson(path, 'has a symbol as a key');
    if (key === '__proto__') throw notJson(path, 'has a key named __proto__');
    if (!key.isWellFormed()) throw notJson(path, 'has a key with an unpaired surrogate');
    copy[key] = seal(ownValue(value, key, path), path === '' ? key : `${path}.${key}`, depth + 1, allowance);
  }
  return copy;
}

/** Whether an object has no class, in this realm or another. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Reads one own data property; a getter would let the value change between two looks at it. */
function ownValue(holder: object, key: string, path: string): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(holder, key);
  if (descriptor === undefined) throw notJson(path, `has nothing at ${key}`);
  if (!('value' in descriptor)) throw notJson(path, `computes ${key} with a getter`);
  if (!descriptor.enumerable) throw notJson(path, `hides ${key}`);
  return descriptor.value;
}

function describeNonJson(value: unknown): string {
  if (typeof value === 'number') return `is ${value}, which JSON cannot carry`;
  if (typeof value === 'string') return 'is a string with an unpaired surrogate';
  return value === undefined ? 'is undefined' : `is a ${typeof value}`;
}

function notJson(path: string, what: string): TauError {
  const where = path === '' ? 'the value' : path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return new TauError('not_json', `${where} ${what}; only plain JSON can be approved and run`);
}
