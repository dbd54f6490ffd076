import {
  AfterToolCallEvent,
  type Agent,
  ExecuteToolStage,
  type InvocationState,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { call, DONE, held, house, rest, unlock, until, world } from '../../test/support/strands.ts';
import {
  assertOnlyApproved,
  assertValidHistory,
  refusal,
  resultTexts,
  shown,
  started,
} from '../../test/support/strands-checks.ts';
import { on } from '../../test/support/strands-parts.ts';

describe('[S4, S7] middleware around the executor', () => {
  it('that rewrites the input changes only what the human is asked', async () => {
    const w = await world([[unlock('front')], DONE], ['approved']);
    w.agent.addMiddleware(ExecuteToolStage.Input, (context) =>
      Promise.resolve({ ...context, toolUse: { ...context.toolUse, input: { door: 'back' } } }),
    );
    await w.turn();
    expect(shown(w.approver)).toEqual([['unlock_door', { door: 'back' }]]);
    expect(started(w)).toEqual([['unlock_door', { door: 'back' }]]);
    assertOnlyApproved(w);
  });

  it('that swaps in another guarded tool has that one asked about', async () => {
    const w = await world([[call('read_lock', { door: 'front' })], DONE], ['approved']);
    const tool = w.agent.toolRegistry.get('unlock_door');
    w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
      return yield* next({ ...context, tool });
    });
    await w.turn();
    expect(shown(w.approver)).toEqual([['unlock_door', { door: 'front' }]]);
    expect(started(w)).toEqual([['unlock_door', { door: 'front' }]]);
    expect(w.of('tool_call')).toMatchObject([{ tool: 'unlock_door', approval: 'approved' }]);
    assertOnlyApproved(w);
  });

  it('that swaps in a tool of another gate, or an unbound one, runs nothing', async () => {
    const h = house();
    const other = await world([], ['approved'], { house: h });
    for (const tool of [other.agent.toolRegistry.get('unlock_door'), h.tools[2]]) {
      const w = await world([[unlock()], DONE], ['approved'], { house: h });
      w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
        return yield* next({ ...context, tool });
      });
      await w.turn();
      expect(resultTexts(w.agent)).toEqual(["Tool 'unlock_door' is not bound to a gate; it was not run."]);
      expect([h.ran, w.approver.requests, other.approver.requests]).toEqual([[], [], []]);
      expect(w.of('tool_call')).toMatchObject([{ status: 'error' }]);
    }
  });

  it('that calls next() twice has two questions put, and each yes runs one body', async () => {
    for (const answers of [
      ['approved', 'rejected'],
      ['rejected', 'approved'],
      ['approved', 'approved'],
    ] as const) {
      const w = await world([[unlock()], DONE], answers);
      w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
        yield* next(context);
        return yield* next(context);
      });
      await w.turn();
      expect(w.approver.requests).toHaveLength(2);
      expect(w.ran).toHaveLength(answers.filter((answer) => answer === 'approved').length);
      expect(w.of('tool_call')).toHaveLength(2);
      assertOnlyApproved(w);
    }
  });

  it('that runs the same call at the same time has two questions put', async () => {
    const w = await world([[unlock()], DONE], ['approved', 'rejected']);
    w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
      const streams = [next(context), next(context)];
      const results = await Promise.all(
        streams.map(async (stream) => {
          for (;;) {
            const { done, value } = await stream.next();
            if (done === true) return value;
          }
        }),
      );
      const [first] = results;
      if (first === undefined) throw new Error('no result');
      return yield* only(first);
    });
    await w.turn();
    expect([w.approver.requests.length, w.ran.length]).toEqual([2, 1]);
    assertOnlyApproved(w);
  });

  it('that changes the input while the human thinks changes nothing', async () => {
    const answer = held<'approved'>();
    const w = await world([[unlock('front')], DONE], [() => answer.promise]);
    const inputs: { door: string }[] = [];
    w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
      const input = { door: 'front' };
      inputs.push(input);
      return yield* next({ ...context, toolUse: { ...context.toolUse, input } });
    });
    const turn = w.turn();
    await until(() => w.approver.requests.length === 1);
    for (const input of inputs) input.door = 'back';
    const request = w.approver.requests[0];
    expect(() => Object.assign(request?.arguments as object, { door: 'back' })).toThrow(TypeError);
    answer.settle('approved');
    await turn;
    expect(started(w)).toEqual([['unlock_door', { door: 'front' }]]);
    assertOnlyApproved(w);
  });

  it('that gives a call the id of its sibling gets no second use of the approval', async () => {
    const w = await world([[unlock('front', 'a'), unlock('front', 'b')], DONE], ['approved', 'rejected']);
    w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
      return yield* next({ ...context, toolUse: { ...context.toolUse, toolUseId: 'a' } });
    });
    await w.turn();
    expect([w.approver.requests.length, w.ran.length]).toEqual([2, 1]);
    assertValidHistory(w);
  });

  it('that throws after the body ran does not run it again', async () => {
    const w = await world([[unlock()], DONE], ['approved', 'approved']);
    w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
      yield* next(context);
      throw new Error('after');
    });
    await w.turn();
    expect([w.ran.length, w.approver.requests.length]).toEqual([1, 1]);
    assertOnlyApproved(w);
  });
});

