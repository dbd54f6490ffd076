import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextRow, prunedEvent, rowHash, verifyChain } from './audit-chain.ts';
import type { AuditHead, AuditRow } from './audit-log.ts';

const GENESIS: AuditHead = { seq: 0, hash: '0'.repeat(64) };

function chain(length: number, from: AuditHead = GENESIS): AuditRow[] {
  const rows: AuditRow[] = [];
  let head = from;
  for (let n = 0; n < length; n++) {
    const row = nextRow(head, { type: 'test', n, nested: { ü: [null, 0.1] } }, 1000 + n);
    rows.push(row);
    head = row;
  }
  return rows;
}

async function* each(rows: readonly AuditRow[]): AsyncGenerator<AuditRow> {
  yield* rows;
}

describe('[P5] the audit chain', () => {
  it('is pinned: anybody can recompute a hash from the row alone', () => {
    expect(nextRow(GENESIS, { type: 'x', b: 1, a: 'ü' }, 7)).toEqual({
      seq: 1,
      at: 7,
      event: { type: 'x', b: 1, a: 'ü' },
      prev: GENESIS.hash,
      // printf '{"at":7,"event":{"a":"ü","b":1,"type":"x"},"prev":"000…","seq":1}' | sha256sum
      hash: 'f89093ebcbb3c60a0f0e09b404afa2822bbc331aa9e06106099eec4052c4b46a',
    });
  });

  it('verifies from its beginning, and an empty one does', async () => {
    const rows = chain(5);
    expect(await verifyChain(each(rows))).toEqual({ ok: true, rows: 5, head: { seq: 5, hash: rows[4]?.hash } });
    expect(await verifyChain(each([]))).toEqual({ ok: true, rows: 0, head: GENESIS });
    expect(await verifyChain(each([]), { head: GENESIS.hash })).toMatchObject({ ok: true });
  });

  it('names the row of a change: edited, rewritten with a new hash, missing, repeated, moved', async () => {
    const rows = chain(5);
    const [a, b, c, d, e] = rows as [AuditRow, AuditRow, AuditRow, AuditRow, AuditRow];
    const edited = { ...c, event: { type: 'other' } };
    const rewritten = { ...edited, hash: rowHash(edited) };
    const cases: [readonly AuditRow[], number, string][] = [
      [[a, b, edited, d, e], 3, 'edited'],
      [[a, b, { ...c, at: 5 }, d, e], 3, 'edited'],
      [[a, b, rewritten, d, e], 4, 'unlinked'],
      [[a, b, d, e], 3, 'missing'],
      [[b, c, d, e], 1, 'missing'],
      [[a, b, d, c, e], 3, 'missing'],
      [[a, b, c, c, d, e], 3, 'reordered'],
      [[a, b, c, b, d, e], 2, 'reordered'],
      [[a, b, { ...d, seq: 3 }, { ...c, seq: 4 }, e], 3, 'edited'],
    ];
    for (const [changed, seq, problem] of cases) {
      expect(await verifyChain(each(changed))).toEqual({ ok: false, seq, problem });
    }
  });

  it('a cut tail is found by the head that was kept elsewhere, and by nothing else', async () => {
    const rows = chain(5);
    const head = rows[4]?.hash ?? '';
    expect(await verifyChain(each(rows.slice(0, 3)))).toMatchObject({ ok: true });
    expect(await verifyChain(each(rows.slice(0, 3)), { head })).toEqual({ ok: false, seq: 3, problem: 'cut' });
    expect(await verifyChain(each(rows), { head: rows[1]?.hash ?? '' })).toMatchObject({ ok: true });
  });

  it('an anchor holds only if a row tells of the prune that made it', async () => {
    const rows = chain(5);
    const anchor = { seq: 3, hash: rows[2]?.hash ?? '' };
    expect(await verifyChain(each(rows.slice(3)), { anchor })).toEqual({ ok: false, seq: 3, problem: 'anchor' });
    const told = nextRow(rows[4] ?? GENESIS, prunedEvent(3, anchor, 0), 9);
    expect(await verifyChain(each([...rows.slice(3), told]), { anchor })).toMatchObject({ ok: true, rows: 3 });
    const other = { seq: 4, hash: rows[3]?.hash ?? '' };
    expect(await verifyChain(each([...rows.slice(4), told]), { anchor: other })).toMatchObject({ problem: 'anchor' });
    expect(await verifyChain(each([...rows, told]))).toMatchObject({ problem: 'anchor' });
    expect(await verifyChain(each([...rows.slice(3), told]))).toEqual({ ok: false, seq: 1, problem: 'missing' });
  });

  it('any single change of any row is found', async () => {
    const rows = chain(8);
    const change = fc.constantFrom<(row: AuditRow) => AuditRow>(
      (row) => ({ ...row, at: row.at + 1 }),
      (row) => ({ ...row, event: { ...row.event, n: -1 } }),
      (row) => ({ ...row, event: { ...row.event, more: true } }),
      (row) => ({ ...row, prev: row.hash }),
      (row) => ({ ...row, hash: row.prev }),
      (row) => ({ ...row, seq: row.seq + 1 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(7), change, async (at, edit) => {
        const changed = rows.map((row, n) => (n === at ? edit(row) : row));
        expect(await verifyChain(each(changed))).toMatchObject({ ok: false });
      }),
    );
  });
});
