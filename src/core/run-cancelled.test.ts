import { describe, expect, it } from 'vitest';
import { call, held, unlock, world } from '../../test/gate-fixture.ts';
import type { Transition } from './approval-record.ts';
import type { Answer } from './approver.ts';
import type { AgentEvent } from './events.ts';
import { MemoryApprovalStore } from './memory-store.ts';

/** A store whose `consume` waits until the test lets it go. */
class SlowConsume extends MemoryApprovalStore {
  readonly reached = held<void>();
  readonly go = held<void>();

  override async consume(id: string, token: string, at: number): Promise<Transition> {
    this.reached.settle();
    await this.go.promise;
    return super.consume(id, token, at);
  }
}

describe('[G13] a call that is cancelled', () => {
  it('before anything is not asked about', async () => {
    const { gate, approver, of, ran, body } = world(['approved']);
    expect(await gate.run(unlock(), body, { signal: AbortSignal.abort() })).toMatchObject({
      status: 'refused',
      refusal: { reason: 'cancelled', approval: 'refused' },
    });
    expect([approver.requests, ran, (await gate.store.list()).records]).toEqual([[], [], []]);
    expect(of('tool_call')).toMatchObject([{ reason: 'cancelled' }]);
  });

  it('while the record is being written is not asked about', async () => {
    const abort = new AbortController();
    const { gate, approver, ran, body } = world(['approved']);
    gate.store.watch(() => abort.abort());
    expect(await gate.run(unlock(), body, { signal: abort.signal })).toMatchObject({
      refusal: { reason: 'cancelled' },
    });
    expect([approver.requests, ran]).toEqual([[], []]);
    expect((await gate.store.list()).records).toMatchObject([{ status: 'cancelled' }]);
  });

  it('while the question is open withdraws it, and the approver hears of it', async () => {
    const abort = new AbortController();
    const signals: AbortSignal[] = [];
    const { gate, clock, of, ran, body } = world([
      (_request, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    ]);
    const running = gate.run(unlock(), body, { signal: abort.signal });
    await clock.advance(0);
    abort.abort();
    expect(await running).toMatchObject({ status: 'refused', refusal: { reason: 'cancelled' } });
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect([ran, of('approval')]).toEqual([[], []]);
    expect((await gate.store.list()).records).toMatchObject([
      { status: 'cancelled', closedBecause: 'the call was cancelled' },
    ]);
  });

  it.each([[true], [false]])(
    'at the moment of the yes does not start, and leaves no approval to be used (lock: %s)',
    async (lock) => {
      const abort = new AbortController();
      const { gate, ran, body } = world(['approved'], {
        sinks: [(event: AgentEvent) => (event.type === 'approval' ? abort.abort() : undefined)],
      });
      expect(await gate.run(unlock(), body, { signal: abort.signal, lock })).toMatchObject({
        refusal: { reason: 'cancelled' },
      });
      expect(ran).toEqual([]);
      expect((await gate.store.list()).records).toMatchObject([
        { status: 'cancelled', decision: { decision: 'approved' } },
      ]);
    },
  );

  it('while its ticket is being redeemed does not start, and what was used up stays so', async () => {
    const store = new SlowConsume();
    const abort = new AbortController();
    const { gate, of, ran, body } = world(['approved'], { store });
    const running = gate.run(unlock(), body, { signal: abort.signal });
    await store.reached.promise;
    abort.abort();
    store.go.settle();
    expect(await running).toMatchObject({ status: 'refused', refusal: { reason: 'cancelled' } });
    expect(ran).toEqual([]);
    expect((await store.list()).records).toMatchObject([{ status: 'failed' }]);
    expect(of('tool_call')).toMatchObject([{ reason: 'cancelled', approval: 'refused' }]);
  });

  it('of tier 0 or 1, or exempt, gets no ticket and does not start either', async () => {
    const { gate, ran, body } = world();
    gate.addExemption(() => true);
    for (const tool of ['read_lock', 'add_note', 'unlock_door']) {
      expect(await gate.check(call(tool, {}), { signal: AbortSignal.abort() })).toMatchObject({ reason: 'cancelled' });
      expect(await gate.run(call(tool, {}), body, { signal: AbortSignal.abort() })).toMatchObject({
        refusal: { reason: 'cancelled' },
      });
    }
    expect(ran).toEqual([]);
  });

  it('while its body runs is the business of the body', async () => {
    const abort = new AbortController();
    const { gate } = world(['approved']);
    const outcome = await gate.run(
      unlock(),
      async () => {
        abort.abort();
        return 'finished anyway';
      },
      { signal: abort.signal },
    );
    expect(outcome).toMatchObject({ status: 'success', value: 'finished anyway' });
  });

  it('at any moment never ends with a body that nobody approved, whatever the answer', async () => {
    for (let moment = 0; moment < 40; moment++) {
      const answer = held<Answer>();
      const abort = new AbortController();
      const { gate, clock, ran, body } = world([() => answer.promise]);
      const running = gate.run(unlock(), body, { signal: abort.signal });
      answer.settle('approved');
      for (let i = 0; i < moment; i++) await Promise.resolve();
      abort.abort();
      const outcome = await running;
      await clock.advance(0);
      const [record] = (await gate.store.list()).records;
      expect([outcome.status, ran.length]).toEqual(outcome.status === 'success' ? ['success', 1] : ['refused', 0]);
      expect(record === undefined || ['done', 'failed', 'cancelled'].includes(record.status)).toBe(true);
    }
  });
});
