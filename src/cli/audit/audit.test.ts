import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SqliteStore } from '../../stores/sqlite/index.ts';
import { decision, NOW, question } from '../../testing/store-contract/sample.ts';
import { main } from '../main.ts';

let folder = '';
const file = (): string => join(folder, '.tau', 'tau.db');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function tau(...argv: readonly string[]): Promise<{ out: string; err: string; code: number }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  let out = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  const code = await main(argv, { stdin, stdout, stderr, env: {}, cwd: folder });
  await new Promise((resolve) => setImmediate(resolve));
  return { out, err: String(stderr.read() ?? ''), code };
}

async function fill(count: number): Promise<void> {
  await using store = SqliteStore.open(file());
  const made = Array.from({ length: count }, (_, n) => question(`q${n}`, { createdAt: NOW + n, updatedAt: NOW + n }));
  await Promise.all(made.map((record) => store.create(record)));
  await store.decide('q0', { ...decision('rejected'), reason: 'no\u001b[31m\u009b31m\u202e\u200b' });
}

function edit(sql: string): void {
  const database = new DatabaseSync(file());
  database.exec(sql);
  database.close();
}

describe('[P5] tau audit', () => {
  test('verify says that the chain is whole, or where it is not; 0 and 1', async () => {
    await fill(5);
    const head = JSON.parse((await tau('audit', 'head', '--json')).out);
    expect(head).toEqual({ seq: 6, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await tau('audit', 'head')).toEqual({ out: `6 ${head.hash}\n`, err: '', code: 0 });
    expect(await tau('audit', 'verify')).toEqual({
      out: `The audit is whole. Rows: 6, head: 6 ${head.hash}\n`,
      err: '',
      code: 0,
    });
    expect(await tau('audit', 'verify', '--head', head.hash, '--language', 'tr')).toMatchObject({ code: 0 });
    const json = await tau('audit', 'verify', '--json');
    expect([JSON.parse(json.out), json.code]).toEqual([{ ok: true, rows: 6, head }, 0]);
    edit('DELETE FROM audit WHERE seq = 6');
    expect(await tau('audit', 'verify')).toMatchObject({ code: 0 });
    expect(await tau('audit', 'verify', '--head', head.hash)).toMatchObject({
      out: expect.stringContaining('ends at row 5'),
      code: 1,
    });
    edit("UPDATE audit SET event = replace(event, 'unlock', 'lock') WHERE seq = 3");
    expect(await tau('audit', 'verify')).toEqual({ out: 'Row 3 was edited.\n', err: '', code: 1 });
    const broken = await tau('audit', 'verify', '--json');
    expect([JSON.parse(broken.out), broken.code]).toEqual([{ ok: false, seq: 3, problem: 'edited' }, 1]);
  });

  test('export writes every row as a line of JSON', async () => {
    await fill(1500);
    const { out, code } = await tau('audit', 'export');
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([rows.length, code]).toEqual([1501, 0]);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    expect(Object.keys(rows[0])).toEqual(['seq', 'at', 'event', 'prev', 'hash']);
  });

  test('tail shows the last rows, with nothing in them that could act on the terminal', async () => {
    await fill(30);
    const { out, code } = await tau('audit', 'tail');
    const lines = out.trimEnd().split('\n');
    expect([lines.length, code]).toEqual([20, 0]);
    expect(lines.at(-1)).toMatch(/^ +31 {2}2026-01-01T00:00:01\.000Z {2}approval_decided {2}unlock_door {2}by=ada /);
    // Whoever asked is not whoever did it.
    expect(lines[0]).toMatch(/ approval_created {2}unlock_door {2}requester=/);
    expect(out).not.toContain('\u001b');
    const json = (await tau('audit', 'tail', '--json')).out.trimEnd().split('\n');
    const reason = 'no\u001b[31m\u009b31m\u202e\u200b';
    expect(JSON.parse(json.at(-1) ?? '')).toMatchObject({ seq: 31, event: { decision: 'rejected', reason } });
    const exported = (await tau('audit', 'export')).out.trimEnd().split('\n');
    expect(JSON.parse(exported.at(-1) ?? '')).toMatchObject({ event: { reason } });
    for (const text of [...lines, ...json, ...exported]) expect(text).not.toMatch(/[\p{Cc}\u202e\u200b]/u);
  });

  test('tail puts in quotes what somebody wrote, so that it looks like no field', async () => {
    await fill(1);
    {
      await using store = SqliteStore.open(file());
      await store.create(question('q', { createdAt: NOW }));
      await store.close('q', 'cancelled', NOW, 'no  by=ada  decision=approved', { id: 'bob  by=ada', kind: 'person' });
    }
    const line = (await tau('audit', 'tail')).out.trimEnd().split('\n').at(-1);
    expect(line).toMatch(
      / approval_closed {2}unlock_door {2}by="bob {2}by=ada" {2}status=cancelled {2}because="no {2}by=ada {2}decision=approved"$/,
    );
  });

  test('a row whose time is no number is named, and shown', async () => {
    await fill(3);
    edit('UPDATE audit SET at = 9e999 WHERE seq = 2');
    expect(await tau('audit', 'verify')).toEqual({ out: 'Row 2 was edited.\n', err: '', code: 1 });
    expect(await tau('audit', 'tail')).toMatchObject({ out: expect.stringContaining('2  Infinity  '), code: 0 });
  });

  test('what is typed wrong ends with 2, and makes nothing', async () => {
    expect(await tau('audit', 'verfy')).toMatchObject({
      err: expect.stringContaining("There is no 'tau audit verfy'. Did you mean 'verify'? Available: verify, export"),
      code: 2,
    });
    expect(await tau('audit', 'constructor')).toMatchObject({ code: 2 });
    expect(await tau('audit')).toMatchObject({ code: 2 });
    await fill(1);
    expect(await tau('audit', 'verify', '--head', 'abc')).toMatchObject({ code: 2 });
  });

  test('where there is no store it says so, makes none, and follows no link', async () => {
    for (const argv of [
      ['audit', 'verify'],
      ['prune', '--older-than', '30d'],
    ]) {
      expect(await tau(...argv)).toMatchObject({ err: expect.stringContaining('There is no store'), code: 1 });
    }
    expect(existsSync(file())).toBe(false);
    await fill(1);
    const other = join(folder, 'other');
    mkdirSync(other);
    symlinkSync(file(), join(other, 'tau.db'));
    expect(await tau('audit', 'head', '--data', 'other')).toMatchObject({
      err: expect.stringContaining('is a symbolic link'),
      code: 1,
    });
  });
});

describe('[P5] tau prune', () => {
  test('removes what is settled and old, and the audit stays whole', async () => {
    await fill(3);
    expect(await tau('prune', '--older-than', '1d', '--language', 'en')).toEqual({
      out: 'Removed approvals: 1, audit rows: 4, sessions: 0, conversations: 0, expired documents: 0.\n',
      err: '',
      code: 0,
    });
    expect(await tau('audit', 'verify')).toMatchObject({ out: expect.stringContaining('Rows: 1,'), code: 0 });
    await using store = SqliteStore.open(file());
    expect((await store.list()).records.map(({ id }) => id)).toEqual(['q1', 'q2']);
  });

  test('keeps the audit for longer when told, and answers in JSON', async () => {
    await fill(3);
    const { out, code } = await tau('prune', '--older-than', '24h', '--keep-audit', '99999d', '--sessions', '--json');
    expect([JSON.parse(out), code]).toEqual([
      { approvals: 1, auditRows: 0, sessions: 0, documents: 0, conversations: 0 },
      0,
    ]);
  });

  test.each([
    [[], 'tau prune --older-than 30d'],
    [['--older-than', '30'], 'such as 30d'],
    [['--older-than', '0d'], 'such as 30d'],
    [['--older-than', '30d', '--keep-audit', 'forever'], '--keep-audit is'],
  ])('%j is typed wrong', async (argv, hint) => {
    await fill(1);
    expect(await tau('prune', ...argv)).toMatchObject({ err: expect.stringContaining(hint), code: 2 });
  });
});
