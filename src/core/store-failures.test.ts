import { describe, expect, it } from 'vitest';
import { call, unlock, world } from '../../test/gate-fixture.ts';
import type { ApprovalRecord, OutcomeRecord, Transition } from './approval-record.ts';
import { TauError } from './errors.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import type { RunOptions } from './options.ts';

type Method = 'create' | 'get' | 'list' | 'decide' | 'consume' | 'finish' | 'lose' | 'close' | 'watch';

const broken = (): never => {
  throw new Error('disk full');
};

/** A store in which some methods are broken: they reject, before or after the step was taken. */
function breaking(methods: readonly Method[], when: 'before' | 'after' = 'before'): MemoryApprovalStore {
  const store = new MemoryApprovalStore();
  for (const name of methods) {
    const real: unknown = Reflect.get(store, name);
    Reflect.set(store, name, async (...args: unknown[]) => {
      if (when === 'after' && typeof real === 'function') await Reflect.apply(real, store, args);
      broken();
    });
  }
  return store;
}

const position = { conversation: 'c1', batch: 'm1', toolUseId: 'tooluse_1' };
const journaled: RunOptions<string> = { position, journal: true };

describe('[G6, G13] a store that fails', () => {
  it.each<[Method, 'before' | 'after', number]>([
    ['create', 'before', 0],
    ['create', 'after', 0],
    ['decide', 'before', 1],
    ['decide', 'after', 1],
    ['consume', 'before', 1],
    ['consume', 'after', 1],
    ['watch', 'before', 0],
  ])('in %s (%s the step): no body starts, the call is refused and told', async (method, when, questions) => {
    const store =
      method === 'watch' ? Object.assign(new MemoryApprovalStore(), { watch: broken }) : breaking([method], when);
    const { gate, approver, of, ran, body } = world(['approved'], { store });
    expect(await gate.run(unlock(), body)).toMatchObject({ status: 'refused', refusal: { reason: 'gate_failed' } });
    expect([ran, approver.requests.length]).toEqual([[], questions]);
    expect(of('error')).toMatchObject([{ where: 'tier_gate', message: 'the gate failed', error: 'disk full' }]);
    expect(of('tool_call')).toMatchObject([{ status: 'error', approval: 'refused', reason: 'gate_failed' }]);
  });

  it.each<['before' | 'after', string]>([
    ['before', 'consumed'],
    ['after', 'done'],
  ])(
    'in finish (%s the step): the body ran once, the caller gets its value, the record stays %s',
    async (when, status) => {
      const store = breaking(['finish'], when);
      const { gate, of, ran, body } = world(['approved', 'approved'], { store });
      expect(await gate.run(unlock(), body)).toMatchObject({ status: 'success', value: 'done' });
      expect(ran).toHaveLength(1);
      expect((await store.list()).records).toMatchObject([{ status }]);
      expect(of('error')).toMatchObject([{ where: 'store', error: 'disk full' }]);
      expect(of('tool_call')).toMatchObject([{ status: 'success' }]);
    },
  );

  it('in finish, when the body failed too: the failure of the body is what the caller gets', async () => {
    const { gate, of } = world(['approved'], { store: breaking(['finish']) });
    const error = new Error('the lock is stuck');
    expect(await gate.run(unlock(), () => Promise.reject(error))).toMatchObject({ status: 'error', error });
    expect(of('tool_call')).toHaveLength(1);
  });

  it('in finish for a while: the end is kept until the store takes it, and nothing runs again meanwhile', async () => {
    const store = new MemoryApprovalStore();
    let failures = 3;
    const finish = store.finish.bind(store);
    store.finish = async (...args) => (failures-- > 0 ? broken() : finish(...args));
    const { gate, clock, ran, body, of } = world(['approved', 'approved'], { store });
    await gate.run(unlock(), body, { position });
    const idle = gate.idle();
    expect(gate.running).toMatchObject([{ tool: 'unlock_door' }]);
    expect(await gate.run(unlock(), body, { position, claim: true })).toMatchObject({
      refusal: { reason: 'already_used' },
    });
    expect((await store.list()).records).toMatchObject([{ status: 'consumed' }]);
    await clock.advance(1000);
    await clock.advance(2000);
    expect(gate.isAtWork()).toBe(true);
    await clock.advance(4000);
    await idle;
    expect((await store.list()).records).toMatchObject([{ status: 'done', outcome: { status: 'done' } }]);
    expect(await gate.run(unlock(), body, { position, claim: true })).toMatchObject({ status: 'replayed' });
    expect([ran.length, of('error').length]).toEqual([1, 1]);
  });

  it('in finish, because it was closed: nothing is waited for any more', async () => {
    const store = new MemoryApprovalStore();
    store.finish = () => Promise.reject(new TauError('store_closed', 'the store is closed'));
    const { gate, clock, body } = world(['approved'], { store });
    await gate.run(unlock(), body);
    expect(gate.isAtWork()).toBe(true);
    await clock.advance(1000);
    await gate.idle();
  });

  it('in finish, after the step: the store has it, and nobody is told otherwise later', async () => {
    const store = breaking(['finish'], 'after');
    const { gate, clock, body, of } = world(['approved'], { store });
    await gate.run(unlock(), body, { position });
    const real = MemoryApprovalStore.prototype.finish.bind(store);
    store.finish = real;
    await clock.advance(1000);
    await gate.idle();
    expect(of('error')).toHaveLength(1);
  });

  it('in close: a cancelled call is refused all the same', async () => {
    const abort = new AbortController();
    const { gate, of, ran, body } = world(
      [
        () => {
          abort.abort();
          return new Promise(() => undefined);
        },
      ],
      { store: breaking(['close']) },
    );
    expect(await gate.run(unlock(), body, { signal: abort.signal })).toMatchObject({
      refusal: { reason: 'gate_failed' },
    });
    expect(ran).toEqual([]);
    expect(of('tool_call')).toHaveLength(1);
  });

  it('in close, when the yes lapsed: no body starts', async () => {
    const store = breaking(['close']);
    const { gate, clock, of } = world(['approved'], { store, useWithinSeconds: 1 });
    const verdict = await gate.check(unlock());
    await clock.advance(1001);
    expect(verdict.allowed && (await gate.redeem(verdict.ticket, verdict.ticket.call))).toBe(false);
    expect(of('error')).toHaveLength(1);
  });

  it.each<[Method]>([['list'], ['create'], ['consume']])(
    'in %s: a journaled call that needs no question does not start either',
    async (method) => {
      const { gate, ran, body } = world([], { store: breaking([method]) });
      const outcome = await gate.run(call('add_note', {}), body, { ...journaled, claim: true });
      expect(outcome).toMatchObject({ status: 'refused', refusal: { reason: 'gate_failed' } });
      expect(ran).toEqual([]);
    },
  );

  it('in get: a parked question refuses the call, because nobody can say how it stands', async () => {
    const { gate } = world([{ parked: true }], { store: breaking(['get']) });
    expect(await gate.check(unlock())).toMatchObject({ allowed: false, reason: 'gate_failed' });
  });

  it('in get: gate.decide rejects, and nothing is decided', async () => {
    const store = breaking(['get']);
    const { gate } = world([], { store });
    const by = { id: 'anonymous', kind: 'person' } as const;
    await expect(gate.decide('q', { decision: 'approved', by, channel: 'web' })).rejects.toThrow('disk full');
  });

  it('or lost the record refuses the call', async () => {
    class Forgetful extends MemoryApprovalStore {
      override async get(): Promise<undefined> {
        return undefined;
      }
    }
    const { gate, of } = world([{ parked: true }], { store: new Forgetful() });
    expect(await gate.check(unlock())).toMatchObject({ reason: 'gate_failed' });
    expect(of('error')).toMatchObject([{ error: expect.stringContaining('is gone from the store') }]);
  });
});

