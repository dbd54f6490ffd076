import { describe, expect, it } from 'vitest';
import { catalogOf, held, TOOLS, unlock, type World, worldOf } from '../../test/gate-fixture.ts';
import type { ApprovalRecord } from './approval-record.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import type { TierGateOptions } from './options.ts';
import { ParkingApprover } from './parking-approver.ts';
import { defaultPolicy } from './policy.ts';

const ada = { id: 'ada', kind: 'person' } as const;
const call = unlock('front', { principal: ada });
const again = { position: { conversation: 'c1', batch: 'b1', toolUseId: 'tooluse_1' }, claim: true } as const;

interface Lost {
  readonly w: World<ParkingApprover>;
  readonly store: MemoryApprovalStore;
  /** The approval that was cut off. */
  readonly lost: ApprovalRecord;
}

/** A process that finds an approval whose body was cut off in another one. */
async function lost(store: MemoryApprovalStore = new MemoryApprovalStore()): Promise<Lost> {
  const w = worldOf(new ParkingApprover(), { store });
  const outcome = await w.gate.run(call, w.body, again);
  const id = outcome.status === 'pending' ? outcome.approvalId : '';
  await w.gate.decide(id, { decision: 'approved', by: ada, channel: 'test' });
  await store.consume(id, 'token of a process that died', w.clock.now());
  expect(await w.gate.run(call, w.body, again)).toMatchObject({ refusal: { reason: 'unknown_outcome' } });
  return { w, store, lost: (await store.get(id)) ?? expect.fail('gone') };
}

/** Orders a new attempt, as ada does who was shown the old one. */
async function order({ w, lost: { id, request } }: Lost): Promise<ApprovalRecord> {
  const result = await w.gate.retry(id, { by: ada, channel: 'http', digest: request.digest });
  return result.status === 'ordered' ? result.record : expect.fail(result.status);
}

