import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lineFile } from '../../src/cli/log-file.ts';
import { CliFolder, runCli } from '../e2e/cli-fixtures/run-cli.ts';
import { smallDisk } from '../support/small-disk.ts';
import { runInput } from './support/hub.ts';
import { ServeCli } from './support/serve-cli.ts';

const TOKEN = 'a-token-for-a-full-disk';
const NO_DISK = 'a small file system cannot be mounted by this user';

describe('[P1, P18] a full disk', () => {
  test('is told to every request, does not end the hub, and is over once there is room', async ({ skip }) => {
    const disk = smallDisk(8);
    if (disk === undefined) return skip(NO_DISK);
    using folder = new CliFolder();
    const env = { TAU_TOKEN: TOKEN, TAU_DATA: disk.path };
    await using serve = new ServeCli(folder, ['--demo'], env);
    const { origin } = new URL(await serve.link());
    const send = async (path: string, body?: unknown): Promise<readonly [number, string, string | null]> => {
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`${origin}${path}`, init);
      return [response.status, await response.text(), response.headers.get('retry-after')];
    };
    await send('/agent', runInput({ messages: [{ id: 'm', role: 'user', content: 'unlock the front door' }] }));
    const [, list] = await send('/api/approvals');
    const [{ id, digest }] = JSON.parse(list).approvals;
    const decision = { decision: 'rejected', digest };

    disk.fill();
    const full = {
      error: {
        code: 'store_full',
        message: "No room is left for the hub's store; nothing was changed. Free some disk space, then try again.",
      },
    };
    expect(await send(`/api/approvals/${id}/decision`, decision)).toEqual([503, JSON.stringify(full), '30']);
    expect((await send('/ready'))[0]).toBe(503);
    expect((await send('/ping'))[0]).toBe(200);
    const typed = await runCli(folder, ['approvals', 'reject', id, '--digest', digest], '', env);
    expect([typed.code, typed.err]).toEqual([1, expect.stringContaining('Free some disk space')]);
    expect(serve.err.match(/cannot be written, lines are lost: ENOSPC/g)).toHaveLength(1);

    disk.free();
    expect((await send('/ready'))[0]).toBe(200);
    expect((await send(`/api/approvals/${id}/decision`, decision))[0]).toBe(200);
    expect(await serve.stop()).toBe(0);
  }, 60_000);

  test('makes a store that is asked say that it is not ready', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip(NO_DISK);
    const store = SqliteStore.open(join(disk.path, 'tau.db'));
    onTestFinished(() => store.end());
    await store.ready();
    disk.fill();
    await expect(Promise.all([store.ready(), store.ready()])).rejects.toMatchObject({ code: 'store_full' });
    disk.free();
    expect(await store.ready()).toBeUndefined();
  });

  test('tears no line of a log but the one that it happened in, and is told once each time', ({ skip }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip(NO_DISK);
    const path = join(disk.path, 'tau.log');
    const descriptor = openSync(path, 'a');
    onTestFinished(() => closeSync(descriptor));
    const told: string[] = [];
    const file = lineFile(descriptor, (problem) => {
      told.push(String(problem));
      throw problem;
    });
    file.write('begin\n');
    disk.fill();
    const long = `${'x'.repeat(10_000)}\n`;
    for (const line of [long, long]) file.write(line);
    disk.free();
    file.write('there is room\n');
    disk.fill();
    file.write(long);
    expect(told).toEqual([expect.stringContaining('ENOSPC'), expect.stringContaining('ENOSPC')]);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines.filter((line) => /[a-w]/.test(line))).toEqual(['begin', 'there is room']);
  });
});
