import { describe, expect, it } from 'vitest';
import { held, unlock, world, worldOf } from '../../test/gate-fixture.ts';
import type { ScriptedAnswer } from '../testing/scripted-approver.ts';
import type { Answer, Approver } from './approver.ts';
import type { Principal } from './call.ts';

/** An approver made of anything, as plain JavaScript could write it. */
function odd(decide: unknown): Approver {
  return { name: 'odd', decide: decide as never };
}

/** An object with a `then` of its own. */
function thenable(then: () => unknown): object {
  return Object.fromEntries([['then', then]]);
}

const thrown = (): never => {
  throw new Error('the screen is broken');
};

describe('[P7] an approver', () => {
  it('is told whose yes would count, by the policy of the gate', async () => {
    const told: unknown[] = [];
    const ask: Approver['decide'] = async (_request, { mayDecide }) => {
      const kinds = ['person', 'agent'] as const;
      told.push(...['anonymous', 'eve'].map((id) => kinds.map((kind) => mayDecide?.({ id, kind }))));
      return { unreachable: true };
    };
    const { gate, ran, body } = worldOf(odd(ask));
    expect(await gate.run(unlock(), body)).toMatchObject({ refusal: { reason: 'no_approver' } });
    expect([told, ran]).toEqual([
      [
        [true, false],
        [false, false],
      ],
      [],
    ]);
  });
});

describe('[G6] an approver that fails', () => {
  it.each<[string, unknown, string]>([
    ['throws at once', thrown, 'the screen is broken'],
    ['rejects', () => Promise.reject(new Error('unplugged')), 'unplugged'],
    ['rejects with nothing', () => Promise.reject(undefined), 'decide() failed'],
    ['has no decide', undefined, 'not a function'],
    ['returns a decision instead of a promise', () => 'approved', 'did not return a promise'],
    ['returns true', () => true, 'did not return a promise'],
    ['returns nothing', () => undefined, 'did not return a promise'],
    ['returns a function with a then', () => Object.assign(() => 1, thenable(thrown)), 'did not return a promise'],
    ['returns a thenable that throws', () => thenable(thrown), 'the screen is broken'],
    ['answers true', async () => true, 'answered true'],
    ['answers 1', async () => 1, 'answered 1'],
    ['answers y', async () => 'y', 'answered y'],
    ['answers Approved', async () => 'Approved', 'answered Approved'],
    ['answers nothing', async () => undefined, 'answered undefined'],
    ['answers null', async () => null, 'answered null'],
    ['answers a symbol', async () => Symbol('approved'), 'answered Symbol(approved)'],
    ['answers {}', async () => ({}), 'not a decision'],
    ['answers []', async () => ['approved'], 'not a decision'],
    ['answers a boxed decision', async () => Object('approved'), 'not a decision'],
    ['answers an object that reads as a decision', async () => ({ toString: () => 'approved' }), 'not a decision'],
    ['answers decision: true', async () => ({ decision: true }), 'not a decision'],
    ['answers approved: true', async () => ({ approved: true }), 'not a decision'],
    ['answers parked: 1', async () => ({ parked: 1 }), 'not a decision'],
    ['gives a reason that is no text', async () => ({ decision: 'approved', reason: 7 }), 'a reason that is not text'],
    ['names no principal', async () => ({ decision: 'approved', by: 'ada' }), 'not a principal'],
    ['names a principal of no kind', async () => ({ decision: 'approved', by: { id: 'ada' } }), 'not a principal'],
    ['names null', async () => ({ decision: 'approved', by: null }), 'not a principal'],
    [
      'names an agent',
      async () => ({ decision: 'approved', by: { id: 'anonymous', kind: 'agent' } }),
      "agent 'anonymous' may not approve this",
    ],
    [
      'names a stranger',
      async () => ({ decision: 'approved', by: { id: 'eve', kind: 'person' } }),
      "person 'eve' may not approve this",
    ],
    ['throws while its answer is read', async () => Object.defineProperty({}, 'decision', { get: thrown }), 'broken'],
  ])('and %s refuses the call, and the error event says so', async (_what, decide, problem) => {
    const { gate, of, ran, body, log } = worldOf(odd(decide));
    const outcome = await gate.run(unlock(), body);
    expect(outcome).toMatchObject({
      status: 'refused',
      refusal: { allowed: false, approval: 'rejected', reason: 'approver_failed' },
    });
    expect(ran).toEqual([]);
    expect(of('error')).toMatchObject([{ where: 'approver' }]);
    expect(of('error').map(({ message, error }) => `${message}: ${error}`)).toEqual([expect.stringContaining(problem)]);
    expect(of('approval')).toMatchObject([{ decision: 'rejected', by: { id: 'tau', kind: 'service' } }]);
    expect(of('tool_call')).toMatchObject([{ status: 'error', approval: 'rejected', reason: 'approver_failed' }]);
    expect(log.filter((line) => line.level === 'error')).toHaveLength(1);
  });

  it('and gives a thenable that never settles is waited for like any other, until the time limit', async () => {
    const { gate, clock, ran, body } = worldOf(
      odd(() => thenable(() => undefined)),
      { timeoutSeconds: 10 },
    );
    const running = gate.run(unlock(), body);
    await clock.advance(10_000);
    expect(await running).toMatchObject({ refusal: { reason: 'timeout' } });
    expect(ran).toEqual([]);
  });

  it('does not approve as the requester when that is an agent', async () => {
    const agent: Principal = { id: 'helper', kind: 'agent' };
    const { gate, approver } = world(['approved', { decision: 'approved', by: agent }]);
    expect(await gate.check(unlock('front', { principal: agent }))).toMatchObject({ reason: 'approver_failed' });
    expect(await gate.check(unlock('front', { principal: agent }))).toMatchObject({ reason: 'approver_failed' });
    expect(approver.requests).toHaveLength(2);
  });

  it('an answer whose decider changes between two looks is believed as it was first read', async () => {
    let looks = 0;
    const by = {
      id: 'anonymous',
      get kind(): Principal['kind'] {
        return looks++ < 1 ? 'person' : 'agent';
      },
    };
    const { gate, of } = world([{ decision: 'approved', by }]);
    await gate.check(unlock());
    for (const event of of('approval')) expect(event.by?.kind === 'agent' && event.decision === 'approved').toBe(false);
  });
});

