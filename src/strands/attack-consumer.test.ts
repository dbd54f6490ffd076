import { type AgentStreamEvent, BeforeToolCallEvent } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { call, DONE, held, house, rest, unlock, until, type World, world } from '../../test/support/strands.ts';
import {
  assertOnlyApproved,
  assertValidHistory,
  refusal,
  resultTexts,
  shown,
  started,
  unknown,
} from '../../test/support/strands-checks.ts';
import { ForeignTool, on } from '../../test/support/strands-parts.ts';

/** Drives the SDK's own stream, changing its events on the way. */
async function drive(w: World, meddle: (event: AgentStreamEvent) => void): Promise<void> {
  for await (const event of w.agent.stream('go')) meddle(event);
}

describe('[S5, S7] a consumer of the SDK stream that changes its events', () => {
  it('cannot un-cancel a refused call: not by assignment, not by redefining, not by deleting', async () => {
    const foreign = new ForeignTool('foreign');
    const w = await world([[call('foreign', {}), call('nothing', {})], DONE]);
    let attempts = 0;
    await drive(w, (event) => {
      if (event.type !== 'beforeToolCallEvent') return;
      for (const meddle of [
        () => {
          event.cancel = false;
        },
        () => {
          event.cancel = '';
        },
        () => Object.defineProperty(event, 'cancel', { value: false }),
        () => Reflect.deleteProperty(event, 'cancel'),
        () => {
          event.selectedTool = foreign;
        },
      ]) {
        attempts++;
        try {
          meddle();
        } catch {}
      }
    });
    expect([attempts, foreign.inputs]).toEqual([10, []]);
    expect(resultTexts(w.agent)).toEqual([unknown('foreign'), unknown('nothing')]);
    expect(w.of('tool_call').map(({ reason }) => reason)).toEqual(['not_registered', 'not_registered']);
  });

  it("may un-cancel another hook's cancellation; then the human is asked", async () => {
    for (const answer of ['approved', 'rejected'] as const) {
      const w = await world([[unlock()], DONE], [answer], {
        hooks: [
          on(BeforeToolCallEvent, (event) => {
            event.cancel = 'no';
          }),
        ],
      });
      await drive(w, (event) => {
        if (event.type === 'beforeToolCallEvent') event.cancel = false;
      });
      expect([w.approver.requests.length, w.ran.length]).toEqual([1, answer === 'approved' ? 1 : 0]);
      assertOnlyApproved(w);
    }
  });

  it('that changes the input changes only what the human is asked', async () => {
    const w = await world([[unlock('front')], DONE], ['approved']);
    await drive(w, (event) => {
      if (event.type === 'beforeToolCallEvent') event.toolUse.input = { door: 'back' };
    });
    expect(shown(w.approver)).toEqual([['unlock_door', { door: 'back' }]]);
    expect(started(w)).toEqual([['unlock_door', { door: 'back' }]]);
    assertOnlyApproved(w);
  });

  it('that renames the call runs nothing but the tool that was checked', async () => {
    const foreign = new ForeignTool('foreign');
    for (const name of ['unlock_door', 'foreign', 'nothing']) {
      const w = await world([[call('read_lock', { door: 'front' })], DONE], ['approved']);
      await drive(w, (event) => {
        if (event.type !== 'beforeToolCallEvent') return;
        w.agent.toolRegistry.addOrReplace([foreign]);
        event.toolUse.name = name;
        event.toolUse = { ...event.toolUse, name };
      });
      expect([foreign.inputs, started(w)]).toEqual([[], [['read_lock', { door: 'front' }]]]);
    }
  });

  it('that selects another tool gets a guarded one asked about, and an unguarded one not at all', async () => {
    const h = house();
    const foreign = new ForeignTool('foreign');
    const other = await world([], [], { house: h });
    const w = await world([[call('read_lock', { door: 'front' })], DONE], ['approved'], { house: h });
    await drive(w, (event) => {
      if (event.type !== 'beforeToolCallEvent') return;
      event.selectedTool = foreign;
      event.selectedTool = h.tools[2];
      event.selectedTool = other.agent.toolRegistry.get('unlock_door');
      expect(() => Object.defineProperty(event, 'selectedTool', { value: foreign })).toThrow(TypeError);
    });
    expect([foreign.inputs, started(w)]).toEqual([[], [['read_lock', { door: 'front' }]]]);
    const guarded = await world([[call('read_lock', { door: 'front' })], DONE], ['rejected'], { house: h });
    await drive(guarded, (event) => {
      const tool = guarded.agent.toolRegistry.get('unlock_door');
      if (event.type === 'beforeToolCallEvent' && tool !== undefined) event.selectedTool = tool;
    });
    expect(shown(guarded.approver)).toEqual([['unlock_door', { door: 'front' }]]);
    expect(resultTexts(guarded.agent)).toEqual([refusal('unlock_door')]);
  });

  it('that adds calls to the batch, with the id of another, has each asked about', async () => {
    const { ToolUseBlock } = await import('@strands-agents/sdk');
    const w = await world([[unlock('front', 'a')], DONE], ['approved', 'rejected']);
    await drive(w, (event) => {
      if (event.type !== 'beforeToolsEvent') return;
      event.message.content.push(new ToolUseBlock({ name: 'unlock_door', toolUseId: 'a', input: { door: 'front' } }));
    });
    expect([w.approver.requests.length, w.ran.length]).toEqual([2, 1]);
  });

  it('that retries a finished call has it asked about again', async () => {
    const w = await world([[unlock()], DONE], ['approved', 'rejected']);
    let retried = false;
    await drive(w, (event) => {
      if (event.type !== 'afterToolCallEvent' || retried) return;
      event.retry = true;
      retried = true;
    });
    expect([w.approver.requests.length, w.ran.length]).toEqual([2, 1]);
    assertOnlyApproved(w);
  });
});