describe('[G12] a store that lies', () => {
  class Altering extends MemoryApprovalStore {
    readonly #alter: (record: ApprovalRecord) => ApprovalRecord;

    constructor(alter: (record: ApprovalRecord) => ApprovalRecord) {
      super();
      this.#alter = alter;
    }

    override async decide(...args: Parameters<MemoryApprovalStore['decide']>): Promise<Transition> {
      const transition = await super.decide(...args);
      return transition.ok ? { ok: true, record: this.#alter(transition.record) } : transition;
    }
  }

  it.each<[string, (record: ApprovalRecord) => ApprovalRecord]>([
    ['arguments', (record) => ({ ...record, request: { ...record.request, arguments: { door: 'back' } } })],
    ['effect', (record) => ({ ...record, request: { ...record.request, effect: 'Reads a lock' } })],
    ['digest', (record) => ({ ...record, request: { ...record.request, digest: '0'.repeat(64) } })],
    [
      'requester',
      (record) => ({
        ...record,
        request: { ...record.request, origin: { kind: 'model', principal: { id: 'eve', kind: 'person' } } },
      }),
    ],
    ['definition', (record) => ({ ...record, definition: '0'.repeat(64) })],
    ['policy', (record) => ({ ...record, policyVersion: 'older' })],
  ])('about the %s of a question voids the yes', async (_what, alter) => {
    const { gate, ran, body } = world(['approved'], { store: new Altering(alter) });
    expect(await gate.run(unlock(), body)).toMatchObject({ status: 'refused', refusal: { reason: 'void' } });
    expect(ran).toEqual([]);
  });

  it('by handing back equal copies is fine, and the body still gets the object that was asked about', async () => {
    const store = new Altering((record) => structuredClone(record));
    const { gate, approver, ran, body } = world(['approved'], { store });
    expect(await gate.run(unlock(), body)).toMatchObject({ status: 'success' });
    expect(ran[0]).toBe(approver.requests[0]?.arguments);
  });

  it('about finishing is told', async () => {
    class Unfinished extends MemoryApprovalStore {
      override async finish(id: string, token: string, outcome: OutcomeRecord): Promise<Transition> {
        await this.lose(id, outcome.at);
        return super.finish(id, token, outcome);
      }
    }
    const { gate, of, body } = world(['approved'], { store: new Unfinished() });
    expect(await gate.run(unlock(), body)).toMatchObject({ status: 'success' });
    expect(of('error')).toMatchObject([{ where: 'store', message: expect.stringContaining('unknown') }]);
  });
});
