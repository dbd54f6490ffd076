import { describe, expect, it } from 'vitest';
import { call, held, unlock, world } from '../../test/gate-fixture.ts';
import type { Transition } from './approval-record.ts';
import { MemoryApprovalStore } from './memory-store.ts';

describe('[G13] run', () => {
  it('checks, redeems, runs the body and records, in this order', async () => {
    const order: string[] = [];
    class Noting extends MemoryApprovalStore {
      override async consume(id: string, token: string, at: number): Promise<Transition> {
        order.push('redeemed');
        return super.consume(id, token, at);
      }
    }
    const { gate } = world(
      [
        () => {
          order.push('asked');
          return 'approved';
        },
      ],
      { store: new Noting(), sinks: [(event) => void order.push(event.type)] },
    );
    await gate.run(unlock(), async () => {
      order.push('body');
    });
    expect(order).toEqual(['asked', 'approval', 'redeemed', 'body', 'tool_call']);
  });

  it('hands the outcome back whole, and stores how the body ended', async () => {
    const { gate, clock, of } = world(['approved', 'approved']);
    const done = gate.run(unlock(), async () => {
      await new Promise<void>((resolve) => clock.after(250, resolve));
      return { opened: true };
    });
    await clock.advance(250);
    const id = (await gate.store.list()).records[0]?.id;
    const expected = {
      status: 'success',
      value: { opened: true },
      approval: 'approved',
      approvalId: id,
      durationMs: 250,
    };
    expect(await done).toEqual(expected);
    const error = new Error('the lock is stuck');
    expect(await gate.run(unlock(), () => Promise.reject(error))).toMatchObject({ status: 'error', error });
    expect((await gate.store.list()).records.map((record) => record.status)).toEqual(['done', 'failed']);
    expect(of('tool_call')).toMatchObject([
      { status: 'success', resultSummary: '{"opened":true}', approval: 'approved', approvalId: id, durationMs: 250 },
      { status: 'error', resultSummary: 'the lock is stuck', approval: 'approved' },
    ]);
  });

  it('takes a body that throws at once for one that ran and failed', async () => {
    const { gate, of } = world(['approved']);
    const thrown = gate.run(unlock(), () => {
      throw new Error('at once');
    });
    expect(await thrown).toMatchObject({ status: 'error', approval: 'approved' });
    expect(of('tool_call')).toHaveLength(1);
  });

  it('asks again when the yes lapsed before it could be used', async () => {
    const { gate, clock, approver, of, ran, body } = world(['approved', 'approved', 'approved'], {
      useWithinSeconds: 10,
    });
    const first = held<void>();
    const holding = gate.run(unlock('front'), () => first.promise);
    await clock.advance(0);
    const waiting = gate.run(unlock('back'), body);
    await clock.advance(10_001);
    first.settle();
    await holding;
    expect(await waiting).toMatchObject({ status: 'success' });
    expect(approver.requests.map((request) => request.arguments)).toEqual([
      { door: 'front' },
      { door: 'back' },
      { door: 'back' },
    ]);
    expect(ran).toEqual([{ door: 'back' }]);
    expect((await gate.store.list()).records.map((record) => record.status)).toEqual(['done', 'expired', 'done']);
    expect(of('tool_call')).toHaveLength(2);
  });

  it('with a description that fails, the body has still run once and is told once', async () => {
    const { gate, of, ran, body } = world(['approved']);
    const describeIt = (): never => {
      throw new Error('no words');
    };
    expect(await gate.run(unlock(), body, { describe: describeIt })).toMatchObject({
      status: 'success',
      value: 'done',
    });
    expect(ran).toHaveLength(1);
    expect(of('tool_call')).toMatchObject([{ status: 'success', resultSummary: '(no summary: no words)' }]);
    expect((await gate.store.list()).records).toMatchObject([{ status: 'done' }]);
  });

  it('with a description, tells and stores what it says, cut to 200 characters', async () => {
    const { gate, of } = world(['approved']);
    await gate.run(unlock(), async () => 7, {
      describe: (value) => ({ status: 'error', summary: 'x'.repeat(500), result: () => ({ value }) }),
    });
    expect(of('tool_call')).toMatchObject([{ status: 'error', resultSummary: `${'x'.repeat(199)}…` }]);
    expect((await gate.store.list()).records).toMatchObject([{ status: 'failed', outcome: { result: { value: 7 } } }]);
  });
});

