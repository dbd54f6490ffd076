import { afterEach, expect, it, vi } from 'vitest';
import { call, unlock, world } from '../../test/gate-fixture.ts';
import type { Transition } from './approval-record.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import { type Clock, systemClock } from './platform.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A clock that can be broken, in all that it does. */
function fragile() {
  let broken = false;
  const orFail = <T>(work: () => T): T => {
    if (broken) throw new Error('no clock');
    return work();
  };
  const clock: Clock = {
    now: () => orFail(() => systemClock.now()),
    after: (milliseconds, callback) => orFail(() => systemClock.after(milliseconds, callback)),
  };
  const breakIt = (): void => {
    broken = true;
  };
  return { clock, breakIt };
}

it.each(['success', 'error'] as const)(
  '[G6, G13] a clock that fails once the body has started changes nothing of how it ended: %s',
  async (status) => {
    const { clock, breakIt } = fragile();
    const { gate, of } = world(['approved'], { clock });
    const outcome = await gate.run(unlock(), async () => {
      breakIt();
      if (status === 'error') throw new Error('the lock is stuck');
      return 'opened';
    });
    expect(outcome).toMatchObject({ status, approval: 'approved' });
    expect((await gate.store.list()).records.map((record) => record.status)).toEqual([
      status === 'success' ? 'done' : 'failed',
    ]);
    expect(of('tool_call').map((event) => event.status)).toEqual([status]);
    expect(gate.running).toEqual([]);
  },
);

it('[G6, G13] an end that the store cannot take is offered again, whatever the clock does', async () => {
  vi.useFakeTimers();
  const { clock, breakIt } = fragile();
  let fails = 1;
  class Away extends MemoryApprovalStore {
    override async finish(...end: Parameters<MemoryApprovalStore['finish']>): Promise<Transition> {
      if (fails-- > 0) throw new Error('away');
      return super.finish(...end);
    }
  }
  const { gate, of } = world(['approved'], { clock, store: new Away() });
  await gate.run(unlock(), async () => breakIt());
  expect([of('error').map(({ where }) => where), gate.running.length]).toEqual([['store'], 1]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([(await gate.store.list()).records[0]?.status, gate.running]).toEqual(['done', []]);
});

it('[G6] a clock that fails before refuses every call, and says so', async () => {
  for (const tool of ['read_lock', 'add_note', 'unlock_door']) {
    const { clock, breakIt } = fragile();
    const { gate, of, ran, body } = world(['approved'], { clock });
    breakIt();
    const outcome = await gate.run(call(tool, {}), body);
    expect(outcome).toMatchObject({ status: 'refused', refusal: { reason: 'gate_failed' }, durationMs: 0 });
    expect([ran, of('tool_call').length, of('error').length]).toEqual([[], 1, 1]);
  }
});
