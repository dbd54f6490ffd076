import { copyFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decision, NOW, question } from '../../src/testing/store-contract/sample.ts';
import { temporaryFile } from './support/folder.ts';

const REPLACED = { code: 'store_replaced', message: expect.stringContaining('removed or replaced') };

async function opened(): Promise<{ readonly store: SqliteStore; readonly path: string }> {
  const path = temporaryFile();
  const store = SqliteStore.open(path);
  onTestFinished(() => store.end());
  await store.create(question('one'));
  return { store, path };
}

/** Each kind of what a store does. */
function everything(store: SqliteStore): readonly Promise<unknown>[] {
  return [
    store.ready(),
    store.get('one'),
    store.list(),
    store.create(question('two')),
    store.decide('one', decision('approved')),
    store.parked('c'),
    store.unpark('c'),
    store.audit.head(),
    store.audit.rows(),
    store.audit.append({ type: 'x' }, NOW),
    store.values.list('kind', NOW),
    store.values.put('kind', { id: 'a', value: 1 }),
    store.prune({ at: NOW }),
  ];
}

async function expectRefusal(store: SqliteStore): Promise<void> {
  const results = await Promise.allSettled(everything(store));
  for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: REPLACED });
}

describe('[P1] a file that loses its place while the store is open', () => {
  it.each([
    ['is removed', (path: string) => rmSync(path)],
    ['is moved away', (path: string) => renameSync(path, `${path}.old`)],
    [
      'is replaced by another',
      (path: string) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
    [
      'becomes a link to itself',
      (path: string) => {
        renameSync(path, `${path}.old`);
        symlinkSync(`${path}.old`, path);
      },
    ],
  ])('%s: everything rejects', async (_how, change) => {
    const { store, path } = await opened();
    change(path);
    await expectRefusal(store);
  });

  it.each(['-wal', '-shm'])(
    'loses %s, which is a part of it: everything rejects, for others would not see it',
    async (end) => {
      const { store, path } = await opened();
      rmSync(path + end);
      await expectRefusal(store);
      await expect(store.get('one')).rejects.toThrow(`${path}${end}, which is a part of the store`);
    },
  );

  it('finds another file in the place of its -wal, as another process makes one: everything rejects', async () => {
    const { store, path } = await opened();
    renameSync(`${path}-wal`, `${path}-wal.old`);
    writeFileSync(`${path}-wal`, '');
    await expectRefusal(store);
  });

  it('saves at its end what a lost -wal held', async () => {
    const { store, path } = await opened();
    for (const end of ['-wal', '-shm']) rmSync(path + end);
    await expect(store.decide('one', decision('approved'))).rejects.toMatchObject(REPLACED);
    await store.end();
    const again = SqliteStore.open(path);
    onTestFinished(() => again.end());
    expect((await again.get('one'))?.status).toBe('pending');
  });

  it('goes on when another process ends, or writes everything into the one file', async () => {
    const { store, path } = await opened();
    const other = SqliteStore.open(path);
    await other.decide('one', decision('approved'));
    await other.end();
    const editor = new DatabaseSync(path);
    editor.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM');
    editor.close();
    expect((await store.consume('one', 'token', NOW)).ok).toBe(true);
  });

  it('stays lost when it is put back, once it was missed', async () => {
    const { store, path } = await opened();
    renameSync(path, `${path}.old`);
    await expect(store.get('one')).rejects.toMatchObject(REPLACED);
    renameSync(`${path}.old`, path);
    await expectRefusal(store);
    const again = SqliteStore.open(path);
    onTestFinished(() => again.end());
    expect((await again.get('one'))?.status).toBe('pending');
  });

  it('is missed while somebody only watches', async () => {
    const { store, path } = await opened();
    const unwatch = store.watch(() => undefined);
    renameSync(path, `${path}.old`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    renameSync(`${path}.old`, path);
    await expect(store.get('one')).rejects.toMatchObject(REPLACED);
    unwatch();
  });

  it('says after its end that it was ended', async () => {
    const { store, path } = await opened();
    await store.end();
    rmSync(path);
    await expect(store.get('one')).rejects.toMatchObject({ code: 'store_closed' });
    await expect(store.create(question('two'))).rejects.toMatchObject({ code: 'store_closed' });
  });
});
