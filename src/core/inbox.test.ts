import { describe, expect, it } from 'vitest';
import { held, unlock, type World, worldOf } from '../../test/gate-fixture.ts';
import { type ManualClock, ScriptedChannel, type ScriptedDelivery } from '../testing/index.ts';
import type { Channel, Shown } from './channel.ts';
import { ConfigError } from './errors.ts';
import { TierGate } from './gate.ts';
import { Inbox } from './inbox.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import type { TierGateOptions } from './options.ts';
import { ServedChannel } from './served-channel.ts';

const ada = { id: 'ada', kind: 'person' } as const;
const bob = { id: 'bob', kind: 'person' } as const;
const front = unlock('front', { principal: ada });

function channel(
  name: string,
  script: readonly ScriptedDelivery[] = [],
  person: typeof ada | typeof bob = ada,
): ScriptedChannel {
  return new ScriptedChannel({ name, person, script });
}

function inbox(channels: readonly Channel[], options: Partial<TierGateOptions> = {}, waits = true): World<Inbox> {
  return worldOf(new Inbox({ channels, waits }), options);
}

/** Lets everything that promises have set in motion come to rest. */
function rest(w: { readonly clock: ManualClock }): Promise<void> {
  return w.clock.advance(0);
}

async function onlyRecord({ gate }: { readonly gate: TierGate }): ReturnType<MemoryApprovalStore['get']> {
  return (await gate.store.list()).records[0];
}

