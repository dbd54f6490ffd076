import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from './main.ts';
import { openOwnFile } from './own-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-links-'));
  mkdirSync(join(folder, '.tau/demo'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Runs a command that gets one line. */
async function tau(...argv: readonly string[]): Promise<{ out: string; err: string; code: number }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end('note: one\n');
  const code = await main(argv, { stdin, stdout, stderr, env: {}, cwd: folder });
  return { out: stdout.read()?.toString() ?? '', err: stderr.read()?.toString() ?? '', code };
}

describe('a data folder from somebody else cannot make tau write elsewhere', () => {
  test.each(['tau.log', 'demo/world.json', 'demo/world.log'])('%s as a link', async (name) => {
    writeFileSync(join(folder, 'mine'), 'mine\n');
    symlinkSync(join(folder, 'mine'), join(folder, '.tau', name));
    const { out, err, code } = await tau('chat', '--demo');
    expect({ out, code }).toEqual({ out: '', code: 1 });
    expect(err).toMatch(/^tau: .* is a symbolic link; tau does not write through it\. Remove it, .*\n$/);
    expect(err).toContain(name);
    expect(read('mine')).toBe('mine\n');
    expect(readdirSync(join(folder, '.tau'), { recursive: true }).map(String).sort()).toEqual(['demo', name].sort());
  });

  test('a link that leads nowhere makes no file there, and the doctor sees it', async () => {
    symlinkSync(join(folder, 'new'), join(folder, '.tau/tau.log'));
    expect((await tau('chat', '--demo')).code).toBe(1);
    expect(existsSync(join(folder, 'new'))).toBe(false);
    const doctor = await tau('doctor', '--demo');
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain('is a symbolic link');
  });

  test('a log that the configuration names may be a link', async () => {
    writeFileSync(join(folder, 'tau.toml'), '[log]\nfile = "my.log"');
    writeFileSync(join(folder, 'real.log'), '');
    symlinkSync(join(folder, 'real.log'), join(folder, 'my.log'));
    expect((await tau('chat', '--demo')).code).toBe(0);
    expect(read('real.log')).toContain('add_note');
  });
});

test('a file of its own is not opened through a link that came later', () => {
  symlinkSync(join(folder, 'new'), join(folder, 'file'));
  for (const how of ['append', 'create', 'read'] as const) {
    expect(() => openOwnFile(join(folder, 'file'), how)).toThrow('ELOOP');
  }
  expect(existsSync(join(folder, 'new'))).toBe(false);
});
