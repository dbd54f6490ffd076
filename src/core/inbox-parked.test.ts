import { describe, expect, it } from 'vitest';
import { catalogOf, TOOLS, unlock, type World, worldOf } from '../../test/gate-fixture.ts';
import { ScriptedChannel, type ScriptedDelivery } from '../testing/index.ts';
import type { ApprovalStore } from './approval-store.ts';
import { Inbox } from './inbox.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import type { TierGateOptions } from './options.ts';

const ada = { id: 'ada', kind: 'person' } as const;
const position = { conversation: 'c1', batch: 'b1', toolUseId: 'tooluse_1' };
const again = { position, claim: true } as const;

function scripted(name: string, script: readonly ScriptedDelivery[] = []): ScriptedChannel {
  return new ScriptedChannel({ name, person: ada, script });
}

/** A process whose runs park, on a store that outlives it. */
function process(
  store: ApprovalStore,
  channels: readonly ScriptedChannel[],
  options: Partial<TierGateOptions> = {},
): World<Inbox> {
  return worldOf(new Inbox({ channels, waits: false }), { store, ...options });
}

function front(id: string = 'tooluse_1'): ReturnType<typeof unlock> {
  return { ...unlock('front', { principal: ada }), toolUseId: id };
}

describe('[P6] an inbox that parks', () => {
  it('leaves the question open as soon as one channel has it, and does not wait for a slow one', async () => {
    const a = scripted('a');
    const w = process(new MemoryApprovalStore(), [a, scripted('slow', [() => new Promise(() => undefined)])]);
    expect(await w.gate.run(front(), w.body, again)).toMatchObject({ status: 'pending' });
    await a.answer(a.open[0] ?? '', { decision: 'approved' });
    expect(await w.gate.run(front(), w.body, again)).toMatchObject({ status: 'success' });
    await w.clock.advance(0);
    expect([w.ran.length, a.closed.length, w.approver.open]).toEqual([1, 1, []]);
  });

  it('asks anew, on every channel, what an edit has changed beyond what was typed', async () => {
    const [a, b] = [scripted('a'), scripted('b')];
    const parse = (input: unknown): object => ({ seconds: 30, ...(input as object) });
    const entry = { name: 'unlock_door', tier: 2, effect: 'Unlocks', inputSchema: {}, parse } as const;
    const w = process(new MemoryApprovalStore(), [a, b], { catalog: catalogOf([entry]) });
    await w.gate.run(front(), w.body, again);
    const [id = ''] = a.open;
    await w.gate.edit(id, { arguments: { door: 'back' }, by: ada, channel: 'http' });
    await w.clock.advance(0);
    expect([a.closed, b.closed].map((closed) => closed.map((record) => record.status))).toEqual([['void'], ['void']]);
    expect(b.requests.map((request) => request.arguments)).toEqual([
      { door: 'front', seconds: 30 },
      { door: 'back', seconds: 30 },
    ]);
    await b.answer(b.open[0] ?? '', { decision: 'approved' });
    expect(await w.gate.run(front(), w.body, again)).toMatchObject({ status: 'success' });
    expect(w.ran).toEqual([{ door: 'back', seconds: 30 }]);
    expect(w.clock.timers).toBe(0);
  });

  it('delivers after a restart what is still open, page by page, and each question once', async () => {
    const store = new MemoryApprovalStore();
    const old = process(store, [scripted('a')]);
    for (let i = 0; i < 250; i++) await old.gate.check(front(`${i}`), { position: { ...position, toolUseId: `${i}` } });
    const { records } = await store.list({ limit: 1000 });
    await old.gate.decide(records[3]?.id ?? '', { decision: 'rejected', by: ada, channel: 'test' });
    const a = scripted('a');
    const w = process(store, [a]);
    expect(await w.approver.redeliver()).toHaveLength(249);
    expect(await w.approver.redeliver()).toEqual([]);
    await w.clock.advance(0);
    expect(a.open).toEqual(records.flatMap(({ id }, i) => (i === 3 ? [] : [id])));
    await a.answer(records[0]?.id ?? '', { decision: 'approved' });
    const claim = { position: { ...position, toolUseId: '0' }, claim: true };
    expect(await w.gate.run(front('0'), w.body, claim)).toMatchObject({ status: 'success' });
    await w.clock.advance(0);
    expect(a.closed.map(({ id }) => id)).toEqual([records[0]?.id]);
  });

  it('leaves out what has run out of time, and tells of what reaches nobody now', async () => {
    const store = new MemoryApprovalStore();
    const old = process(store, [scripted('a')], { timeoutSeconds: 60 });
    await old.gate.check(front(), again);
    const down = process(store, [scripted('a', [new Error('down')])]);
    expect(await down.approver.redeliver()).toHaveLength(1);
    await down.clock.advance(0);
    expect(down.of('error').at(-1)?.message).toContain('could be delivered to nobody');
    expect((await store.list({ status: 'pending' })).records).toHaveLength(1);
    const late = process(store, [scripted('a')]);
    await late.clock.advance(60_000);
    expect(await late.approver.redeliver()).toEqual([]);
  });

  it('takes down what was decided in another process, and does not show what was decided meanwhile', async () => {
    const store = new MemoryApprovalStore();
    const a = scripted('a');
    const here = process(store, [a]);
    await here.gate.check(front(), again);
    const there = process(store, [scripted('b')], { catalog: catalogOf(TOOLS) });
    await there.gate.decide(a.open[0] ?? '', { decision: 'rejected', by: ada, channel: 'there' });
    await here.clock.advance(0);
    expect(a.closed).toMatchObject([{ status: 'rejected', decision: { channel: 'there' } }]);
    expect(await there.approver.redeliver()).toEqual([]);
  });
});
