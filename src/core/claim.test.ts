import { describe, expect, it } from 'vitest';
import { call, catalogOf, held, TOOLS, unlock, type World, world } from '../../test/gate-fixture.ts';
import type { ScriptedAnswer } from '../testing/scripted-approver.ts';
import type { ApprovalRecord, Transition } from './approval-record.ts';
import type { CatalogEntry } from './catalog.ts';
import type { JSONValue } from './json.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import type { RunOptions, TierGateOptions } from './options.ts';

const position = { conversation: 'c1', batch: 'm1', toolUseId: 'tooluse_1' };
const dispatch: RunOptions<string> = { position, claim: true };
const by = { id: 'anonymous', kind: 'person' } as const;

/** One process after another on the same store: each has a gate of its own. */
class Processes {
  readonly store: MemoryApprovalStore = new MemoryApprovalStore();
  readonly worlds: World[] = [];

  start(script: readonly ScriptedAnswer[], options: Partial<TierGateOptions> = {}): World {
    const w = world(script, { store: this.store, ...options });
    this.worlds.push(w);
    return w;
  }

  get ran(): readonly JSONValue[] {
    return this.worlds.flatMap((w) => w.ran);
  }

  async records(): Promise<readonly ApprovalRecord[]> {
    return (await this.store.list()).records;
  }

  async statuses(): Promise<readonly string[]> {
    return (await this.records()).map((record) => record.status);
  }

  /** Asks in a first process, which parks; returns the id of the question. */
  async park(options: Partial<TierGateOptions> = {}): Promise<string> {
    const first = this.start([{ parked: true }], options);
    const outcome = await first.gate.run(unlock(), first.body, dispatch);
    return outcome.status === 'pending' ? outcome.approvalId : '';
  }

  async decide(id: string, decision: 'approved' | 'rejected', reason?: string): Promise<void> {
    const given = { decision, by, channel: 'web', ...(reason === undefined ? {} : { reason }) };
    await this.start([]).gate.decide(id, given);
  }
}

function redefined(change: Partial<CatalogEntry>): ReturnType<typeof catalogOf> {
  return catalogOf(TOOLS.map((entry) => (entry.name === 'unlock_door' ? { ...entry, ...change } : entry)));
}

