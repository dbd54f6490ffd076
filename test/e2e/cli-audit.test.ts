import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { expect, test } from 'vitest';
import { NOW, question } from '../../src/testing/store-contract/sample.ts';
import { eventually } from '../../src/testing/store-contract/suite.ts';
import { CLI, CliFolder, cliEnv, runCli } from './cli-fixtures/run-cli.ts';

test('[P5] tail --follow shows rows that other processes append, until Ctrl-C', async () => {
  using folder = new CliFolder();
  await using store = SqliteStore.open(join(folder.path, '.tau', 'tau.db'));
  await store.create(question('first'));
  const child = spawn(process.execPath, [CLI, 'audit', 'tail', '--follow'], { cwd: folder.path, env: cliEnv() });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  await eventually(() => out.includes('approval_created'), 'the first row');
  await store.close('first', 'cancelled', NOW, 'withdrawn');
  await eventually(() => out.includes('because=withdrawn'), 'the new row');
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  expect(out.trimEnd().split('\n')).toHaveLength(2);
});

test('[P5] an export of many rows through a pipe is complete and verifies', async () => {
  using folder = new CliFolder();
  await using store = SqliteStore.open(join(folder.path, '.tau', 'tau.db'));
  await Promise.all(Array.from({ length: 3000 }, (_, n) => store.create(question(`q${n}`))));
  const { out, err, code } = await runCli(folder, ['audit', 'export']);
  expect([out.trimEnd().split('\n').length, err, code]).toEqual([3000, '', 0]);
  expect(await runCli(folder, ['audit', 'verify'])).toMatchObject({ err: '', code: 0 });
});
