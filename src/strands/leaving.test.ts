import { AfterInvocationEvent, BeforeToolCallEvent } from '@strands-agents/sdk';
import type { TurnEvent } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  call,
  collect,
  DONE,
  endOf,
  held,
  house,
  rest,
  unlock,
  until,
  type World,
  world,
} from '../../test/support/strands.ts';
import { assertOnlyApproved, assertValidHistory } from '../../test/support/strands-checks.ts';

const TYPES = ['reasoning', 'text', 'tool_start', 'tool_progress', 'tool_call', 'notice', 'end'] as const;

/** An agent whose turn yields every type of turn event. */
function talkative(answers: ('approved' | 'rejected')[]): Promise<World> {
  const h = house();
  const steps = h.tool('steps', 1, undefined, async function* () {
    yield 'half way';
    return 'whole';
  });
  return world(
    [
      [{ reasoning: 'hm' }, { text: 'Well' }, call('steps', {}), unlock('front'), unlock('back')],
      [unlock('front')],
      DONE,
    ],
    answers,
    { tools: [steps, ...h.tools], house: h, maxTurns: 2 },
  );
}

describe('[S11] leaving TauAgent.stream', () => {
  it('the list of event types is complete', async () => {
    const seen = new Set((await (await talkative(['approved'])).turn()).map(({ type }) => type));
    expect([...seen].toSorted()).toEqual([...TYPES].toSorted());
  });

  it.each(TYPES)('at %s: nothing runs afterwards, and the next turn works', async (type) => {
    const w = await talkative(['approved', 'approved', 'approved']);
    w.agent.addHook(BeforeToolCallEvent, () => {
      if (left) throw new Error('a hook fails while the consumer leaves');
    });
    let left = false;
    for await (const event of w.tau.stream('go')) {
      if (event.type !== type) continue;
      left = true;
      break;
    }
    const then = w.ran.length;
    const asked = w.approver.requests.length;
    await rest();
    expect([w.ran.length, w.approver.requests.length]).toEqual([then, asked]);
    expect(w.agent.isInvoking).toBe(false);
    assertOnlyApproved(w);
    left = false;
    expect(endOf(await w.turn()).type).toBe('end');
    assertOnlyApproved(w);
  });

  it('return() while a question is open settles at once, withdraws it, and a later yes runs nothing', async () => {
    const answer = held<'approved'>();
    const signals: AbortSignal[] = [];
    const w = await world(
      [[unlock()], DONE],
      [
        (_request, { signal }) => {
          signals.push(signal);
          return answer.promise;
        },
      ],
    );
    const stream = w.tau.stream('go');
    const reading = collect(stream);
    await until(() => w.approver.requests.length === 1);
    await stream.return(undefined);
    expect(signals[0]?.aborted).toBe(true);
    answer.settle('approved');
    await reading;
    await rest();
    expect(w.ran).toEqual([]);
    const { records } = await w.tau.gate.store.list();
    expect(records.map(({ status }) => status)).toEqual(['cancelled']);
    expect(w.of('tool_call')).toMatchObject([{ approval: 'refused', reason: 'cancelled' }]);
    assertValidHistory(w);
    await w.turn();
    assertOnlyApproved(w);
  });

  it.each(['throw', 'dispose'] as const)('%s while a question is open cancels too', async (how) => {
    const answer = held<'approved'>();
    const w = await world([[unlock()], DONE], [() => answer.promise]);
    const stream = w.tau.stream('go');
    const reading = collect(stream).catch(() => undefined);
    await until(() => w.approver.requests.length === 1);
    if (how === 'throw') await stream.throw(new Error('enough')).catch(() => undefined);
    else await stream[Symbol.asyncDispose]();
    answer.settle('approved');
    await reading;
    await rest();
    expect(w.ran).toEqual([]);
    assertValidHistory(w);
  });

  it('a turn that was never started leaves no trace', async () => {
    const w = await world([DONE]);
    await w.tau.stream('never').return(undefined);
    expect(endOf(await w.turn('first')).reason).toBe('endTurn');
    expect(w.agent.messages[0]?.content[0]).toMatchObject({ text: 'first' });
  });

  it.each(['return', 'throw', 'break', 'abort'] as const)(
    '%s while a body is at work: what it did is in the history, and the rest of its batch does not start',
    async (how) => {
      const h = house();
      const body = held<string>();
      const slow = h.tool('slow', 2, z.object({}), () => body.promise);
      const turns = [[call('slow', {}, 'c1'), call('read_lock', { door: 'front' }, 'c2')], DONE, DONE];
      const w = await world(turns, ['approved'], { tools: [slow, ...h.tools], house: h });
      const controller = new AbortController();
      const stream = w.tau.stream('go', { signal: controller.signal });
      const reading = collect(stream).catch(() => undefined);
      await until(() => w.ran.length === 1);
      const left =
        how === 'throw'
          ? stream.throw(new Error('enough')).catch(() => undefined)
          : how === 'return'
            ? stream.return(undefined)
            : how === 'break'
              ? stream[Symbol.asyncDispose]()
              : Promise.resolve(controller.abort());
      await rest();
      body.settle('it is open');
      await Promise.all([left, reading]);
      expect(w.ran).toHaveLength(1);
      expect(JSON.stringify(w.agent.messages)).toContain('it is open');
      assertValidHistory(w);
      expect(endOf(await w.turn()).reason).toBe('endTurn');
      assertOnlyApproved(w);
    },
  );

  it('while a body is at work: a hook that would go on starts nothing more', async () => {
    const h = house();
    const body = held<string>();
    const slow = h.tool('slow', 2, z.object({}), () => body.promise);
    const again = [call('add_note', { text: 'again' }, 'c2')];
    const w = await world([[call('slow', {}, 'c1')], again, again, DONE], ['approved'], {
      tools: [slow, ...h.tools],
      house: h,
    });
    // Beside the gate's own, which takes such a wish away.
    let wishes = 0;
    w.agent.addHook(
      AfterInvocationEvent,
      (event) => {
        if (wishes++ < 3) event.resume = 'go on';
      },
      { order: Number.POSITIVE_INFINITY },
    );
    const stream = w.tau.stream('go');
    const reading = collect(stream).catch(() => undefined);
    await until(() => w.ran.length === 1);
    const left = stream.return(undefined);
    body.settle('it is open');
    await Promise.all([left, reading]);
    await rest();
    expect([w.ran.length, w.model.calls.length]).toEqual([1, 1]);
  });

  it('leaving while a body reports progress stops it at its next report', async () => {
    const h = house();
    const reached: number[] = [];
    const steps = h.tool('steps', 2, z.object({}), async function* () {
      for (let step = 0; step < 10; step++) {
        reached.push(step);
        yield step;
      }
    });
    const w = await world([[call('steps', {})], DONE], ['approved'], { tools: [steps], house: h });
    for await (const event of w.tau.stream('go')) if (event.type === 'tool_progress') break;
    await rest();
    expect(reached.length).toBeLessThanOrEqual(2);
    expect(w.of('tool_call')).toMatchObject([{ tool: 'steps', status: 'error', approval: 'approved' }]);
    const direct = await w.agent.tool.steps?.invoke({}, { recordDirectToolCall: false });
    expect(direct?.status).toBe('error');
  });

  it('leaving before a body reports for the first time stops it there', async () => {
    const h = house();
    const first = held<void>();
    const reached: number[] = [];
    const steps = h.tool('steps', 2, z.object({}), async function* () {
      reached.push(0);
      await first.promise;
      reached.push(1);
      yield 'half way';
      reached.push(2);
    });
    const w = await world([[call('steps', {})], DONE], ['approved'], { tools: [steps], house: h });
    const stream = w.tau.stream('go');
    const reading = collect(stream);
    await until(() => reached.length === 1);
    const left = stream.return(undefined);
    first.settle();
    await Promise.all([left, reading]);
    await rest();
    expect(reached).toEqual([0, 1]);
    expect(w.of('tool_call')).toMatchObject([{ tool: 'steps', status: 'error', approval: 'approved' }]);
  });

  it('a busy agent refuses a second turn and is free after its end', async () => {
    const answer = held<'approved'>();
    const w = await world([[unlock()], DONE, DONE], [() => answer.promise]);
    const first = w.turn();
    await until(() => w.approver.requests.length === 1);
    await expect(w.turn()).rejects.toMatchObject({ code: 'busy' });
    await expect(collect(w.tau.resume())).rejects.toMatchObject({ code: 'busy' });
    answer.settle('approved');
    await first;
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertOnlyApproved(w);
  });
});

