import { describe, expect, it } from 'vitest';
import { catalogOf, recordingLogger, TOOLS, unlock, world, worldOf } from '../../test/gate-fixture.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { type ScriptedAnswer, ScriptedApprover } from '../testing/scripted-approver.ts';
import { TierGate } from './gate.ts';
import { ParkingApprover } from './parking-approver.ts';
import type { Clock } from './platform.ts';

const never: ScriptedAnswer = () => new Promise(() => undefined);
const DAY = 86_400_000;

describe('[G10] time limits', () => {
  it('of the gate end the question: signal, decision, refusal text and both events', async () => {
    const signals: AbortSignal[] = [];
    const { gate, clock, of, ran, body, log } = world(
      [
        (_request, { signal }) => {
          signals.push(signal);
          return new Promise(() => undefined);
        },
      ],
      { timeoutSeconds: 30 },
    );
    const running = gate.run(unlock(), body);
    await clock.advance(29_999);
    expect([of('approval'), signals.map((signal) => signal.aborted)]).toEqual([[], [false]]);
    await clock.advance(1);
    expect(await running).toEqual({
      status: 'refused',
      refusal: {
        allowed: false,
        approval: 'timeout',
        reason: 'timeout',
        refusal: 'The user did not approve this action: unlock_door. Do not perform it; tell the user briefly.',
      },
      durationMs: 30_000,
    });
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect(of('approval')).toMatchObject([
      { decision: 'timeout', by: { id: 'tau', kind: 'service' }, durationMs: 30_000 },
    ]);
    expect(of('tool_call')).toMatchObject([{ status: 'error', approval: 'timeout', reason: 'timeout' }]);
    expect(log.filter((line) => line.message === 'approval timed out').map((line) => line.level)).toEqual(['warn']);
    expect((await gate.store.list()).records).toMatchObject([{ status: 'timeout', decision: { decision: 'timeout' } }]);
    expect([ran, clock.timers]).toEqual([[], 0]);
  });

  it('of the approver count when the gate has none', async () => {
    const { gate, clock } = worldOf(new ScriptedApprover([never], { timeoutSeconds: 5 }));
    const checking = gate.check(unlock());
    await clock.advance(5000);
    expect(await checking).toMatchObject({ approval: 'timeout' });
  });

  it.each([
    [2, 60],
    [60, 2],
  ])('of the gate (%i s) win over those of the approver (%i s)', async (gateSeconds, approverSeconds) => {
    const approver = new ScriptedApprover([never], { timeoutSeconds: approverSeconds });
    const { gate, clock } = worldOf(approver, { timeoutSeconds: gateSeconds });
    let over = false;
    const checking = gate.check(unlock()).finally(() => {
      over = true;
    });
    await clock.advance(gateSeconds * 1000 - 1);
    expect(over).toBe(false);
    await clock.advance(1);
    expect(await checking).toMatchObject({ approval: 'timeout' });
  });

  it('are none when neither says one: silence waits, and never approves', async () => {
    const { gate, clock, ran, body } = world([never]);
    const abort = new AbortController();
    const running = gate.run(unlock(), body, { signal: abort.signal });
    await clock.advance(365 * DAY);
    expect([ran, clock.timers]).toEqual([[], 0]);
    abort.abort();
    expect(await running).toMatchObject({ refusal: { reason: 'cancelled' } });
  });

  it('start when the question is asked, not while it waits in line', async () => {
    const { gate, clock } = world([never, never], { timeoutSeconds: 10 });
    const first = gate.check(unlock());
    const second = gate.check(unlock());
    let secondOver = false;
    void second.then(() => {
      secondOver = true;
    });
    await clock.advance(10_000);
    expect(await first).toMatchObject({ approval: 'timeout' });
    await clock.advance(9999);
    expect(secondOver).toBe(false);
    await clock.advance(1);
    expect(await second).toMatchObject({ approval: 'timeout' });
  });

  it('leave no timer behind when the answer comes in time', async () => {
    const { gate, clock } = world(['approved', 'rejected'], { timeoutSeconds: 10 });
    expect(await gate.check(unlock())).toMatchObject({ allowed: true });
    expect(await gate.check(unlock())).toMatchObject({ allowed: false });
    expect(clock.timers).toBe(0);
  });

  it('hold although no timer fired, as after the machine slept: a late yes is a timeout', async () => {
    let now = 0;
    const clock: Clock = { now: () => now, after: () => () => undefined };
    const approver = new ScriptedApprover([
      () => {
        now = 10_000;
        return 'approved';
      },
    ]);
    const gate = new TierGate({
      catalog: catalogOf(TOOLS),
      approver,
      clock,
      timeoutSeconds: 10,
      logger: recordingLogger().logger,
    });
    expect(await gate.check(unlock())).toMatchObject({ allowed: false, approval: 'timeout' });
  });

  it('are on record as the time at which the question expires', async () => {
    const { gate, clock } = world([{ parked: true }], { timeoutSeconds: 30 });
    await gate.check(unlock());
    expect((await gate.store.list()).records).toMatchObject([{ expiresAt: clock.now() + 30_000, status: 'pending' }]);
  });
});

