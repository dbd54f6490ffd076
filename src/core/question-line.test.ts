import { describe, expect, it } from 'vitest';
import { held, unlock, world } from '../../test/gate-fixture.ts';
import type { Answer } from './approver.ts';
import type { ToolCall } from './call.ts';

const inConversation = (conversation: string, door: string): ToolCall => unlock(door, { conversation });

describe('[G9] one question at a time', () => {
  it('in one conversation: parallel calls ask one after the other, in order', async () => {
    const answers = [held<Answer>(), held<Answer>(), held<Answer>()];
    const { gate, approver, clock, ran, body } = world(answers.map((answer) => () => answer.promise));
    const doors = ['front', 'back', 'cellar'];
    const running = Promise.all(doors.map((door) => gate.run(unlock(door), body)));
    for (const [n, answer] of answers.entries()) {
      await clock.advance(0);
      expect(approver.requests.map((request) => request.arguments)).toEqual(
        doors.slice(0, n + 1).map((door) => ({ door })),
      );
      answer.settle(n === 1 ? 'rejected' : 'approved');
    }
    expect((await running).map((outcome) => outcome.status)).toEqual(['success', 'refused', 'success']);
    expect(ran).toEqual([{ door: 'front' }, { door: 'cellar' }]);
  });

  it('a silent person does not block another conversation', async () => {
    const { gate, approver } = world([() => new Promise(() => undefined), 'approved']);
    void gate.check(inConversation('silent', 'front'));
    expect(await gate.check(inConversation('other', 'back'))).toMatchObject({ allowed: true });
    expect(approver.requests).toHaveLength(2);
  });

  it('calls without a conversation share one line', async () => {
    const { gate, approver, clock } = world([() => new Promise(() => undefined), 'approved']);
    const direct = (door: string): ToolCall => ({ tool: 'unlock_door', arguments: { door } });
    void gate.check(direct('front'));
    void gate.check(direct('back'));
    await clock.advance(0);
    expect(approver.requests).toHaveLength(1);
  });

  it('a call that is cancelled while it waits leaves the line, is not asked, and does not hold up the next', async () => {
    const first = held<Answer>();
    const { gate, approver, clock, of, ran, body } = world([() => first.promise, 'approved']);
    const abort = new AbortController();
    const asked = gate.run(unlock('front'), body);
    const waiting = gate.run(unlock('back'), body, { signal: abort.signal });
    const next = gate.run(unlock('cellar'), body);
    await clock.advance(0);
    abort.abort();
    expect(await waiting).toMatchObject({ status: 'refused', refusal: { reason: 'cancelled' } });
    first.settle('rejected');
    expect(await asked).toMatchObject({ status: 'refused' });
    expect(await next).toMatchObject({ status: 'success' });
    expect(approver.requests.map((request) => request.arguments)).toEqual([{ door: 'front' }, { door: 'cellar' }]);
    expect(ran).toEqual([{ door: 'cellar' }]);
    expect(of('tool_call')).toHaveLength(3);
  });

  it('parked questions do not hold the line', async () => {
    const { gate, approver } = world([{ parked: true }, { parked: true }, 'approved']);
    expect((await gate.check(unlock('front'))).approval).toBe('pending');
    expect((await gate.check(unlock('back'))).approval).toBe('pending');
    expect((await gate.check(unlock('cellar'))).approval).toBe('approved');
    expect(approver.requests).toHaveLength(3);
  });

  it('a failing approver passes the turn on', async () => {
    const { gate } = world([() => Promise.reject(new Error('x')), 'approved']);
    const both = await Promise.all([gate.check(unlock('front')), gate.check(unlock('back'))]);
    expect(both.map((verdict) => verdict.approval)).toEqual(['rejected', 'approved']);
  });

  it('two gates do not wait for each other', async () => {
    const silent = world([() => new Promise(() => undefined)]);
    const other = world(['approved']);
    void silent.gate.check(unlock());
    expect(await other.gate.check(unlock())).toMatchObject({ allowed: true });
  });
});