describe('[P2, S17] a new attempt of an unknown approval', () => {
  it('is a new record, approved by who ordered it, and runs once, with the stored call', async () => {
    const all = await lost();
    const { w, lost: old } = all;
    const attempt = await order(all);
    expect(attempt).toMatchObject({
      kind: 'question',
      status: 'approved',
      retryOf: old.id,
      request: { ...old.request, id: attempt.id, digest: attempt.request.digest },
      decision: { decision: 'approved', by: ada, channel: 'http' },
      deliveries: [],
    });
    expect([attempt.id === old.id, attempt.request.digest === old.request.digest]).toEqual([false, false]);
    expect(attempt.position).toBeUndefined();
    expect(w.of('approval').at(-1)).toMatchObject({ approvalId: attempt.id, decision: 'approved', by: ada });
    expect(await w.gate.attempt(attempt.id, w.body)).toMatchObject({ status: 'success', approval: 'approved' });
    expect(await w.gate.attempt(attempt.id, w.body)).toMatchObject({ status: 'replayed' });
    expect(w.ran).toEqual([{ door: 'front' }]);
    expect(w.of('tool_call').at(-1)).toMatchObject({ approvalId: attempt.id, status: 'success', origin: call.origin });
    expect((await all.store.get(attempt.id))?.status).toBe('done');
    expect((await all.store.get(old.id))?.status).toBe('unknown');
  });

  it('is ordered once, however many order it at once, and runs once, however many run it at once', async () => {
    const all = await lost();
    const { w, lost: old } = all;
    const other = worldOf(new ParkingApprover(), { store: all.store });
    const input = { by: ada, channel: 'http', digest: old.request.digest };
    const orders = await Promise.all(
      Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? w : other).gate.retry(old.id, input)),
    );
    expect(orders.filter(({ status }) => status === 'ordered')).toHaveLength(1);
    expect(orders.filter(({ status }) => status === 'already_ordered')).toHaveLength(99);
    const ids = new Set(orders.map((each) => ('record' in each ? each.record.id : '')));
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    await Promise.all(Array.from({ length: 50 }, (_, i) => [w, other][i % 2]?.gate.attempt(id, w.body)));
    expect(w.ran).toHaveLength(1);
    expect((await all.store.list({ limit: 1000 })).records).toHaveLength(2);
  });

  it('is not run while it runs already', async () => {
    const all = await lost();
    const { id } = await order(all);
    const body = held<string>();
    const first = all.w.gate.attempt(id, () => body.promise);
    await all.w.clock.advance(0);
    expect(await all.w.gate.attempt(id, all.w.body)).toMatchObject({ refusal: { reason: 'already_used' } });
    body.settle('done');
    expect(await first).toMatchObject({ status: 'success' });
    expect(all.w.ran).toEqual([]);
  });

  it('permits, and answers, a call of its own tool only', async () => {
    const all = await lost();
    const { w } = all;
    const { id } = await order(all);
    const shell = { ...call, tool: 'run_shell' };
    const refused = { status: 'refused', refusal: { reason: 'void' } };
    expect(await w.gate.run(shell, w.body, { attempt: id })).toMatchObject(refused);
    expect((await all.store.get(id))?.status).toBe('approved');
    expect(await w.gate.attempt(id, w.body)).toMatchObject({ status: 'success' });
    expect(await w.gate.run(shell, w.body, { attempt: id })).toMatchObject(refused);
    expect(w.ran).toHaveLength(1);
  });

  it('is never found by a dispatch of the old call', async () => {
    const all = await lost();
    await order(all);
    expect(await all.w.gate.run(call, all.w.body, again)).toMatchObject({ refusal: { reason: 'unknown_outcome' } });
    expect(all.w.ran).toEqual([]);
  });

  it('[P7] is ordered only by a person who may decide, with the digest of what was shown', async () => {
    const { w, lost: old } = await lost();
    const input = { channel: 'http', digest: old.request.digest };
    for (const by of [
      { id: 'eve', kind: 'person' },
      { id: 'ada', kind: 'agent' },
      { id: 'ada', kind: 'service' },
    ] as const)
      expect(await w.gate.retry(old.id, { ...input, by })).toEqual({ status: 'not_found' });
    expect(await w.gate.retry('nobody', { ...input, by: ada })).toEqual({ status: 'not_found' });
    for (const digest of ['', 'x', undefined as never])
      expect(await w.gate.retry(old.id, { ...input, by: ada, digest })).toEqual({ status: 'digest_mismatch' });
    expect((await w.gate.store.list()).records).toHaveLength(1);
  });

  it('needs an unknown outcome', async () => {
    const w = worldOf(new ParkingApprover());
    const outcome = await w.gate.run(call, w.body, again);
    const id = outcome.status === 'pending' ? outcome.approvalId : '';
    const digest = (await w.gate.store.get(id))?.request.digest ?? '';
    const input = { by: ada, channel: 'http', digest };
    expect(await w.gate.retry(id, input)).toMatchObject({ status: 'not_unknown', record: { status: 'pending' } });
    await w.gate.decide(id, { decision: 'approved', by: ada, channel: 'test' });
    expect(await w.gate.retry(id, input)).toMatchObject({ status: 'not_unknown', record: { status: 'approved' } });
    expect(await w.gate.attempt(id, w.body)).toMatchObject({ refusal: { reason: 'void' } });
    expect(w.ran).toEqual([]);
  });

  it('can be ordered again when it was not used in time, or was cut off itself', async () => {
    const all = await lost();
    const { w, store } = all;
    const first = await order(all);
    await w.clock.advance(601_000);
    expect(await w.gate.attempt(first.id, w.body)).toMatchObject({ refusal: { reason: 'void' } });
    expect(await store.get(first.id)).toMatchObject({ status: 'expired' });
    const second = await order({ ...all, lost: first });
    await store.consume(second.id, 'another token', w.clock.now());
    expect(await w.gate.attempt(second.id, w.body)).toMatchObject({ refusal: { reason: 'unknown_outcome' } });
    await store.lose(second.id, w.clock.now());
    const third = await order({ ...all, lost: second });
    expect(await w.gate.attempt(third.id, w.body)).toMatchObject({ status: 'success' });
    expect(w.ran).toHaveLength(1);
  });

  it('can be ordered again when nobody ever tried to use it in time, and the one that lapsed does not run', async () => {
    const all = await lost();
    const { w, store } = all;
    const first = await order(all);
    await w.clock.advance(601_000);
    const input = { channel: 'http', digest: first.request.digest };
    expect(await w.gate.retry(first.id, { ...input, by: { id: 'eve', kind: 'person' } })).toEqual({
      status: 'not_found',
    });
    expect((await store.get(first.id))?.status).toBe('approved');
    const second = await order({ ...all, lost: first });
    expect(await store.get(first.id)).toMatchObject({
      status: 'expired',
      closedBecause: 'the approval was not used in time',
    });
    expect(await w.gate.attempt(first.id, w.body)).toMatchObject({ refusal: { reason: 'void' } });
    expect(await w.gate.attempt(second.id, w.body)).toMatchObject({ status: 'success' });
    expect(w.ran).toHaveLength(1);
  });

  it('is not ordered again when it was used in the moment in which it would have lapsed', async () => {
    const all = await lost();
    const { w, store } = all;
    const first = await order(all);
    const early = w.clock.now();
    await w.clock.advance(601_000);
    const close = store.close.bind(store);
    store.close = async (...given) => {
      await store.consume(first.id, 'another process', early);
      return close(...given);
    };
    const again = await w.gate.retry(first.id, { by: ada, channel: 'http', digest: first.request.digest });
    expect(again).toMatchObject({ status: 'not_unknown', record: { status: 'consumed' } });
    expect((await store.list()).records).toHaveLength(2);
  });

  it('can be withdrawn before it runs', async () => {
    const all = await lost();
    const { id } = await order(all);
    await all.w.gate.cancel(id, { by: ada, channel: 'http' });
    expect(await all.w.gate.attempt(id, all.w.body)).toMatchObject({ refusal: { reason: 'cancelled' } });
    expect(all.w.ran).toEqual([]);
  });
});

