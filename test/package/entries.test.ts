import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { publicEntries, root } from '../../scripts/entries.ts';

interface Loaded {
  /** What each subpath exports. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Names that two subpaths export with different values. */
  readonly differing: readonly string[];
}

/** Imports every subpath of the built package in a process of its own, as a user's program would. */
function loadAll(): Loaded {
  const program = `
    const modules = {};
    for (const subpath of ${JSON.stringify(publicEntries.map(([subpath]) => subpath))})
      modules[subpath] = await import(subpath.replace('.', 'strands-tau'));
    const all = Object.values(modules);
    const names = Object.fromEntries(Object.entries(modules).map(([subpath, each]) => [subpath, Object.keys(each)]));
    const differing = all.flatMap((each, i) =>
      all.slice(i + 1).flatMap((other) => Object.keys(each).filter((name) => name in other && other[name] !== each[name])),
    );
    console.log(JSON.stringify({ names, differing }));`;
  const options = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, options, { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('the built entries', () => {
  let loaded: Loaded;
  beforeAll(() => {
    loaded = loadAll();
  });

  test.each(publicEntries.map(([subpath]) => subpath))('%s exports names, none of them default', (subpath) => {
    expect(loaded.names[subpath]).not.toEqual([]);
    expect(loaded.names[subpath]).not.toContain('default');
  });

  test('show one and the same thing wherever two of them export the same name', () => {
    expect(loaded.differing).toEqual([]);
  });
});