describe('[G6] an answer that comes too late', () => {
  it.each<[string, ScriptedAnswer]>([
    ['approved', 'approved'],
    ['an object', { decision: 'approved', reason: 'sorry' }],
  ])('after the time limit (%s) changes nothing', async (_what, late) => {
    const answer = held<Answer>();
    const { gate, clock, of, ran, body } = world([() => answer.promise], { timeoutSeconds: 10 });
    const running = gate.run(unlock(), body);
    await clock.advance(10_000);
    expect(await running).toMatchObject({ refusal: { approval: 'timeout' } });
    answer.settle(typeof late === 'function' ? 'approved' : late);
    await clock.advance(60_000);
    expect(ran).toEqual([]);
    expect(of('approval')).toHaveLength(1);
    expect((await gate.store.list()).records.map((record) => record.status)).toEqual(['timeout']);
  });

  it('after the call was cancelled changes nothing, and neither does a late failure', async () => {
    const [first, second] = [held<Answer>(), held<Answer>()];
    const { gate, clock, of, ran, body } = world([() => first.promise, () => second.promise]);
    for (const late of [() => first.settle('approved'), () => second.fail(new Error('too late'))]) {
      const abort = new AbortController();
      const running = gate.run(unlock(), body, { signal: abort.signal });
      await clock.advance(0);
      abort.abort();
      expect(await running).toMatchObject({ refusal: { reason: 'cancelled' } });
      late();
      await clock.advance(0);
    }
    expect(ran).toEqual([]);
    expect([of('approval'), of('error')]).toEqual([[], []]);
    expect((await gate.store.list()).records.map((record) => record.status)).toEqual(['cancelled', 'cancelled']);
  });
});

describe('[P2] a decision made elsewhere', () => {
  it('ends the waiting question, and the approver is told through its signal', async () => {
    const signals: AbortSignal[] = [];
    const { gate, clock, approver, of, ran, body } = world([
      (_request, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    ]);
    const running = gate.run(unlock(), body);
    await clock.advance(0);
    const id = approver.requests[0]?.id ?? '';
    const by: Principal = { id: 'anonymous', kind: 'person' };
    expect(await gate.decide(id, { decision: 'approved', by, channel: 'web' })).toMatchObject({ status: 'decided' });
    expect(await running).toMatchObject({ status: 'success', approval: 'approved', approvalId: id });
    expect(ran).toEqual([{ door: 'front' }]);
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect(of('approval')).toMatchObject([{ decision: 'approved', approver: 'web', by }]);
  });

  it('wins over the approver that answers after it', async () => {
    const answer = held<Answer>();
    const { gate, clock, approver, of } = world([() => answer.promise]);
    const checking = gate.check(unlock());
    await clock.advance(0);
    const id = approver.requests[0]?.id ?? '';
    const by: Principal = { id: 'anonymous', kind: 'person' };
    const deciding = gate.decide(id, { decision: 'rejected', by, channel: 'web', reason: 'no' });
    answer.settle('approved');
    await deciding;
    const verdict = await checking;
    const [decision] = of('approval');
    expect(of('approval')).toHaveLength(1);
    expect(verdict.approval).toBe(decision?.decision);
  });

  it('even while the question is being written', async () => {
    const { gate, clock, ran, body } = world([() => new Promise(() => undefined)]);
    const by: Principal = { id: 'anonymous', kind: 'person' };
    gate.store.watch((id) => void gate.decide(id, { decision: 'approved', by, channel: 'bot' }));
    const running = gate.run(unlock(), body);
    await clock.advance(0);
    expect(await running).toMatchObject({ status: 'success' });
    expect(ran).toHaveLength(1);
  });

  it('withdraws the question of a waiting approver when the requester cancels it in the store', async () => {
    const { gate, clock, approver, ran, body } = world([() => new Promise(() => undefined)]);
    const running = gate.run(unlock(), body);
    await clock.advance(0);
    await gate.store.close(approver.requests[0]?.id ?? '', 'cancelled', clock.now(), 'changed my mind');
    expect(await running).toMatchObject({ status: 'refused', refusal: { reason: 'cancelled' } });
    expect(ran).toEqual([]);
  });
});