describe('[S11] cancellation by signal', () => {
  it.each(TYPES.filter((type) => type !== 'end'))('at %s: the turn ends cancelled, with its notice', async (type) => {
    const w = await talkative(['approved', 'approved', 'approved']);
    const controller = new AbortController();
    const events: TurnEvent[] = [];
    let then = Number.NaN;
    for await (const event of w.tau.stream('go', { signal: controller.signal })) {
      events.push(event);
      if (event.type !== type || controller.signal.aborted) continue;
      controller.abort();
      then = w.ran.length;
    }
    expect(w.ran.length).toBe(then);
    if (type !== 'notice') {
      expect(events.slice(-2)).toEqual([
        { type: 'notice', key: 'notice.cancelled', text: 'Cancelled.' },
        { type: 'end', reason: 'cancelled' },
      ]);
    }
    await w.turn();
    assertOnlyApproved(w);
  });

  it('before the turn, or while the model thinks: no tool runs, and the next turn works', async () => {
    const controller = new AbortController();
    const w = await world(
      [
        () => {
          controller.abort();
          return [unlock()];
        },
        DONE,
        DONE,
      ],
      ['approved'],
    );
    expect(endOf(await w.turn('one', { signal: controller.signal })).reason).toBe('cancelled');
    expect(endOf(await w.turn('two', { signal: controller.signal })).reason).toBe('cancelled');
    expect(w.ran).toEqual([]);
    expect(endOf(await w.turn('three')).reason).toBe('endTurn');
    assertOnlyApproved(w);
  });

  it('a yes that comes in the same moment as the cancellation, or after it, does not start the tool', async () => {
    for (const order of ['cancel first', 'yes first'] as const) {
      const answer = held<'approved'>();
      const controller = new AbortController();
      const w = await world([[unlock()], DONE], [() => answer.promise]);
      const turn = w.turn('go', { signal: controller.signal });
      await until(() => w.approver.requests.length === 1);
      if (order === 'cancel first') controller.abort();
      answer.settle('approved');
      if (order === 'yes first') controller.abort();
      expect(endOf(await turn).reason).toBe('cancelled');
      await rest();
      expect(w.ran).toEqual([]);
      const { records } = await w.tau.gate.store.list();
      expect(records.every(({ status }) => status === 'cancelled')).toBe(true);
      assertValidHistory(w);
    }
  });

  it('agent.cancel() by anybody ends the turn the same way', async () => {
    const answer = held<'approved'>();
    const w = await world([[unlock()], DONE], [() => answer.promise]);
    const turn = w.turn();
    await until(() => w.approver.requests.length === 1);
    w.agent.cancel();
    expect(endOf(await turn).reason).toBe('cancelled');
    answer.settle('approved');
    await rest();
    expect(w.ran).toEqual([]);
    assertOnlyApproved(w);
  });
});
