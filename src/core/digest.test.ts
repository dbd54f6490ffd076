import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from './catalog.ts';
import { definitionDigest, digestJson, requestDigest } from './digest.ts';

const entry: CatalogEntry = {
  name: 'unlock_door',
  tier: 2,
  effect: 'Unlocks a door',
  inputSchema: { type: 'object', properties: { door: { type: 'string' } } },
  description: 'Unlocks',
  version: '1',
};

const request = {
  id: 'q1',
  tool: 'unlock_door',
  tier: 2,
  effect: 'Unlocks a door',
  arguments: { door: 'front', n: 1 },
  definition: 'e'.repeat(64),
  requester: 'ada',
} as const;

describe('[G12] digests', () => {
  it('are SHA-256 over RFC 8785 JSON', () => {
    const canonical = '{"a":[1e+21,0.1,"é","\\u0000"],"b":null,"€":{"a":true}}';
    const expected = createHash('sha256').update(canonical, 'utf8').digest('hex');
    expect(digestJson({ '€': { a: true }, b: null, a: [1e21, 0.1, 'é', '\0'] })).toBe(expected);
    expect(digestJson(null)).toBe(createHash('sha256').update('null').digest('hex'));
  });

  it('are SHA-256 over exactly id, tool, tier, effect, arguments, definition and requester', () => {
    const canonical = `{"arguments":{"door":"front","n":1},"definition":"${'e'.repeat(64)}","effect":"Unlocks a door","id":"q1","requester":"ada","tier":2,"tool":"unlock_door"}`;
    expect(requestDigest(request)).toBe(createHash('sha256').update(canonical).digest('hex'));
  });

  it('do not depend on the order of keys', () => {
    expect(requestDigest({ ...request, arguments: { n: 1, door: 'front' } })).toBe(requestDigest(request));
    const inputSchema = { properties: { door: { type: 'string' } }, type: 'object' };
    expect(definitionDigest({ ...entry, inputSchema })).toBe(definitionDigest(entry));
  });

  it.each([
    ['id', { id: 'q2' }],
    ['tool', { tool: 'lock_door' }],
    ['tier', { tier: 1 }],
    ['effect', { effect: 'Unlocks a door.' }],
    ['arguments', { arguments: { door: 'front', n: '1' } }],
    ['a missing argument', { arguments: { door: 'front' } }],
    ['definition', { definition: 'd'.repeat(64) }],
    ['requester', { requester: 'bob' }],
  ] as const)('of a question change with %s', (_what, change) => {
    expect(requestDigest({ ...request, ...change })).not.toBe(requestDigest(request));
  });

  it.each<[string, Partial<CatalogEntry>]>([
    ['name', { name: 'unlock_doors' }],
    ['description', { description: 'Unlocks it' }],
    ['an empty description', { description: '' }],
    ['schema', { inputSchema: { type: 'object' } }],
    ['tier', { tier: 1 }],
    ['effect text', { effect: 'Opens a door' }],
    ['a computed effect', { effect: () => 'Unlocks a door' }],
    ['the effect text "computed"', { effect: 'computed' }],
    ['version', { version: '2' }],
    ['an empty version', { version: '' }],
  ])('of a definition change with %s', (_what, change) => {
    expect(definitionDigest({ ...entry, ...change })).not.toBe(definitionDigest(entry));
  });

  it('of a definition differ between a computed effect and the text "computed"', () => {
    expect(definitionDigest({ ...entry, effect: () => '' })).not.toBe(
      definitionDigest({ ...entry, effect: 'computed' }),
    );
  });

  it('of a definition follow an entry that is not frozen', () => {
    const mutable = { ...entry, version: '1' };
    const before = definitionDigest(mutable);
    mutable.version = '2';
    expect(definitionDigest(mutable)).not.toBe(before);
  });
});
