import { describe, expect, it } from 'vitest';
import { type CatalogEntry, ToolCatalog } from './catalog.ts';
import { definitionDigest } from './digest.ts';
import { ConfigError } from './errors.ts';

const entry: CatalogEntry = { name: 'unlock_door', tier: 2, effect: 'Unlocks', inputSchema: { type: 'object' } };

/** An entry with anything in it, as plain JavaScript could register it. */
function odd(fields: Record<string, unknown>): CatalogEntry {
  return { ...entry, ...fields };
}

describe('[G1] registration', () => {
  it.each([[true], [false], ['2'], [-1], [3], [0.5], [Number.NaN], [undefined], [null], [2n], [Object(1)], [[1]]])(
    'refuses tier %s',
    (tier) => {
      const catalog = new ToolCatalog();
      expect(() => catalog.register(odd({ tier }))).toThrow(ConfigError);
      expect(catalog.list()).toEqual([]);
    },
  );

  it.each([
    [''],
    ['a b'],
    ['a.b'],
    ['ünlock'],
    ['unlock\n'],
    ['a'.repeat(65)],
    ['unlock_door\u200b'],
    ['аdd'],
    ['a/b'],
  ])('refuses the name %j', (name) => {
    const catalog = new ToolCatalog();
    expect(() => catalog.register(odd({ name }))).toThrow(ConfigError);
    expect(catalog.list()).toEqual([]);
  });

  it.each([[undefined], [null], [7], [['unlock_door']], [{ toString: () => 'unlock_door' }]])(
    'refuses a name that is no string: %s',
    (name) => {
      expect(() => new ToolCatalog().register(odd({ name }))).toThrow(ConfigError);
    },
  );

  it('takes names of 1 to 64 characters', () => {
    const catalog = new ToolCatalog();
    catalog.extend(['a', 'Z-9_', 'x'.repeat(64)].map((name) => odd({ name })));
    expect(catalog.list().map(({ name }) => name)).toEqual(['a', 'Z-9_', 'x'.repeat(64)]);
  });

  it.each([[undefined], [null], [7], [{}]])('refuses effect %s', (effect) => {
    expect(() => new ToolCatalog().register(odd({ effect }))).toThrow(ConfigError);
  });

  it('refuses an input schema that is not plain JSON', () => {
    expect(() => new ToolCatalog().register(odd({ inputSchema: { default: () => 1 } }))).toThrow(ConfigError);
  });

  it('keeps a frozen copy, so that nobody lowers a tier later', () => {
    const schema = { type: 'object', properties: {} };
    const mine = { name: 'unlock_door', tier: 2 as 0 | 2, effect: 'Unlocks', inputSchema: schema };
    const catalog = new ToolCatalog();
    catalog.register(mine);
    mine.tier = 0;
    schema.type = 'string';
    const kept = catalog.get('unlock_door');
    expect(kept).toEqual({ ...entry, inputSchema: { type: 'object', properties: {} } });
    expect(Object.isFrozen(kept)).toBe(true);
    expect(Object.isFrozen(kept?.inputSchema)).toBe(true);
  });

  it('reads each field of an entry once', () => {
    let reads = 0;
    const shifty = {
      ...entry,
      get tier(): 0 | 2 {
        return reads++ === 0 ? 2 : 0;
      },
    };
    const catalog = new ToolCatalog();
    catalog.register(shifty);
    expect(catalog.get('unlock_door')?.tier).toBe(2);
  });
});