describe('[S18] a change before a new attempt', () => {
  const redefined = TOOLS.map((entry) => (entry.name === 'unlock_door' ? { ...entry, version: '2' } : entry));
  const changes: [string, Partial<TierGateOptions>][] = [
    ['the tool was redefined', { catalog: catalogOf(redefined) }],
    ['the tool is gone', { catalog: catalogOf([]) }],
    ['the policy changed', { policy: { ...defaultPolicy, version: '2' } }],
  ];

  it.each(changes)('%s: it cannot be ordered, and one that was ordered does not run', async (because, options) => {
    const all = await lost();
    const later = worldOf(new ParkingApprover(), { store: all.store, ...options });
    const { id, request } = all.lost;
    const input = { by: ada, channel: 'http', digest: request.digest };
    expect(await later.gate.retry(id, input)).toEqual({ status: 'void', because });
    const attempt = await order(all);
    expect(await later.gate.attempt(attempt.id, later.body)).toMatchObject({ status: 'refused' });
    expect(later.ran).toEqual([]);
  });

  it('the stored arguments were altered: it does not run', async () => {
    class Altered extends MemoryApprovalStore {
      override async get(id: string): Promise<ApprovalRecord | undefined> {
        const record = await super.get(id);
        if (record?.retryOf === undefined) return record;
        return { ...record, request: { ...record.request, arguments: { door: 'vault' } } };
      }
    }
    const all = await lost(new Altered());
    const attempt = await order(all);
    expect(await all.w.gate.attempt(attempt.id, all.w.body)).toMatchObject({ refusal: { reason: 'void' } });
    expect(all.w.ran).toEqual([]);
  });

  it('a store that breaks refuses it', async () => {
    const all = await lost();
    const attempt = await order(all);
    all.store.consume = () => Promise.reject(new Error('disk full'));
    expect(await all.w.gate.attempt(attempt.id, all.w.body)).toMatchObject({ refusal: { reason: 'gate_failed' } });
    all.store.get = () => Promise.reject(new Error('disk full'));
    expect(await all.w.gate.attempt(attempt.id, all.w.body)).toMatchObject({ refusal: { reason: 'gate_failed' } });
    expect(all.w.ran).toEqual([]);
  });
});
