import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { publicEntries, root } from '../../scripts/entries.ts';

/** Imports subpaths of the built package in a process of its own, in this order, and prints what `expression` gives. */
function inUserProcess(subpaths: readonly string[], expression: string): unknown {
  const imports = subpaths.map((subpath) => `await import('${subpath.replace('.', 'strands-tau')}')`);
  const program = `const modules = [${imports.join(', ')}]; console.log(JSON.stringify(${expression}));`;
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(result.stderr).toBe('');
  return JSON.parse(result.stdout);
}

const subpaths = publicEntries.map(([subpath]) => subpath);

describe('the built entries', () => {
  test.each(subpaths)('%s loads and exports names, none of them default', (subpath) => {
    const names = inUserProcess([subpath], 'Object.keys(modules[0])');
    expect(names).not.toEqual([]);
    expect(names).not.toContain('default');
  });

  test('show one and the same thing wherever two of them export the same name', () => {
    const differing = inUserProcess(
      subpaths,
      `modules.flatMap((module, i) => modules.slice(i + 1).flatMap((other) =>
        Object.keys(module).filter((name) => name in other && other[name] !== module[name])))`,
    );
    expect(differing).toEqual([]);
  });
});
