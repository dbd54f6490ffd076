import { describe, expect, it } from 'vitest';
import { question } from '../testing/store-contract/sample.ts';
import { allRecords } from './all-records.ts';
import { MemoryApprovalStore } from './memory-store.ts';

describe('[P1] all records of a filter', () => {
  it('are more than one page, in order, and only those', async () => {
    const store = new MemoryApprovalStore();
    const ids = Array.from({ length: 2100 }, (_, index) => `q${index}`);
    for (const id of ids) await store.create(question(id));
    await store.close('q5', 'cancelled', 9e12, 'x');
    const found = (await allRecords(store, { status: 'pending' })).map(({ id }) => id);
    expect(found).toEqual(ids.filter((id) => id !== 'q5'));
  });
});