describe('[G10] the manual clock', () => {
  it('fires timers in order of time, each at its own, and those that timers set', async () => {
    const clock = new ManualClock(1000);
    const fired: [string, number][] = [];
    const note = (name: string) => (): void => void fired.push([name, clock.now()]);
    clock.after(20, note('b'));
    clock.after(10, () => {
      note('a')();
      clock.after(5, note('a+5'));
    });
    clock.after(20, note('c'));
    const undo = clock.after(15, note('never'));
    undo();
    clock.after(21, note('later'));
    await clock.advance(20);
    expect(fired).toEqual([
      ['a', 1010],
      ['a+5', 1015],
      ['b', 1020],
      ['c', 1020],
    ]);
    expect([clock.now(), clock.timers]).toEqual([1020, 1]);
  });

  it('lets promises come to rest between two timers', async () => {
    const clock = new ManualClock();
    const order: string[] = [];
    const chain = async (): Promise<void> => {
      for (let i = 0; i < 1000; i++) await Promise.resolve();
      order.push('first');
    };
    clock.after(1, () => void chain());
    clock.after(2, () => void order.push('second'));
    await clock.advance(2);
    expect(order).toEqual(['first', 'second']);
  });
});

describe('[G10, G15] a question whose time has passed', () => {
  const clocked = { decision: 'timeout', by: { id: 'tau', kind: 'service' }, channel: 'clock' };

  it.each<[string, ScriptedAnswer]>([
    ['nobody answered', never],
    ['the approver says so', async () => ({ decision: 'timeout', by: { id: 'ada', kind: 'person' }, reason: 'gone' })],
  ])('was decided by the clock, in the record and in the event: %s', async (_, answer) => {
    const { gate, clock, of } = world([answer], { timeoutSeconds: 10 });
    const checking = gate.check(unlock());
    await clock.advance(10_000);
    expect(await checking).toMatchObject({ approval: 'timeout' });
    const [record] = (await gate.store.list()).records;
    expect(record?.decision).toEqual({ ...clocked, at: record?.updatedAt, tookMs: expect.any(Number) });
    expect(of('approval')).toMatchObject([{ decision: 'timeout', approver: 'clock', by: clocked.by }]);
  });

  it('so too where it was parked, and is found only when its call is dispatched again', async () => {
    const w = worldOf(new ParkingApprover(), { timeoutSeconds: 10 });
    const position = { conversation: 'c1', batch: 'm1', toolUseId: 'tooluse_1' };
    await w.gate.check(unlock(), { position, claim: true });
    await w.clock.advance(10_000);
    expect(await w.gate.check(unlock(), { position, claim: true })).toMatchObject({ approval: 'timeout' });
    expect((await w.gate.store.list()).records).toMatchObject([{ status: 'timeout', decision: clocked }]);
    expect(w.of('approval')).toMatchObject([{ approver: 'clock', by: clocked.by, durationMs: 10_000 }]);
  });
});
