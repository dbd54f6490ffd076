import { describe, expect, test } from 'vitest';
import { pack, unwanted } from '../../scripts/pack.ts';

describe('the packed package', () => {
  test('holds the build, the binary and the documents, no sources, tests or source maps', () => {
    const { files } = pack();
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'LICENSE', 'CHANGELOG.md', 'bin/tau.mjs', 'dist/index.js']),
    );
    expect(unwanted(files)).toEqual([]);
  });

  test('would be refused with a source, a test, a source map or a leftover in it', () => {
    const bad = ['src/index.ts', 'dist/gate.test.js', 'dist/index.js.map', 'test/setup.ts', 'dist/.built', '.env'];
    bad.push('examples/copilotkit-page/node_modules/x/index.js', 'examples/copilotkit-page/package-lock.json');
    expect(unwanted([...bad, 'dist/index.js', 'dist/index.d.ts'])).toEqual(bad);
  });
});