describe('[P2] a parked call that is dispatched again', () => {
  it('is still pending while nobody has decided; nobody is asked twice', async () => {
    const p = new Processes();
    const id = await p.park();
    const again = p.start(['approved']);
    expect(await again.gate.run(unlock(), again.body, dispatch)).toEqual({ status: 'pending', approvalId: id });
    expect(again.approver.requests).toEqual([]);
    expect(again.of('tool_call')).toEqual([]);
  });

  it('runs once when it was approved, with the arguments that are on record', async () => {
    const p = new Processes();
    const id = await p.park();
    await p.decide(id, 'approved');
    const again = p.start([]);
    const parse = (): JSONValue => ({ door: 'back' });
    const outcome = await again.gate.run(unlock(), again.body, { ...dispatch, parse });
    expect(outcome).toMatchObject({ status: 'success', approval: 'approved', approvalId: id });
    expect(p.ran).toEqual([{ door: 'front' }]);
    expect(again.of('tool_call')).toMatchObject([{ arguments: { door: 'front' }, approval: 'approved' }]);
    expect(await p.statuses()).toEqual(['done']);
  });

  it('gets the no, with the reason, once it was rejected', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'rejected', 'not today');
    const again = p.start(['approved']);
    expect(await again.gate.run(unlock(), again.body, dispatch)).toMatchObject({
      refusal: { approval: 'rejected', refusal: expect.stringMatching(/\nReason: not today$/) },
    });
    expect([again.approver.requests, p.ran]).toEqual([[], []]);
  });

  it('times out when nobody answered in time, with both events', async () => {
    const p = new Processes();
    await p.park({ timeoutSeconds: 60 });
    const again = p.start(['approved']);
    await again.clock.advance(60_000);
    expect(await again.gate.run(unlock(), again.body, dispatch)).toMatchObject({ refusal: { approval: 'timeout' } });
    expect(again.of('approval')).toMatchObject([{ decision: 'timeout' }]);
    expect(again.of('tool_call')).toMatchObject([{ approval: 'timeout' }]);
  });

  it.each<[string, Partial<CatalogEntry>]>([
    ['version', { version: '2' }],
    ['schema', { inputSchema: { type: 'object', required: ['door'] } }],
    ['effect', { effect: 'Opens a door' }],
  ])('is void and asked anew when the %s of the tool changed', async (_what, change) => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const again = p.start(['rejected'], { catalog: redefined(change) });
    expect(await again.gate.run(unlock(), again.body, dispatch)).toMatchObject({ refusal: { approval: 'rejected' } });
    expect([again.approver.requests.length, p.ran]).toEqual([1, []]);
    expect(await p.records()).toMatchObject([
      { status: 'void', closedBecause: 'the tool was redefined' },
      { status: 'rejected' },
    ]);
  });

  it('is void and asked anew when the policy changed, or the input', async () => {
    const policy = { version: '2', sees: () => true, mayDecide: () => true };
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const second = p.start([{ parked: true }], { policy });
    expect(await second.gate.run(unlock(), second.body, dispatch)).toMatchObject({ status: 'pending' });
    const third = p.start(['rejected'], { policy });
    await third.gate.run(unlock('back'), third.body, dispatch);
    expect(third.approver.requests).toMatchObject([{ arguments: { door: 'back' } }]);
    expect((await p.records()).map((record) => record.closedBecause)).toEqual([
      'the policy changed',
      'the input changed',
      undefined,
    ]);
    expect(p.ran).toEqual([]);
  });

  it('is void when the stored arguments are not those that were asked about', async () => {
    class Altered extends MemoryApprovalStore {
      override async list(...args: Parameters<MemoryApprovalStore['list']>): ReturnType<MemoryApprovalStore['list']> {
        const page = await super.list(...args);
        const alter = (record: ApprovalRecord): ApprovalRecord => ({
          ...record,
          request: { ...record.request, arguments: { door: 'vault' } },
        });
        return { ...page, records: page.records.map(alter) };
      }
    }
    for (const first of [unlock(), call('add_note', { text: 'x' })]) {
      const store = new Altered();
      const before = world(['approved'], { store });
      await before.gate.check(first, { position, journal: true });
      const again = world(['rejected'], { store });
      await again.gate.run(first, again.body, { ...dispatch, journal: true });
      expect(again.ran).not.toContainEqual({ door: 'vault' });
      expect((await store.get((await store.list()).records[0]?.id ?? ''))?.closedBecause).toBe(
        'the stored question was altered',
      );
    }
  });

  it('is asked anew when the yes was not used in time', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const again = p.start(['rejected']);
    await again.clock.advance(600_000);
    expect(await again.gate.check(unlock(), dispatch)).toMatchObject({ allowed: true });
    await again.clock.advance(1);
    expect(await again.gate.check(unlock(), dispatch)).toMatchObject({ approval: 'rejected' });
    expect(again.approver.requests).toHaveLength(1);
    expect(await p.statuses()).toEqual(['expired', 'rejected']);
  });

  it('is asked anew when the yes grew too old on the way to the body', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const again = p.start(['rejected']);
    await again.clock.advance(600_001);
    expect(await again.gate.run(unlock(), again.body, dispatch)).toMatchObject({ refusal: { approval: 'rejected' } });
    expect(await p.statuses()).toEqual(['expired', 'rejected']);
  });

  it.each([
    ['conversation', { ...position, conversation: 'c2' }],
    ['batch', { ...position, batch: 'm2' }],
    ['tool use', { ...position, toolUseId: 'tooluse_2' }],
  ])('of another %s does not find it', async (_what, elsewhere) => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const again = p.start(['rejected']);
    const outcome = await again.gate.run(unlock(), again.body, { position: elsewhere, claim: true });
    expect(outcome).toMatchObject({ refusal: { approval: 'rejected' } });
    expect(again.approver.requests).toHaveLength(1);
  });

  it('of another tool at the same position does not find it', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const again = p.start(['rejected']);
    await again.gate.run(call('run_shell', { door: 'front' }), again.body, dispatch);
    expect([again.approver.requests.length, p.ran]).toEqual([1, []]);
    expect(await p.statuses()).toEqual(['approved', 'rejected']);
  });
});

