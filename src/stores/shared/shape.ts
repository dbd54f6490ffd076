import type { JSONValue } from '../../core/json.ts';

/** Whether a value that came out of a store is a `T`. */
export type Shape<T> = (value: unknown) => value is T;

/** The shape of a field that may be absent. */
export interface OptionalShape<T> {
  readonly optional: Shape<T>;
}

/** One shape for each field of `T`: a field that the type gains, and that no shape knows, does not compile. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Pick<Partial<T>, K> extends Pick<T, K>
    ? OptionalShape<Exclude<T[K], undefined>>
    : Shape<T[K]>;
};

/** A text. */
export const text: Shape<string> = (value) => typeof value === 'string';

/** A finite number. */
export const number: Shape<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);

/** True or false. */
export const flag: Shape<boolean> = (value) => typeof value === 'boolean';

/** Anything that was parsed from JSON. */
export const json: Shape<JSONValue> = (value): value is JSONValue => value !== undefined;

/** One of some texts or numbers. */
export function oneOf<const T extends string | number>(...allowed: readonly T[]): Shape<T> {
  const known = new Set<unknown>(allowed);
  return (value): value is T => known.has(value);
}

/** A list of one shape. */
export function listOf<T>(item: Shape<T>): Shape<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(item);
}

/** An object with any keys. */
export function mapOf<T>(item: Shape<T>): Shape<{ readonly [key: string]: T }> {
  return (value): value is { readonly [key: string]: T } => isObject(value) && Object.values(value).every(item);
}

/** A field that may be absent. */
export function optional<T>(shape: Shape<T>): OptionalShape<T> {
  return { optional: shape };
}

/** An object with these fields and no other. */
export function fields<T extends object>(shapes: Fields<T>): Shape<T> {
  const holds = atLeast(shapes);
  return (value): value is T => holds(value) && Object.keys(value).every((key) => Object.hasOwn(shapes, key));
}

/** An object with these fields, and perhaps others that somebody else knows about. */
export function atLeast<T extends object>(shapes: Fields<T>): Shape<T> {
  const known = Object.entries<Shape<unknown> | OptionalShape<unknown>>(shapes);
  return (value): value is T =>
    isObject(value) && known.every(([key, shape]) => fits(Object.hasOwn(value, key) ? value[key] : undefined, shape));
}

function fits(value: unknown, shape: Shape<unknown> | OptionalShape<unknown>): boolean {
  return typeof shape === 'function' ? shape(value) : value === undefined || shape.optional(value);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
