import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../main.ts';
import { packageFolder, packageVersion } from '../version.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What `tau init` prints. */
async function init(...argv: readonly string[]): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  expect(await main(['init', ...argv], { stdin, stdout, stderr, env: {}, cwd: folder })).toBe(0);
  return stdout.read()?.toString() ?? '';
}

describe('init', () => {
  test('says how the package gets there when it is not found from there, and never by the registry', async () => {
    const lines = (await init()).split('\n');
    expect(lines.slice(2)).toEqual([
      expect.stringContaining('no registry has it yet'),
      `  npm pack --ignore-scripts ${JSON.stringify(packageFolder())}`,
      `  npm install ./strands-tau-${packageVersion()}.tgz @strands-agents/sdk zod`,
      '  npm pkg set type=module',
      expect.stringMatching(/^Next: tau chat/),
      '',
    ]);
    const known = join(folder, 'known');
    mkdirSync(join(known, 'node_modules/strands-tau'), { recursive: true });
    writeFileSync(join(known, 'node_modules/strands-tau/package.json'), '{}');
    expect(await init('known')).toMatch(/tools\.ts\.\nNext: cd known && tau chat.*\n$/);
  });

  test.each([
    ['{ "type": "module" }', 'tools.ts'],
    ['{ "type": "commonjs" }', 'tools.mts'],
    ['{}', 'tools.mts'],
  ])('beside a package.json %s it writes %s', async (manifest, name) => {
    writeFileSync(join(folder, 'package.json'), manifest);
    expect(await init()).toContain(`Wrote ${name}.`);
    expect(readFileSync(join(folder, 'tau.toml'), 'utf8')).toContain(`modules = ["./${name}"]`);
  });
});