describe('[G14] a second dispatch of the same position', () => {
  it('that does not claim is asked about: a retry reuses nothing', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const retry = p.start(['rejected']);
    expect(await retry.gate.run(unlock(), retry.body, { position })).toMatchObject({
      refusal: { approval: 'rejected' },
    });
    expect([retry.approver.requests.length, p.ran]).toEqual([1, []]);
  });

  it('after it ran is answered from the record; the body does not run again', async () => {
    const p = new Processes();
    const id = await p.park();
    await p.decide(id, 'approved');
    const describeIt: RunOptions<string> = {
      ...dispatch,
      describe: (value) => ({ status: 'success', summary: value, result: () => ({ said: value }) }),
    };
    const first = p.start([]);
    await first.gate.run(unlock(), first.body, describeIt);
    const second = p.start(['approved']);
    expect(await second.gate.run(unlock(), second.body, describeIt)).toEqual({
      status: 'replayed',
      result: { said: 'done' },
      approvalId: id,
      failed: false,
    });
    expect(await second.gate.check(unlock(), dispatch)).toMatchObject({ allowed: false, reason: 'already_used' });
    expect([second.approver.requests, second.events, p.ran.length]).toEqual([[], [], 1]);
  });

  it('after its body failed says so, and does not run it again', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const first = p.start([]);
    await first.gate.run(unlock(), () => Promise.reject(new Error('x')), dispatch);
    const second = p.start(['approved']);
    expect(await second.gate.run(unlock(), second.body, dispatch)).toMatchObject({ status: 'replayed', failed: true });
    expect(p.ran).toEqual([]);
  });

  it('after the process died in the body is unknown: it is not run again, and the model is told', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const dead = p.start([]);
    void dead.gate.run(unlock(), () => held<string>().promise, dispatch);
    await dead.clock.advance(0);
    const next = p.start(['approved']);
    expect(await next.gate.run(unlock(), next.body, dispatch)).toMatchObject({
      status: 'refused',
      refusal: { reason: 'unknown_outcome', refusal: expect.stringMatching(/^The outcome of unlock_door is unknown/) },
    });
    expect([await p.statuses(), next.approver.requests, p.ran]).toEqual([['unknown'], [], []]);
    expect(await next.gate.run(unlock(), next.body, dispatch)).toMatchObject({
      refusal: { reason: 'unknown_outcome' },
    });
  });

  it('while the body runs in this process is refused and does not disturb it', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const w = p.start(['approved']);
    const body = held<string>();
    const running = w.gate.run(unlock(), () => body.promise, dispatch);
    await w.clock.advance(0);
    expect(await w.gate.run(unlock(), w.body, dispatch)).toMatchObject({ refusal: { reason: 'already_used' } });
    body.settle('done');
    expect(await running).toMatchObject({ status: 'success' });
    expect(await p.statuses()).toEqual(['done']);
  });

  it('while its approval is being consumed does not take it for lost', async () => {
    class SlowAfterConsume extends MemoryApprovalStore {
      readonly consumed = held<void>();
      readonly go = held<void>();

      override async consume(id: string, token: string, at: number): Promise<Transition> {
        const transition = await super.consume(id, token, at);
        this.consumed.settle();
        await this.go.promise;
        return transition;
      }
    }
    const store = new SlowAfterConsume();
    const w = world([{ parked: true }], { store });
    const outcome = await w.gate.run(unlock(), w.body, dispatch);
    await w.gate.decide(outcome.status === 'pending' ? outcome.approvalId : '', {
      decision: 'approved',
      by,
      channel: 'web',
    });
    const running = w.gate.run(unlock(), w.body, dispatch);
    await store.consumed.promise;
    expect(await w.gate.check(unlock(), dispatch)).toMatchObject({ reason: 'already_used' });
    store.go.settle();
    expect(await running).toMatchObject({ status: 'success' });
    expect((await store.list()).records).toMatchObject([{ status: 'done' }]);
  });

  it('of two workers at once: one runs, the other is refused', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const workers = [p.start([]), p.start([])];
    const verdicts = await Promise.all(workers.map((w) => w.gate.check(unlock(), dispatch)));
    const tickets = verdicts.flatMap((verdict) => (verdict.allowed ? [verdict.ticket] : []));
    expect(tickets).toHaveLength(2);
    const redeemed = await Promise.all(
      workers.map((w, n) => w.gate.redeem(tickets[n] ?? { call: unlock() }, unlock())),
    );
    expect(redeemed.filter(Boolean)).toHaveLength(1);
  });

  it('of 100 in one process at once: the body starts once', async () => {
    const p = new Processes();
    await p.decide(await p.park(), 'approved');
    const w = p.start([]);
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => w.gate.run(unlock(), w.body, dispatch)));
    expect(outcomes.filter((outcome) => outcome.status === 'success')).toHaveLength(1);
    expect(p.ran).toEqual([{ door: 'front' }]);
    expect(await p.statuses()).toEqual(['done']);
  });
});