const TYPES = [
  'beforeInvocationEvent',
  'messageAddedEvent',
  'beforeModelCallEvent',
  'modelStreamUpdateEvent',
  'contentBlockEvent',
  'modelMessageEvent',
  'afterModelCallEvent',
  'beforeToolsEvent',
  'beforeToolCallEvent',
  'toolStreamUpdateEvent',
  'afterToolCallEvent',
  'toolResultEvent',
  'afterToolsEvent',
  'afterInvocationEvent',
  'agentResultEvent',
] as const;

describe('[S11] leaving the SDK stream', () => {
  it('the list of event types is complete', async () => {
    const seen = new Set<string>();
    const w = await leavable(['approved']);
    for await (const event of w.agent.stream('go')) seen.add(event.type);
    expect([...seen].toSorted()).toEqual([...TYPES].toSorted());
  });

  it.each(TYPES)('at %s runs no body that was not approved, also when a hook throws meanwhile', async (type) => {
    for (const throwing of [false, true]) {
      const w = await leavable(['approved', 'rejected']);
      let left = false;
      w.agent.addHook(BeforeToolCallEvent, () => {
        if (left && throwing) throw new Error('a hook fails while the consumer leaves');
      });
      for await (const event of w.agent.stream('go')) {
        if (event.type !== type) continue;
        left = true;
        break;
      }
      await rest();
      assertApproved(w);
    }
  });

  it('while a tier-2 body reports progress: the body stops, and does not hold up the next one', async () => {
    const h = house();
    const steps = h.tool('steps', 2, undefined, async function* () {
      yield 1;
      yield 2;
      yield 3;
    });
    const w = await world([[call('steps', {})], DONE], ['approved', 'approved'], { tools: [steps], house: h });
    for await (const event of w.agent.stream('go')) if (event.type === 'toolStreamUpdateEvent') break;
    await rest();
    expect(w.of('tool_call')).toMatchObject([{ tool: 'steps', status: 'error', approval: 'approved' }]);
    const next = await w.agent.tool.steps?.invoke({}, { recordDirectToolCall: false });
    expect(next?.status).toBe('success');
  });

  it('while a question is open: the body runs only when the yes comes', async () => {
    const answer = held<'rejected'>();
    const w = await world([[unlock()], DONE], [() => answer.promise]);
    const stream = w.agent.stream('go');
    const consumer = (async () => {
      for (;;) if ((await stream.next()).done === true) return;
    })();
    await until(() => w.approver.requests.length === 1);
    w.agent.cancel();
    answer.settle('rejected');
    await consumer;
    expect(w.ran).toEqual([]);
    assertValidHistory(w);
  });
});

/** An agent whose turn goes through every event type: progress, two tier-2 calls, an answer. */
function leavable(answers: readonly ('approved' | 'rejected')[]): Promise<World> {
  const h = house();
  const steps = h.tool('steps', 1, undefined, async function* () {
    yield 'half way';
    return 'whole';
  });
  return world([[call('steps', {}), unlock('front'), unlock('back')], DONE, DONE], answers, {
    tools: [steps, ...h.tools],
    house: h,
  });
}

function assertApproved(w: World): void {
  const approved = w.of('approval').filter(({ decision }) => decision === 'approved').length;
  expect(w.ran.filter(({ tool }) => tool === 'unlock_door').length).toBeLessThanOrEqual(approved);
}
