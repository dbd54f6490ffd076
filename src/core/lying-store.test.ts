import { describe, expect, it } from 'vitest';
import { unlock, world } from '../../test/gate-fixture.ts';
import type { ApprovalRecord, Transition } from './approval-record.ts';
import { principalOf } from './call.ts';
import { requestDigest } from './digest.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import { editIdOf } from './replacement.ts';

const ada = { id: 'ada', kind: 'person' } as const;
const call = unlock('front', { principal: ada });

/** A record about something else, with the digest that it would have: nothing in itself says that it is forged. */
function about(record: ApprovalRecord, change: Partial<ApprovalRecord['request']>): ApprovalRecord {
  const request = { ...record.request, ...change };
  const { id, tool, tier, effect, arguments: args, origin } = request;
  const { definition } = record;
  const parts = { id, tool, tier, effect, arguments: args, definition, requester: principalOf(origin).id };
  return { ...record, request: { ...request, digest: requestDigest(parts) } };
}

/** A store that takes every step and answers some of them with another record. */
function answering(change: (record: ApprovalRecord) => ApprovalRecord): MemoryApprovalStore {
  const store = new MemoryApprovalStore();
  const changed = (transition: Transition): Transition =>
    transition.ok ? { ok: true, record: change(transition.record) } : transition;
  const { decide, consume } = store;
  store.decide = async (...args) => changed(await decide.apply(store, args));
  store.consume = async (...args) => changed(await consume.apply(store, args));
  return store;
}

describe('[G6, G13] a store that says yes to something else', () => {
  it.each<[string, (record: ApprovalRecord) => ApprovalRecord]>([
    ['another record', (record) => ({ ...record, id: 'another' })],
    ['the token of another call', (record) => ({ ...record, token: 'another' })],
    ['no token', ({ token: _, ...record }) => record],
  ])('using up %s starts no body', async (_, change) => {
    const store = answering((record) => (record.status === 'consumed' ? change(record) : record));
    const { gate, ran, body, of } = world(['approved'], { store });
    expect(await gate.run(call, body)).toMatchObject({ status: 'refused', refusal: { reason: 'already_used' } });
    expect(ran).toEqual([]);
    expect(of('error')).toMatchObject([{ message: "the ticket for 'unlock_door' could not be redeemed: used" }]);
  });

  it('a yes to other arguments than those that were asked about is none', async () => {
    const store = answering((record) =>
      record.status === 'approved' ? about(record, { arguments: { door: 'vault' } }) : record,
    );
    const { gate, ran, body } = world(['approved'], { store });
    expect(await gate.run(call, body)).toMatchObject({ status: 'refused', refusal: { reason: 'void' } });
    expect((await store.list()).records).toMatchObject([
      { status: 'void', closedBecause: 'the stored question was altered' },
    ]);
    expect(ran).toEqual([]);
  });

  it.each<[string, Partial<ApprovalRecord['request']>, boolean]>([
    ['nothing else', {}, true],
    ['another tool', { tool: 'run_shell' }, false],
    [
      'another requester',
      { origin: { kind: 'model', conversation: 'c1', principal: { id: 'eve', kind: 'person' } } },
      false,
    ],
  ])('an edit that is about %s', async (_, change, runs) => {
    const store = new MemoryApprovalStore();
    const get = store.get.bind(store);
    const { gate, ran, body, clock, approver } = world([() => new Promise(() => undefined)], { store });
    const running = gate.run(call, body);
    await clock.advance(0);
    const [asked] = approver.requests;
    const id = asked?.id ?? '';
    store.get = async (wanted) => {
      const record = await get(wanted);
      return record === undefined || wanted !== editIdOf(id) ? record : about(record, change);
    };
    const edit = { arguments: { door: 'back' }, by: ada, channel: 'web' };
    expect(await gate.edit(id, edit)).toMatchObject({ status: 'approved' });
    expect(await running).toMatchObject(runs ? { status: 'success' } : { refusal: { reason: 'void' } });
    expect(ran).toEqual(runs ? [{ door: 'back' }] : []);
  });
});
