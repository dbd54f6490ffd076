import type { ApprovalStore } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import type { TurnEvent } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import { call, collect, DONE, endOf, unlock, type World, world } from '../support/strands.ts';
import { assertOnlyApproved, started } from '../support/strands-checks.ts';
import { temporaryFile } from './support/folder.ts';

const ANN = { id: 'ann', kind: 'person' } as const;
const PARK = { parked: true } as const;

/** Goes on with the parked turn at each news of a store, as whoever watches it may. */
function resumeAtNews(store: ApprovalStore, w: World): () => Promise<readonly TurnEvent[]> {
  let last: Promise<readonly TurnEvent[]> = Promise.resolve([]);
  const failed = (): readonly TurnEvent[] => [];
  store.watch(() => {
    last = last.then(() => collect(w.tau.resume())).catch(failed);
  });
  return () => last;
}

describe.each<[string, () => ApprovalStore]>([
  ['a file', () => SqliteStore.open(temporaryFile())],
  ['memory', () => new MemoryApprovalStore()],
])('[P2, S16] a parked question in %s that is edited while somebody watches', (_where, makeStore) => {
  async function parked(turn = unlock('front')): Promise<{ store: ApprovalStore; w: World; id: string }> {
    const store = makeStore();
    const w = await world([[turn], DONE, DONE], [PARK, PARK, PARK], { store });
    const [id = ''] = endOf(await w.turn('go', { principal: ANN })).approvalIds ?? [];
    return { store, w, id };
  }

  it('runs once, with what was typed, and nobody is asked again', async () => {
    const { store, w, id } = await parked();
    const settled = resumeAtNews(store, w);
    const edited = await w.tau.gate.edit(id, { arguments: { door: 'back' }, by: ANN, channel: 'test' });
    expect(edited.status).toBe('approved');
    await settled();
    expect(started(w)).toEqual([['unlock_door', { door: 'back' }]]);
    expect(w.approver.requests.map((request) => request.id)).toEqual([id]);
    expect((await store.list()).records.map(({ status }) => status)).toEqual(['void', 'done']);
    assertOnlyApproved(w);
  });

  it('that must be shown again is the one question that is open, and runs once after its yes', async () => {
    const { store, w, id } = await parked(call('run_shell', { command: 'rm' }));
    const settled = resumeAtNews(store, w);
    const edited = await w.tau.gate.edit(id, { arguments: { command: 'ls' }, by: ANN, channel: 'test' });
    if (edited.status !== 'asked_again') throw new Error(edited.status);
    await settled();
    expect((await store.list({ status: 'pending' })).records).toEqual([edited.record]);
    expect(w.ran).toEqual([]);
    await w.tau.gate.decide(edited.record.id, { decision: 'approved', by: ANN, channel: 'test' });
    await settled();
    expect(started(w)).toEqual([['run_shell', { command: 'ls', sudo: false }]]);
    assertOnlyApproved(w);
  });
});