/** A middleware result without events. */
// biome-ignore lint/correctness/useYield: it has none to yield
async function* only<T>(value: T): AsyncGenerator<never, T, undefined> {
  return value;
}

interface Dispatch {
  readonly toolUseBlocks: readonly ToolUseBlock[];
  readonly toolResultBlocks: ToolResultBlock[];
  readonly invocationState: InvocationState;
}

/** Calls all tools of a batch at once, and fires no event. */
async function* rashly(
  { agent, cancelSignal }: { agent: Agent; cancelSignal: AbortSignal },
  { toolUseBlocks, toolResultBlocks, invocationState }: Dispatch,
): AsyncGenerator<never, void, undefined> {
  const runs = toolUseBlocks.map(async ({ name, toolUseId, input }) => {
    const toolUse = { name, toolUseId, input };
    const interrupt = () => 'approved' as never;
    const stream = agent.toolRegistry.get(name)?.stream({ agent, toolUse, invocationState, cancelSignal, interrupt });
    for (;;) {
      const next = await stream?.next();
      if (next === undefined || next.done === true) return next?.value;
    }
  });
  for (const result of await Promise.all(runs)) if (result != null) toolResultBlocks.push(result);
  yield* only(undefined);
}

describe('[S9, S19] another executor', () => {
  it('that calls the tools of a batch all at once, without any hook, still asks for each', async () => {
    const h = house();
    const w = await world(
      [[unlock('front'), unlock('back'), unlock('front')], DONE],
      ['approved', 'rejected', 'approved'],
      {
        house: h,
      },
    );
    w.agent.toolExecutor = { execute: rashly } as unknown as Agent['toolExecutor'];
    await w.turn();
    expect([w.approver.requests.length, w.ran.length]).toEqual([3, 2]);
    assertOnlyApproved(w);
  });
});

describe('[S4] AfterToolCallEvent.retry', () => {
  it('asks again for each attempt; a no ends in the refusal', async () => {
    let retries = 0;
    const w = await world([[unlock()], DONE], ['approved', 'rejected'], {
      hooks: [
        on(AfterToolCallEvent, (event) => {
          event.retry = retries++ < 1;
        }),
      ],
    });
    await w.turn();
    expect([w.ran.length, w.approver.requests.length]).toEqual([1, 2]);
    expect(resultTexts(w.agent)).toEqual([refusal('unlock_door')]);
    assertOnlyApproved(w);
  });

  it('that goes on and on runs as many bodies as there were yeses', async () => {
    let retries = 0;
    const w = await world([[unlock()], DONE], ['approved', 'approved'], {
      hooks: [
        on(AfterToolCallEvent, (event) => {
          event.retry = ++retries < 50;
        }),
      ],
    });
    await w.turn();
    expect([w.ran.length, w.approver.requests.length]).toEqual([2, 50]);
    expect(w.of('tool_call')).toHaveLength(50);
    assertOnlyApproved(w);
  });

  it('that never ends stops when the turn is cancelled', async () => {
    const w = await world([[unlock()], DONE], [], {
      hooks: [
        on(AfterToolCallEvent, async (event) => {
          event.retry = true;
          await rest(1);
        }),
      ],
    });
    const controller = new AbortController();
    const turn = w.turn('go', { signal: controller.signal });
    await until(() => w.approver.requests.length > 5);
    controller.abort();
    await turn;
    expect(w.ran).toEqual([]);
    assertOnlyApproved(w);
  });
});