describe('[G2] identity', () => {
  it.each([['unlock_door'], ['Unlock_Door'], ['unlock-door'], ['UNLOCK-DOOR']])(
    'refuses %s beside unlock_door',
    (name) => {
      const catalog = new ToolCatalog();
      catalog.register(entry);
      expect(() => catalog.register(odd({ name, tier: 0 }))).toThrow(ConfigError);
      expect(catalog.list()).toEqual([entry]);
    },
  );

  it.each([
    ['__proto__'],
    ['constructor'],
    ['toString'],
    ['valueOf'],
    ['hasOwnProperty'],
    ['HASOWNPROPERTY'],
    ['isPrototypeOf'],
    ['propertyIsEnumerable'],
    ['toLocaleString'],
    ['__defineGetter__'],
    ['__lookupSetter__'],
    ['--PROTO--'],
    ['TOSTRING'],
    ['Constructor'],
  ])('refuses %s, a property of every object', (name) => {
    const catalog = new ToolCatalog();
    expect(() => catalog.register(odd({ name }))).toThrow(ConfigError);
    expect(catalog.get(name)).toBeUndefined();
  });

  it.each([['__proto__'], ['constructor'], ['toString'], ['hasOwnProperty'], ['Unlock_Door'], ['unlock-door'], ['']])(
    'knows no tool %j when only unlock_door is registered',
    (name) => {
      const catalog = new ToolCatalog();
      catalog.register(entry);
      expect(catalog.get(name)).toBeUndefined();
    },
  );

  it('registers all or none: a bad one at the end leaves nothing behind', () => {
    const catalog = new ToolCatalog();
    expect(() => catalog.extend([odd({ name: 'one' }), odd({ name: 'two', tier: 7 })])).toThrow(ConfigError);
    expect(() => catalog.extend([odd({ name: 'one' }), odd({ name: 'ONE' })])).toThrow(ConfigError);
    expect(catalog.list()).toEqual([]);
    catalog.extend([odd({ name: 'one' }), odd({ name: 'two' })]);
    expect(catalog.list().map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('registers none when the iterable itself fails', () => {
    const catalog = new ToolCatalog();
    function* broken(): Generator<CatalogEntry> {
      yield entry;
      throw new Error('no more');
    }
    expect(() => catalog.extend(broken())).toThrow('no more');
    expect(catalog.list()).toEqual([]);
  });

  it('says which tool is taken', () => {
    const catalog = new ToolCatalog();
    catalog.register(entry);
    expect(() => catalog.register(odd({ name: 'Unlock-Door' }))).toThrow(
      "Tool 'Unlock-Door' and tool 'unlock_door' differ only in case or '-'/'_'; a person could not tell them apart",
    );
    expect(() => catalog.register(entry)).toThrow("Tool 'unlock_door' is registered twice");
  });
});

describe('a tool that was withdrawn', () => {
  const server = odd({ source: 'server a' });

  it('[G12, S18] is another one when it comes back, so that no approval of it holds', () => {
    const catalog = new ToolCatalog();
    const digests = [1, 2, 3].map(() => {
      catalog.register(server);
      const registered = catalog.get('unlock_door');
      catalog.withdraw('unlock_door');
      return registered === undefined ? '' : definitionDigest(registered);
    });
    expect(new Set(digests).size).toBe(3);
    expect(digests[0]).toBe(definitionDigest(server));
  });

  it('[G12] counts by itself, whatever an entry says of that', () => {
    const catalog = new ToolCatalog();
    catalog.register(odd({ generation: 7 }));
    expect(catalog.get('unlock_door')).toEqual(entry);
  });

  it.each([['unlock_door'], ['Unlock-Door']])('[G2, G3] leaves its name to who brought it: %s', (name) => {
    const catalog = new ToolCatalog();
    catalog.register(server);
    catalog.withdraw('unlock_door');
    for (const source of [undefined, 'server b']) {
      expect(() => catalog.register(odd({ name, source }))).toThrow(/was somebody else's before it was withdrawn/);
    }
    expect(['server a', 'server b', undefined].map((source) => catalog.belongsTo(name, source))).toEqual([
      true,
      false,
      false,
    ]);
    catalog.register(odd({ name, source: 'server a' }));
    expect(catalog.list()).toHaveLength(1);
  });

  it('[G12] of another source is another definition; one of the application has the digest it always had', () => {
    const digests = [odd({}), server, odd({ source: 'server b' })].map((one) => definitionDigest(one));
    expect(new Set(digests).size).toBe(3);
    expect(digests[0]).toBe(definitionDigest(entry));
  });
});
