import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OwnAddresses } from '../../hub/auth/origin.ts';
import { speak } from '../messages.ts';
import { loadConfig } from './load.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SECRET = 'sk-SECRET-0123456789';
const MODEL = '[model]\nprovider = "openai"\nmodel_id = "x"\n';

function problem(toml?: string): string {
  if (toml !== undefined) writeFileSync(join(folder, 'tau.toml'), toml);
  try {
    loadConfig(folder, undefined, speak('en'));
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('[P18] a wrong value that may hold a secret', () => {
  test.each([
    [`[model]\nprovider = "${SECRET}"`, 'tau.toml:2: [model] provider is "…"; give'],
    [`[model]\nprovider = ["${SECRET}"]`, 'tau.toml:2: [model] provider is "…"; give'],
    ['[model]\nprovider = "opanai"', 'tau.toml:2: [model] provider is "opanai"; give'],
    [`${MODEL}base_url = "http://u:${SECRET}@h ost"`, 'tau.toml:4: [model] base_url is "…"; give'],
    [`${MODEL}base_url = "http://${SECRET}@host/v1"`, 'tau.toml:4: [model] base_url holds a user name or a password'],
    [`${MODEL}base_url = "host?key=${SECRET}"`, 'tau.toml:4: [model] base_url is "host?…"; give'],
    [
      `[serve]\npublic_url = "https://u:${SECRET}@host"`,
      'tau.toml:2: [serve] public_url holds a user name or a password',
    ],
    [`[serve]\npublic_url = "https://h/x?t=${SECRET}"`, 'tau.toml:2: [serve] public_url is "https://h/x?…"; give'],
    [`[serve]\npublic_url = "ftp://u:${SECRET}@h"`, 'tau.toml:2: [serve] public_url is "…"; give'],
    [`[serve]\nhosts = ["http://u:${SECRET}@h"]`, 'tau.toml:2: [serve] hosts is "…"; give'],
    [`[serve]\nport = "u:${SECRET}@h"`, 'tau.toml:2: [serve] port is "…"; give'],
  ])('is not repeated: %s', (toml, message) => {
    const told = problem(toml);
    expect(told).toContain(message);
    expect(told).not.toContain(SECRET);
  });

  test('is not repeated by a hub in a program either', () => {
    for (const publicUrl of [`https://u:${SECRET}@host`, `ftp://u:${SECRET}@h`, `https://u:${SECRET}@h ost`]) {
      const make = (): OwnAddresses => new OwnAddresses({ publicUrl });
      expect(make).toThrow(/The public URL/);
      expect(make).not.toThrow(SECRET);
    }
  });
});

test.skipIf(process.platform === 'win32')(
  '[P18] a configuration that is no regular file (a pipe) is not waited for',
  () => {
    spawnSync('mkfifo', [join(folder, 'tau.toml')]);
    expect(problem()).toContain('tau.toml cannot be read: it is no regular file');
  },
);
