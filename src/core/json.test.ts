import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { isSealed, type JSONValue, jsonEquals, MAX_DEPTH, sealJson, sealsTo } from './json.ts';

function nested(levels: number): unknown {
  let value: unknown = 'core';
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

class Door {
  readonly name = 'front';
}

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const sparse = ['a', 'b'];
sparse.length = 4;
const withExtra: unknown = Object.assign(['a'], { extra: 1 });

describe('[G11] sealing arguments', () => {
  it('copies plain JSON into deep-frozen objects that later changes do not reach', () => {
    const original = { door: 'front', list: [1, { a: null }], flag: false };
    const sealed = sealJson(original);
    original.door = 'back';
    original.list.push(2);
    expect(sealed).toEqual({ door: 'front', list: [1, { a: null }], flag: false });
    expect(everyObject(sealed).every((value) => Object.isFrozen(value) && isSealed(value))).toBe(true);
    expect(isSealed(original)).toBe(false);
  });

  it('returns what it made before as it is', () => {
    const sealed = sealJson({ a: [1] });
    expect(sealJson(sealed)).toBe(sealed);
    const outer = sealJson({ inner: sealed });
    expect(isObject(outer) && outer.inner).toBe(sealed);
  });

  it('does not take a frozen object of somebody else for one of its own', () => {
    const frozen = Object.freeze({ a: Object.freeze([1]) });
    expect(isSealed(frozen)).toBe(false);
    expect(sealJson(frozen)).not.toBe(frozen);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a bigint', 1n],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a lone surrogate', 'a\ud800b'],
    ['a key with a lone surrogate', { '\udc00': 1 }],
    ['an undefined property', { a: undefined }],
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['a boxed string', Object('text')],
    ['a typed array', new Uint8Array(2)],
    ['an Error', new Error('x')],
    ['a class instance', new Door()],
    ['an object with a prototype of its own', Object.create({ inherited: 1 })],
    ['a promise', Promise.resolve(1)],
    ['a symbol key', { [Symbol('x')]: 1 }],
    ['a symbol key on an array', Object.assign([1], { [Symbol('x')]: 1 })],
    ['a __proto__ key', JSON.parse('{"__proto__": {"tier": 0}}')],
    ['a nested __proto__ key', JSON.parse('{"a": [{"__proto__": 1}]}')],
    ['a getter', Object.defineProperty({}, 'door', { enumerable: true, get: () => 'front' })],
    ['a getter in an array', Object.defineProperty([], 0, { enumerable: true, get: () => 'front' })],
    ['a hidden property', Object.defineProperty({}, 'door', { enumerable: false, value: 'front' })],
    ['an array with holes', sparse],
    ['a huge sparse array', new Array(2 ** 32 - 1)],
    ['an array with extra properties', withExtra],
    ['an object with toJSON', { door: 'front', toJSON: () => ({ door: 'back' }) }],
    ['a cyclic object', cyclic],
    ['101 levels', nested(MAX_DEPTH + 1)],
    ['10,000 levels', nested(10_000)],
  ])('refuses %s', (_what, value) => {
    expect(() => sealJson(value)).toThrow(expect.objectContaining({ code: 'not_json' }));
    expect(() => sealJson({ deep: [value] })).toThrow(expect.objectContaining({ code: 'not_json' }));
  });

  it('says where the first value is that is not JSON', () => {
    expect(() => sealJson({ list: [1, { door: undefined }] })).toThrow(
      'list[1].door is undefined; only plain JSON can be approved and run',
    );
    expect(() => sealJson({ ['k'.repeat(500)]: Number.NaN })).toThrow(/^k{200}… is NaN, which JSON cannot carry/);
  });

  it('says what is hidden or computed, and reads neither', () => {
    let read = 0;
    const get = (): number => ++read;
    expect(() => sealJson(Object.defineProperty({}, 'door', { enumerable: true, get }))).toThrow(
      'the value computes door with a getter; only plain JSON can be approved and run',
    );
    expect(() => sealJson(Object.defineProperty({}, 'door', { value: 1 }))).toThrow('the value hides door');
    expect(read).toBe(0);
  });

  it('takes 100 levels, null-prototype objects and objects of another realm', () => {
    expect(() => sealJson(nested(MAX_DEPTH))).not.toThrow();
    expect(sealJson(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
    const foreign: unknown = runInContext('({ a: [1, { b: null }] })', createContext());
    const sealed = sealJson(foreign);
    expect(sealed).toEqual({ a: [1, { b: null }] });
    expect(Object.getPrototypeOf(sealed)).toBe(Object.prototype);
  });

  it('keeps keys that are names of Object.prototype as plain keys', () => {
    const sealed = sealJson({ constructor: 1, toString: 'x', hasOwnProperty: null });
    expect(Object.entries(sealed ?? {})).toEqual([
      ['constructor', 1],
      ['toString', 'x'],
      ['hasOwnProperty', null],
    ]);
  });

  it('turns -0 into 0', () => {
    const sealed = sealJson([-0]);
    expect(Object.is(Array.isArray(sealed) ? sealed[0] : undefined, 0)).toBe(true);
  });

  it('looks at each property of a proxy once, and keeps what it saw', () => {
    const seen: string[] = [];
    const proxy = new Proxy(
      { door: 'front' },
      {
        getOwnPropertyDescriptor: (target, key) => {
          seen.push(String(key));
          const door = seen.length === 1 ? 'front' : 'back';
          return { ...Reflect.getOwnPropertyDescriptor(target, key), value: door };
        },
        get: () => 'back',
      },
    );
    expect(sealJson(proxy)).toEqual({ door: 'front' });
    expect(seen).toEqual(['door']);
  });
});

describe('[G12] equality of arguments', () => {
  it.each<[JSONValue, JSONValue]>([
    [
      { a: 1, b: [true, null] },
      { b: [true, null], a: 1 },
    ],
    ['x', 'x'],
    [[], []],
    [null, null],
  ])('%j equals %j', (a, b) => {
    expect(jsonEquals(sealJson(a), sealJson(b))).toBe(true);
  });

  it.each<[JSONValue, JSONValue]>([
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [{ a: 1 }, { b: 1 }],
    [{ toString: 1 }, { a: 1 }],
    [{ a: 1 }, { toString: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [[1, 1], [1]],
    [[], {}],
    [{}, []],
    [{ 0: 'a' }, ['a']],
    [null, {}],
    [null, 0],
    ['', null],
    [false, 0],
    [[null], [[]]],
  ])('%j differs from %j', (a, b) => {
    expect(jsonEquals(sealJson(a), sealJson(b))).toBe(false);
  });
});

describe('[G11] a value that need not be sealed, because it would equal one that is', () => {
  it.each([
    [
      { b: [1, { c: 'x' }], a: null },
      { a: null, b: [1, { c: 'x' }] },
    ],
    [-0, 0],
    [[], []],
  ])('%j, where %j is sealed', (value, sealed) => {
    expect(sealsTo(value, sealJson(sealed))).toBe(true);
  });

  it('says no to other values, and to all that sealing would refuse or look at twice', () => {
    const sealed = sealJson({ a: 1 });
    const getter = Object.defineProperty({}, 'a', { enumerable: true, get: () => 1 });
    const hidden = Object.defineProperty({}, 'a', { enumerable: false, value: 1 });
    const symbol = { a: 1, [Symbol('s')]: 1 };
    const odd = [getter, hidden, symbol, Object.assign(new Door(), { a: 1 }), { a: 1, b: undefined }, { a: '1' }, [1]];
    for (const value of [...odd, {}, { b: 1 }, null, undefined, 1]) expect(sealsTo(value, sealed)).toBe(false);
  });

  it('says no to arrays with holes, extra properties or another length', () => {
    const long = ['a', 'b'];
    long.length = 3;
    for (const value of [sparse, withExtra, long, ['a'], { 0: 'a', 1: 'b' }, ['b', 'a']]) {
      expect(sealsTo(value, sealJson(['a', 'b']))).toBe(false);
    }
    expect(sealsTo(withExtra, sealJson(['a']))).toBe(false);
  });
});

function isObject(value: JSONValue): value is { readonly [key: string]: JSONValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function everyObject(value: JSONValue): readonly object[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(everyObject)] : [];
}
