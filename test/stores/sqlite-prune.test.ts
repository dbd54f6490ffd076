import { verifyLog } from 'strands-tau';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { describe, expect, it } from 'vitest';
import { decision, NOW, question } from '../../src/testing/store-contract/sample.ts';
import { temporaryFile } from './support/folder.ts';

/** A store with many rows in its audit, each a millisecond younger than the one before. */
async function longAudit(rows: number) {
  const path = temporaryFile();
  const store = SqliteStore.open(path);
  const texts = Array.from({ length: rows }, (_, at) => store.audit.append({ type: 'note', at }, NOW + at));
  await Promise.all(texts);
  return { path, store };
}

describe('[P1, P5] a prune of a long audit', () => {
  it('goes part by part: the chain is whole at every moment, and others write in between', async () => {
    const { path, store } = await longAudit(3500);
    const other = SqliteStore.open(path);
    await other.create(question('one'));
    let isOver = false;
    const pruned = store.audit.prune(NOW + 3200, NOW + 9000).finally(() => {
      isOver = true;
    });
    const anchors = new Set<number>();
    let decided: boolean | undefined;
    while (!isOver) {
      anchors.add((await other.audit.anchor()).seq);
      expect(await verifyLog(other.audit)).toMatchObject({ ok: true });
      if (anchors.size > 1) decided ??= (await other.decide('one', decision('approved'))).ok && !isOver;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await pruned).toBe(3200);
    anchors.add((await other.audit.anchor()).seq);
    expect([...anchors]).toEqual([0, 1000, 2000, 3000, 3200]);
    expect(decided).toBe(true);
    const told = (await store.audit.rows({ after: 3501, limit: 1000 })).filter(({ event }) => event.type !== 'note');
    expect(told.flatMap(({ event }) => event.rows ?? [])).toEqual([1000, 1000, 1000, 200]);
    await Promise.all([store.end(), other.end()]);
  });

  it('can be cut off between two parts: what is left is a whole chain, and the next one goes on', async () => {
    const { path, store } = await longAudit(2500);
    const pruned = expect(store.audit.prune(NOW + 9000, NOW + 9000)).rejects.toMatchObject({ code: 'store_closed' });
    await expect.poll(async () => (await store.audit.anchor()).seq, { interval: 1 }).toBe(1000);
    await store.end();
    await pruned;
    const next = SqliteStore.open(path);
    expect(await verifyLog(next.audit)).toMatchObject({ ok: true, rows: 1501 });
    // The row that tells of the first part goes too, those of this prune stay.
    expect(await next.audit.prune(NOW + 99_000, NOW + 9001)).toBe(1501);
    expect(await verifyLog(next.audit)).toMatchObject({ ok: true, rows: 2 });
    await next.end();
  });

  it('removes all documents that have expired, however many', async () => {
    const store = SqliteStore.open(':memory:');
    const ids = Array.from({ length: 2100 }, (_, at) => `d${at}`);
    await Promise.all(ids.map((id) => store.values.put('link', { id, value: 1, expiresAt: NOW })));
    await store.values.put('link', { id: 'kept', value: 1 });
    expect(await store.prune({ at: NOW })).toMatchObject({ documents: 2100 });
    expect((await store.values.list('link', NOW)).map(({ id }) => id)).toEqual(['kept']);
    await store.end();
  });

  it('stays verifiable after prunes, which it tells of', async () => {
    const store = SqliteStore.open(':memory:');
    for (let at = 0; at < 10; at++) await store.audit.append({ type: 'note', at }, NOW + at * 1000);
    const kept = (await store.audit.rows())[4];
    expect(await store.audit.prune(NOW, NOW + 9000)).toBe(0);
    expect(await store.audit.prune(NOW + 5000, NOW + 9000)).toBe(5);
    expect(await store.audit.anchor()).toEqual({ seq: 5, hash: kept?.hash });
    const rows = await store.audit.rows();
    expect([rows[0]?.seq, rows.at(-1)?.event]).toEqual([
      6,
      { type: 'audit_pruned', rows: 5, lastSeq: 5, lastHash: kept?.hash, before: NOW + 5000 },
    ]);
    expect(await verifyLog(store.audit, { head: kept?.hash ?? '' })).toMatchObject({ ok: true, rows: 6 });
    // Everything, also the row that tells of the first prune.
    expect(await store.audit.prune(NOW + 99_000, NOW + 10_000)).toBe(6);
    expect(await verifyLog(store.audit)).toMatchObject({ ok: true, rows: 1, head: { seq: 12 } });
    await store.create(question('five'));
    expect(await verifyLog(store.audit)).toMatchObject({ ok: true, rows: 2, head: { seq: 13 } });
    await store.end();
  });
});