describe('[G4] a body that stops itself to wait', () => {
  const stop = new Error('waiting for an answer');
  const suspends = (error: unknown): boolean => error === stop;

  it('is suspended, and told only when it ends', async () => {
    const { gate, events, body } = world();
    const note = call('add_note', {});
    expect(await gate.run(note, () => Promise.reject(stop), { suspends })).toEqual({
      status: 'suspended',
      error: stop,
    });
    expect(events).toEqual([]);
    expect(await gate.run(note, body, { suspends })).toMatchObject({ status: 'success' });
    expect(events).toHaveLength(1);
  });

  it('has failed when it ran on an approval, which is used up, or when the error is another', async () => {
    const { gate, of } = world(['approved']);
    expect(await gate.run(unlock(), () => Promise.reject(stop), { suspends })).toMatchObject({ status: 'error' });
    expect((await gate.store.list()).records).toMatchObject([{ status: 'failed' }]);
    const other = (): Promise<never> => Promise.reject(new Error('other'));
    expect(await gate.run(call('add_note', {}), other, { suspends })).toMatchObject({ status: 'error' });
    expect(of('tool_call')).toHaveLength(2);
  });
});

describe('[G13] the lock of tier-2 bodies', () => {
  it('lets one run at a time, over all conversations', async () => {
    const { gate, clock } = world(['approved', 'approved', 'approved']);
    let inside = 0;
    let most = 0;
    const body = async (): Promise<void> => {
      inside++;
      most = Math.max(most, inside);
      await new Promise<void>((resolve) => clock.after(10, resolve));
      inside--;
    };
    const conversations = ['c1', 'c2', 'c3'];
    const all = Promise.all(conversations.map((conversation) => gate.run(unlock('front', { conversation }), body)));
    await clock.advance(30);
    expect((await all).map((outcome) => outcome.status)).toEqual(['success', 'success', 'success']);
    expect(most).toBe(1);
  });

  it('does not hold up tiers 0 and 1, nor a body that was told not to take it', async () => {
    const { gate, clock, ran, body } = world(['approved', 'approved']);
    const first = held<void>();
    const holding = gate.run(unlock(), () => first.promise);
    await clock.advance(0);
    await gate.run(call('read_lock', { n: 0 }), body);
    await gate.run(call('add_note', { n: 1 }), body);
    await gate.run(unlock('back'), body, { lock: false });
    expect(ran).toEqual([{ n: 0 }, { n: 1 }, { door: 'back' }]);
    first.settle();
    await holding;
  });

  it('is passed on when a body fails', async () => {
    const { gate, ran, body } = world(['approved', 'approved']);
    const both = [gate.run(unlock(), () => Promise.reject(new Error('x'))), gate.run(unlock('back'), body)];
    expect((await Promise.all(both)).map((outcome) => outcome.status)).toEqual(['error', 'success']);
    expect(ran).toEqual([{ door: 'back' }]);
  });

  it('a call that is cancelled while it waits for it does not start, and its approval is closed', async () => {
    const { gate, clock, of, ran, body } = world(['approved', 'approved', 'approved']);
    const first = held<void>();
    const abort = new AbortController();
    const holding = gate.run(unlock('front'), () => first.promise);
    await clock.advance(0);
    const waiting = gate.run(unlock('back'), body, { signal: abort.signal });
    const next = gate.run(unlock('cellar'), body);
    await clock.advance(0);
    abort.abort();
    expect(await waiting).toMatchObject({ status: 'refused', refusal: { reason: 'cancelled' } });
    first.settle();
    await Promise.all([holding, next]);
    expect(ran).toEqual([{ door: 'cellar' }]);
    const records = (await gate.store.list()).records;
    expect(records.map((record) => record.status)).toEqual(['done', 'cancelled', 'done']);
    expect(records[1]?.closedBecause).toBe('the call was cancelled before it started');
    expect(of('tool_call')).toHaveLength(3);
  });
});