describe('[P6] one question on every channel', () => {
  it('is shown everywhere, is decided once, and is taken down everywhere with the final record', async () => {
    const channels = [channel('a'), channel('b', [{ decision: 'approved' }]), channel('c')];
    const w = inbox(channels);
    expect(await w.gate.run(front, w.body)).toMatchObject({ status: 'success', approval: 'approved' });
    await rest(w);
    expect(w.ran).toEqual([{ door: 'front' }]);
    const record = await onlyRecord(w);
    expect(record?.decision).toMatchObject({ decision: 'approved', by: ada, channel: 'b' });
    expect(record?.deliveries.map(({ channel: name, delivered }) => [name, delivered])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ]);
    for (const each of channels) expect(each.closed).toMatchObject([{ id: record?.id, decision: { channel: 'b' } }]);
    expect(w.approver.open).toEqual([]);
    expect(w.clock.timers).toBe(0);
  });

  it('goes only to channels that reach somebody who may decide', async () => {
    const channels = [channel('a'), channel('b', [], bob)];
    const w = inbox(channels);
    const outcome = w.gate.run(front, w.body);
    await rest(w);
    expect(channels.map(({ requests }) => requests.length)).toEqual([1, 0]);
    await channels[0]?.answer(channels[0].open[0] ?? '', { decision: 'rejected', reason: 'not now' });
    expect(await outcome).toMatchObject({
      refusal: { reason: 'rejected', refusal: expect.stringContaining('not now') },
    });
    expect(channels[1]?.closed).toEqual([]);
  });

  it('a channel that throws, rejects or hangs is noted, and stops neither the others nor the answer', async () => {
    const never = held<'silent'>();
    const broken: Channel = {
      name: 'broken',
      reaches: () => {
        throw new Error('no network');
      },
      deliver: () => Promise.resolve({}),
      close: () => undefined,
    };
    const slow = channel('slow', [() => never.promise]);
    const w = inbox([
      broken,
      channel('failing', [new Error('blocked')]),
      slow,
      channel('d', [{ decision: 'approved' }]),
    ]);
    expect(await w.gate.run(front, w.body)).toMatchObject({ status: 'success' });
    await rest(w);
    const record = await onlyRecord(w);
    expect(record?.deliveries).toMatchObject([
      { channel: 'broken', delivered: false },
      { channel: 'failing', delivered: false },
      { channel: 'd', delivered: true, shownDigest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(slow.closed).toHaveLength(1);
    never.settle('silent');
    await rest(w);
    expect(slow.open).toEqual([]);
  });

  it('is refused at once when no channel reaches anybody, and when none could deliver', async () => {
    for (const channels of [[channel('b', [], bob)], [channel('a', [new Error('down')]), channel('b', [], bob)]]) {
      const w = inbox(channels, { timeoutSeconds: 3600 });
      const outcome = await w.gate.run(front, w.body);
      expect(outcome).toMatchObject({
        refusal: {
          approval: 'refused',
          reason: 'no_approver',
          refusal: expect.stringContaining('Reason: nobody who may decide could be reached'),
        },
      });
      expect(await onlyRecord(w)).toMatchObject({
        status: 'cancelled',
        closedBecause: expect.stringContaining('nobody'),
      });
      expect([w.ran, w.clock.timers, w.of('tool_call').map(({ reason }) => reason)]).toEqual([[], 0, ['no_approver']]);
      // Whoever set it up sees in whose name it was asked: a caller that names nobody is anonymous.
      expect(w.of('error').at(-1)?.message).toBe(
        `'${front.tool}', which 'ada' asked for, was refused: nobody who may decide could be reached`,
      );
    }
  });

  it('a place that is only served counts as reached when somebody may decide there', async () => {
    const served = (who: typeof ada | typeof bob): ServedChannel =>
      new ServedChannel({ name: 'web', reaches: ({ mayDecide }) => mayDecide(who) });
    const w = inbox([served(ada)], {}, false);
    const outcome = await w.gate.run(front, w.body);
    expect(outcome).toMatchObject({ status: 'pending' });
    expect((await onlyRecord(w))?.deliveries).toEqual([{ channel: 'web', at: w.clock.now(), delivered: true }]);
    const nobody = inbox([served(bob)], {}, false);
    expect(await nobody.gate.run(front, nobody.body)).toMatchObject({ refusal: { reason: 'no_approver' } });
  });

  it('is decided by somebody elsewhere, and taken down with their name', async () => {
    const a = channel('a');
    const w = inbox([a]);
    const outcome = w.gate.run(front, w.body);
    await rest(w);
    const [id = ''] = a.open;
    await w.gate.decide(id, { decision: 'approved', by: ada, channel: 'http' });
    expect(await outcome).toMatchObject({ status: 'success' });
    expect(a.closed).toMatchObject([{ id, decision: { by: ada, channel: 'http' } }]);
    expect(await a.answer(id, { decision: 'rejected' })).toMatchObject({
      status: 'already_decided',
      record: { decision: { decision: 'approved', channel: 'http' } },
    });
  });

  it('is taken down once when it times out, and when the call is cancelled', async () => {
    const a = channel('a');
    const w = inbox([a], { timeoutSeconds: 5 });
    const late = w.gate.run(front, w.body);
    await w.clock.advance(5000);
    expect(await late).toMatchObject({ refusal: { reason: 'timeout' } });
    const abort = new AbortController();
    const cancelled = w.gate.run(front, w.body, { signal: abort.signal });
    await rest(w);
    abort.abort();
    expect(await cancelled).toMatchObject({ refusal: { reason: 'cancelled' } });
    await rest(w);
    expect(a.closed.map(({ status }) => status)).toEqual(['timeout', 'cancelled']);
    expect([w.approver.open, w.clock.timers]).toEqual([[], 0]);
  });

  it('does not stay up for ever when the store breaks before the end is on record', async () => {
    class Breaking extends MemoryApprovalStore {
      broken = false;
      override close(...args: Parameters<MemoryApprovalStore['close']>): ReturnType<MemoryApprovalStore['close']> {
        return this.broken ? Promise.reject(new Error('disk full')) : super.close(...args);
      }
    }
    const store = new Breaking();
    const a = channel('a');
    const w = inbox([a], { store });
    const abort = new AbortController();
    const outcome = w.gate.run(front, w.body, { signal: abort.signal });
    await rest(w);
    store.broken = true;
    abort.abort();
    expect(await outcome).toMatchObject({ refusal: { reason: 'gate_failed' } });
    await w.clock.advance(10_000);
    expect(a.closed).toHaveLength(1);
    expect(a.open).toEqual([]);
  });

  it('an error while taking it down is told, and stops nobody', async () => {
    const a = channel('a', [{ decision: 'approved' }]);
    const rude: Channel = {
      name: 'rude',
      reaches: () => true,
      deliver: (): Promise<Shown> => Promise.resolve({ shownDigest: 'a'.repeat(64) }),
      close: () => Promise.reject(new Error('gone')),
    };
    const w = inbox([rude, a]);
    expect(await w.gate.run(front, w.body)).toMatchObject({ status: 'success' });
    await rest(w);
    expect(a.closed).toHaveLength(1);
    expect(w.of('error')).toMatchObject([{ message: "channel 'rude' could not take a question down", error: 'gone' }]);
  });
});

describe('[P6] how long an inbox waits', () => {
  it('is as long as the slowest channel, without a limit when one has none; the gate wins', () => {
    const limited = (timeoutSeconds: number, name = String(timeoutSeconds)): ScriptedChannel =>
      new ScriptedChannel({ name, person: ada, timeoutSeconds });
    expect(new Inbox({ channels: [limited(60), limited(600)] }).timeoutSeconds).toBe(600);
    expect(new Inbox({ channels: [limited(60), channel('b')] }).timeoutSeconds).toBeUndefined();
    expect(() => new Inbox({ channels: [limited(0)] })).toThrow(ConfigError);
  });

  it.each([
    [undefined, 600_000],
    [5, 5000],
  ])('is on record: gate %s', async (timeoutSeconds, expected) => {
    const channels = [60, 600].map(
      (seconds) => new ScriptedChannel({ name: `${seconds}`, person: ada, timeoutSeconds: seconds }),
    );
    const w = inbox(channels, timeoutSeconds === undefined ? {} : { timeoutSeconds });
    const outcome = w.gate.run(front, w.body);
    await rest(w);
    const record = await onlyRecord(w);
    expect((record?.expiresAt ?? 0) - (record?.createdAt ?? 0)).toBe(expected);
    await w.clock.advance(expected);
    expect(await outcome).toMatchObject({ refusal: { reason: 'timeout' } });
  });
});

describe('[P6] set-up', () => {
  it('needs channels with names of their own, and serves one gate', async () => {
    expect(() => new Inbox({ channels: [] })).toThrow(ConfigError);
    expect(() => new Inbox({ channels: [channel('a'), channel('a')] })).toThrow("Two channels are named 'a'");
    const w = inbox([channel('a')]);
    expect(() => new TierGate({ catalog: w.catalog, approver: w.approver })).toThrow(ConfigError);
    const loose = new Inbox({ channels: [channel('a')] });
    const wrapped = worldOf({ name: 'wrapped', decide: (request, context) => loose.decide(request, context) });
    expect(await wrapped.gate.run(front, wrapped.body)).toMatchObject({ refusal: { reason: 'approver_failed' } });
    await expect(loose.redeliver()).rejects.toMatchObject({ code: 'not_attached' });
  });
});
