import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { verifyLog } from 'strands-tau';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decision, question } from '../../src/testing/store-contract/sample.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryFile } from './support/folder.ts';

/** Runs SQL on the file of a store, as somebody with an editor would. */
function edit(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

async function storeWith(path: string, ids: readonly string[]): Promise<void> {
  const store = SqliteStore.open(path);
  for (const id of ids) await store.create(question(id));
  await store.end();
}

describe('[P1] a file that cannot be used', () => {
  it('is named, with what to do: garbage, another database, a directory, a newer version, a link', async () => {
    const path = temporaryFile();
    writeFileSync(path, 'this is a shopping list, not a database. '.repeat(100));
    expect(() => SqliteStore.open(path)).toThrow(
      expect.objectContaining({ code: 'store_corrupt', message: expect.stringContaining('Put a backup in its place') }),
    );
    const foreign = temporaryFile();
    edit(foreign, 'CREATE TABLE bookmarks (url TEXT)');
    expect(() => SqliteStore.open(foreign)).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
    expect(() => SqliteStore.open(dirname(foreign))).toThrow(expect.objectContaining({ code: 'store_readonly' }));
    const newer = temporaryFile();
    await storeWith(newer, []);
    edit(newer, 'PRAGMA user_version = 1000');
    expect(() => SqliteStore.open(newer)).toThrow(
      expect.objectContaining({ code: 'store_newer', message: expect.stringContaining('Use a newer tau') }),
    );
    const link = join(dirname(newer), 'link.db');
    symlinkSync(newer, link);
    expect(() => SqliteStore.open(link)).toThrow(expect.objectContaining({ code: 'store_link' }));
    symlinkSync(join(dirname(newer), 'nowhere.db'), join(dirname(newer), 'dangling.db'));
    expect(() => SqliteStore.open(join(dirname(newer), 'dangling.db'))).toThrow(
      expect.objectContaining({ code: 'store_link' }),
    );
  });

  it('a truncated file says that it is damaged, whatever is left of it', async () => {
    const whole = temporaryFile();
    await storeWith(
      whole,
      Array.from({ length: 50 }, (_, n) => `q${n}`),
    );
    const size = statSync(whole).size;
    for (const left of [50, 4096, size / 2, size - 4096]) {
      const path = temporaryFile();
      writeFileSync(path, readFileSync(whole));
      truncateSync(path, left);
      const use = async (): Promise<unknown> => {
        const store = SqliteStore.open(path);
        try {
          for (let n = 0; n < 50; n++) await store.get(`q${n}`);
          await store.create(question('new'));
          return await store.list({ limit: 1000 });
        } finally {
          await store.end();
        }
      };
      await expect(use(), `${left} of ${size} bytes`).rejects.toMatchObject({ code: 'store_corrupt' });
    }
  });

  it('a row that cannot be read does not hide from who watches what else changed', async () => {
    const path = temporaryFile();
    const [here, there] = [SqliteStore.open(path), SqliteStore.open(path)];
    const heard: string[] = [];
    here.watch((id) => heard.push(id));
    await there.create(question('bad'));
    edit(path, "UPDATE approvals SET record = 'x'");
    await there.create(question('good'));
    await expect.poll(() => heard).toContain('good');
    await there.create(question('later'));
    await expect.poll(() => heard).toContain('later');
    await expect(here.get('bad')).rejects.toMatchObject({ code: 'store_corrupt' });
    await Promise.all([here.end(), there.end()]);
  });

  it('a row that was edited into something else is damaged, not half believed', async () => {
    for (const sql of [
      "UPDATE approvals SET record = 'x'",
      'UPDATE approvals SET record = replace(record, \'"tier":2\', \'"tier":3\')',
      'UPDATE approvals SET record = replace(record, \'"deliveries"\', \'"deliverie"\')',
      "UPDATE approvals SET record = json_set(record, '$.extra', 1)",
      "UPDATE approvals SET record = json_remove(record, '$.createdAt')",
      "UPDATE approvals SET status = 'approved'",
      'UPDATE approvals SET record = replace(record, \'"one"\', \'"two"\')',
    ]) {
      const path = temporaryFile();
      await storeWith(path, ['one']);
      edit(path, sql);
      const store = SqliteStore.open(path);
      await expect(store.get('one'), sql).rejects.toMatchObject({ code: 'store_corrupt' });
      await expect(store.decide('one', decision('approved')), sql).rejects.toMatchObject({ code: 'store_corrupt' });
      await expect(store.list(), sql).rejects.toMatchObject({ code: 'store_corrupt' });
      await store.end();
    }
  });

  it('one that this user may not write says so', async () => {
    const path = temporaryFile();
    await storeWith(path, ['one']);
    const becomeNobody = process.getuid?.() === 0;
    chmodSync(dirname(path), 0o755);
    chmodSync(path, 0o444);
    if (becomeNobody) process.seteuid?.(65534);
    try {
      expect(() => SqliteStore.open(path)).toThrow(
        expect.objectContaining({ code: 'store_readonly', message: expect.stringContaining('write access') }),
      );
    } finally {
      if (becomeNobody) process.seteuid?.(0);
    }
  });
});

describe('[P1, P2] a step that the file does not take', () => {
  it('is refused when another process holds the file for longer than the store waits, and changes nothing', async () => {
    const path = temporaryFile();
    await storeWith(path, ['one']);
    const program = `
      const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
      database.exec('BEGIN IMMEDIATE');
      console.log('locked');
      process.stdin.once('data', () => { database.exec('ROLLBACK'); console.log('free'); });`;
    const holder = spawn(process.execPath, ['--eval', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    const store = SqliteStore.open(path, { lockTimeoutMs: 300 });
    const started = performance.now();
    await expect(store.decide('one', decision('approved'))).rejects.toMatchObject({
      code: 'store_locked',
      message: expect.stringContaining('Try again'),
    });
    expect(performance.now() - started).toBeGreaterThan(250);
    await expect(store.ready()).rejects.toMatchObject({ code: 'store_locked' });
    expect((await store.get('one'))?.status).toBe('pending');
    const patient = SqliteStore.open(path, { lockTimeoutMs: 10_000 });
    const waiting = patient.decide('one', decision('approved'));
    setTimeout(() => holder.stdin.end('go\n'), 200);
    expect(await waiting).toMatchObject({ ok: true, record: { status: 'approved' } });
    await Promise.all([store.end(), patient.end()]);
  });

  it('is refused when the disk is full, and the store goes on once there is room', async ({ skip }) => {
    const disk = smallDisk();
    if (disk === undefined) return skip('a small file system cannot be mounted by this user');
    const store = SqliteStore.open(join(disk.path, 'tau.db'));
    onTestFinished(() => store.end());
    await store.create(question('one'));
    const [before, head] = [await store.get('one'), await store.audit.head()];
    const big = { ...decision('approved'), reason: 'x'.repeat(300_000) };
    disk.fill();
    const results = await Promise.allSettled([
      store.decide('one', big),
      store.decide('one', { ...big, decision: 'rejected' }),
    ]);
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'store_full', message: expect.stringContaining('Free some disk space') },
      });
    }
    expect([await store.get('one'), await store.audit.head()]).toEqual([before, head]);
    disk.free();
    expect(await store.decide('one', big)).toMatchObject({ ok: true, record: { status: 'approved' } });
    expect(await verifyLog(store.audit)).toMatchObject({ ok: true, rows: 2 });
  });

  it('after the end rejects, and ending twice does nothing', async () => {
    const store = SqliteStore.open(temporaryFile());
    const last = store.create(question('one'));
    await store.end();
    await store.end();
    await last;
    await expect(store.get('one')).rejects.toMatchObject({ code: 'store_closed' });
    await expect(store.create(question('two'))).rejects.toMatchObject({ code: 'store_closed' });
    await expect(store.ready()).rejects.toMatchObject({ code: 'store_closed' });
  });
});
