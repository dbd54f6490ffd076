import { describe, expect, it } from 'vitest';
import { call, unlock, world, worldOf } from '../../test/gate-fixture.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import type { RunOptions } from './options.ts';
import { ParkingApprover } from './parking-approver.ts';

const position = { conversation: 'c1', batch: 'm1', toolUseId: 'tooluse_1' };
const dispatch: RunOptions<string> = { position, claim: true };

describe('[P2] a journaled call', () => {
  const journaled: RunOptions<string> = { ...dispatch, journal: true };

  it('of tier 1 is on record, runs once, and is answered from the record after that', async () => {
    const store = new MemoryApprovalStore();
    const first = world([], { store });
    const note = call('add_note', { text: 'x' });
    expect(await first.gate.run(note, first.body, journaled)).toMatchObject({ approval: 'not_required' });
    const second = world([], { store });
    expect(await second.gate.run(note, second.body, journaled)).toMatchObject({ status: 'replayed', failed: false });
    expect([...first.ran, ...second.ran]).toHaveLength(1);
    expect((await store.list()).records).toMatchObject([
      { kind: 'journal', status: 'done', request: { tool: 'add_note', tier: 1 } },
    ]);
  });

  it('of tier 0, without a position, or not asked for, is not on record', async () => {
    const store = new MemoryApprovalStore();
    const w = world([], { store });
    await w.gate.run(call('read_lock', {}), w.body, journaled);
    await w.gate.run(call('add_note', {}), w.body, { journal: true });
    await w.gate.run(call('add_note', {}), w.body, dispatch);
    expect([w.ran.length, (await store.list()).records]).toEqual([3, []]);
  });

  it('that was exempt stays exempt in its event when it is claimed', async () => {
    const store = new MemoryApprovalStore();
    const first = world([], { store });
    first.gate.addExemption(() => true);
    await first.gate.check(unlock(), journaled);
    const second = world([], { store });
    second.gate.addExemption(() => true);
    expect(await second.gate.run(unlock(), second.body, journaled)).toMatchObject({ approval: 'exempt' });
    expect(second.of('tool_call')).toMatchObject([{ approval: 'exempt' }]);
  });

  it('that was exempt is asked about when it no longer is', async () => {
    const store = new MemoryApprovalStore();
    const first = world([], { store });
    first.gate.addExemption(() => true);
    await first.gate.check(unlock(), journaled);
    const second = world(['rejected'], { store });
    expect(await second.gate.run(unlock(), second.body, journaled)).toMatchObject({
      refusal: { approval: 'rejected' },
    });
    expect([second.approver.requests.length, second.ran]).toEqual([1, []]);
    expect((await store.list()).records).toMatchObject([
      { kind: 'journal', status: 'void', closedBecause: 'the call is no longer exempt' },
      { kind: 'question', status: 'rejected' },
    ]);
  });

  it('is no question that anybody could decide', async () => {
    const store = new MemoryApprovalStore();
    const w = world([], { store });
    await w.gate.check(call('add_note', {}), journaled);
    const [record] = (await store.list()).records;
    const by = { id: 'anonymous', kind: 'person' } as const;
    const input = { decision: 'rejected', by, channel: 'web' } as const;
    expect(await w.gate.decide(record?.id ?? '', input)).toEqual({ status: 'not_found' });
  });
});

describe('[G8, P2] a question that is parked when its call becomes exempt', () => {
  const by = { id: 'anonymous', kind: 'person' } as const;

  describe.each([true, false])('(journal: %s)', (journal) => {
    const again: RunOptions<string> = { ...dispatch, journal };

    it('is void, and the call runs once without it', async () => {
      const store = new MemoryApprovalStore();
      const w = worldOf(new ParkingApprover(), { store });
      expect(await w.gate.run(unlock(), w.body, again)).toMatchObject({ status: 'pending' });
      w.gate.addExemption(() => true);
      expect(await w.gate.run(unlock(), w.body, again)).toMatchObject({ status: 'success', approval: 'exempt' });
      const { records } = await store.list();
      expect(records[0]).toMatchObject({ status: 'void', closedBecause: 'the call is exempt by now' });
      expect(records.slice(1).map(({ kind, status }) => [kind, status])).toEqual(journal ? [['journal', 'done']] : []);
      expect(await w.gate.decide(records[0]?.id ?? '', { decision: 'approved', by, channel: 'web' })).toMatchObject({
        status: 'already_decided',
      });
      expect(w.ran).toHaveLength(1);
    });

    it('counts when somebody rejects it before it is closed', async () => {
      const store = new MemoryApprovalStore();
      const w = worldOf(new ParkingApprover(), { store });
      await w.gate.run(unlock(), w.body, again);
      w.gate.addExemption(() => true);
      const close = store.close.bind(store);
      store.close = async (id, ...given) => {
        await w.gate.decide(id, { decision: 'rejected', by, channel: 'web' });
        return close(id, ...given);
      };
      expect(await w.gate.run(unlock(), w.body, again)).toMatchObject({ refusal: { approval: 'rejected' } });
      expect((await store.list()).records).toMatchObject([{ status: 'rejected' }]);
      expect(w.ran).toEqual([]);
    });
  });
});
