import { Agent, BeforeToolCallEvent, tool as sdkTool } from '@strands-agents/sdk';
import { buildAgent, guardTool, type TurnEvent } from 'strands-tau/strands';
import { ScriptedModel, type ScriptedTurn } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  call,
  collect,
  DONE,
  endOf,
  type House,
  house,
  unlock,
  type World,
  world,
} from '../../test/support/strands.ts';
import {
  assertAlternates,
  assertConfigError,
  assertOnlyApproved,
  refusal,
  resultTexts,
  unknown,
} from '../../test/support/strands-checks.ts';
import { ForeignTool } from '../../test/support/strands-parts.ts';

const ANN = { id: 'ann', kind: 'person' } as const;
const asAnn = { principal: ANN };
const PARK = { parked: true } as const;

interface Helper {
  readonly agent: Agent;
  readonly model: ScriptedModel;
}

/** An agent that is used as a tool. */
function helper(turns: readonly ScriptedTurn[], tools: Agent['tools'], name: string = 'helper'): Helper {
  const model = new ScriptedModel(turns);
  return { agent: new Agent({ name, model, tools, printer: false, retryStrategy: null }), model };
}

function asTool({ agent }: Helper, tier: 0 | 1 | 2 = 1) {
  return guardTool(agent.asTool(), { tier, effect: `Lets ${agent.name} work` });
}

/** The results of its tools that its model was shown; the agent itself keeps nothing of a call. */
function toldTo({ model }: Helper): readonly string[] {
  const blocks = model.calls.at(-1)?.messages.flatMap(({ content }) => content) ?? [];
  const results = blocks.flatMap((block) => ('toolResult' in block ? block.toolResult.content : []));
  return results.map((part) => ('text' in part ? part.text : JSON.stringify(part)));
}

function ask(name: string = 'helper') {
  return call(name, { input: 'do it' });
}

/** The main agent with one helper that unlocks the front door, then the back door. */
async function withHelper(answers: Parameters<typeof world>[1], tier: 0 | 1 | 2 = 1, h: House = house()) {
  const inner = helper([[unlock('front'), unlock('back')], DONE], h.tools);
  const w = await world([[ask()], DONE, DONE], answers, { tools: [asTool(inner, tier), ...h.tools], house: h });
  return { w, inner, h };
}

describe('[S15] an agent used as a tool', () => {
  it("is guarded like any tool, and its own calls reach the same human with the outer run's origin", async () => {
    const { w, inner } = await withHelper(['approved', 'approved', 'rejected'], 2);
    await w.turn('go', asAnn);
    expect(w.approver.requests.map(({ tool, origin }) => [tool, origin.principal, origin.kind])).toEqual([
      ['helper', ANN, 'model'],
      ['unlock_door', ANN, 'model'],
      ['unlock_door', ANN, 'model'],
    ]);
    expect(new Set(w.approver.requests.map(({ origin }) => origin.run)).size).toBe(1);
    expect(w.ran).toEqual([{ tool: 'unlock_door', args: { door: 'front' } }]);
    expect(toldTo(inner)).toEqual(['unlock_door done', refusal('unlock_door')]);
    expect(w.of('tool_call').map(({ tool, approval }) => [tool, approval])).toEqual([
      ['unlock_door', 'approved'],
      ['unlock_door', 'rejected'],
      ['helper', 'approved'],
    ]);
    assertOnlyApproved({ ...w, events: w.events });
    for (const { messages } of inner.model.calls) assertAlternates(messages);
  });

  it('does not run when it is refused, and its yes is not a yes for its tools', async () => {
    const refused = await withHelper(['rejected'], 2);
    await refused.w.turn();
    expect([refused.w.ran, refused.inner.model.calls]).toEqual([[], []]);
    const allowed = await withHelper(['approved'], 2);
    await allowed.w.turn();
    expect(allowed.w.ran).toEqual([]);
  });

  it('two deep: every level asks, and a refusal at the bottom runs nothing', async () => {
    for (const [answer, bodies] of [
      ['approved', 1],
      ['rejected', 0],
    ] as const) {
      const h = house();
      const bottom = helper([[unlock('front')], DONE], h.tools, 'bottom');
      const middle = helper([[ask('bottom')], DONE], [asTool(bottom, 2)], 'middle');
      const w = await world([[ask('middle')], DONE], ['approved', 'approved', answer], {
        tools: [asTool(middle, 2)],
        house: h,
      });
      await w.turn();
      expect(w.approver.requests.map(({ tool }) => tool)).toEqual(['middle', 'bottom', 'unlock_door']);
      expect(h.ran).toHaveLength(bodies);
      assertOnlyApproved(w);
    }
  });

  it('that holds an unguarded tool, or one of another gate, is a ConfigError; also at the second try', async () => {
    const h = house();
    const other = await world([], [], { house: h });
    const { gate } = await withHelper([]).then(({ w }) => w.tau);
    const foreign = [new ForeignTool('foreign')];
    for (const [tools, text] of [
      [foreign, /helper.*'foreign' has no tier/],
      [[...other.agent.tools], /bound to another gate/],
    ] as const) {
      const inner = helper([], [...tools]);
      for (let attempt = 0; attempt < 2; attempt++) {
        await assertConfigError(buildAgent({ model: new ScriptedModel([]), gate, tools: [asTool(inner)] }), text);
      }
    }
  });

  it('that works under one gate cannot work under another', async () => {
    const h = house();
    const inner = helper([], h.tools);
    await world([], [], { tools: [asTool(inner)], house: h });
    await assertConfigError(world([], [], { tools: [asTool(inner)], house: h }), /another gate/);
  });

  it('that was itself built by buildAgent with the same gate works, and counts each model call once', async () => {
    const h = house();
    const inner = await world([[unlock('front')], DONE], ['approved'], { house: h });
    const model = new ScriptedModel([[ask('helper')], DONE]);
    const tool = guardTool(inner.agent.asTool({ name: 'helper' }), { tier: 1 });
    const outer = await buildAgent({ model, gate: inner.tau.gate, tools: [tool], maxTurns: 4 });
    const events = await collect(outer.stream('go'));
    expect(endOf(events).reason).toBe('endTurn');
    expect(h.ran).toHaveLength(1);
    expect(inner.of('error')).toEqual([]);
    expect(inner.of('tool_call').map(({ tool: name }) => name)).toEqual(['unlock_door', 'helper']);
  });

  it('refuses a tool that was added to it behind the gate', async () => {
    const h = house();
    const foreign = new ForeignTool('foreign');
    const inner = helper([[call('foreign', {})], DONE], h.tools);
    const w = await world([[ask()], DONE], [], { tools: [asTool(inner)], house: h });
    inner.agent.toolRegistry.add(foreign);
    await w.turn();
    expect([foreign.inputs, toldTo(inner)]).toEqual([[], [unknown('foreign')]]);
    expect(inner.model.offered.flat()).not.toContain('foreign');
  });

  it('passed without a tier, as an agent or as its bare tool, is a ConfigError', async () => {
    const inner = helper([], []);
    await assertConfigError(world([], [], { tools: [inner.agent as never] }), /has no tier as a tool/);
    await assertConfigError(world([], [], { tools: [inner.agent.asTool()] }), /has no tier/);
  });

  it('shares the turn budget: when it is used up, helper and agent stop', async () => {
    const h = house();
    const busy = Array.from({ length: 9 }, () => [call('read_lock', { door: 'front' })]);
    const inner = helper(busy, h.tools);
    const w = await world([[ask()], DONE], [], { tools: [asTool(inner)], house: h, maxTurns: 3 });
    const events = await w.turn();
    expect(endOf(events).reason).toBe('limitTurns');
    expect([w.model.calls.length, inner.model.calls.length]).toEqual([1, 2]);
    expect(w.of('turn_limit')).toHaveLength(1);
    assertOnlyApproved(w);
  });

  it('shares the token budget', async () => {
    const h = house();
    const inner = helper([[call('read_lock', { door: 'front' })], DONE], h.tools);
    const w = await world([[ask()], DONE], [], { tools: [asTool(inner)], house: h, limits: { totalTokens: 30 } });
    expect(endOf(await w.turn()).reason).toBe('limitTotalTokens');
    expect(inner.model.calls).toHaveLength(1);
  });

  it('runs its physical tools one at a time, without waiting for itself', async () => {
    let running = 0;
    let most = 0;
    const h = house();
    const busy = h.tool('run_shell', 2, z.object({}), async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
    });
    const inner = helper([[call('run_shell', {}), call('run_shell', {})], DONE], [busy]);
    const w = await world([[ask(), call('run_shell', {})], DONE], ['approved', 'approved', 'approved', 'approved'], {
      tools: [asTool(inner, 2), busy],
      house: h,
    });
    await w.turn();
    expect([most, h.ran.length]).toEqual([1, 3]);
  });

  it('is cancelled with the outer turn', async () => {
    const { w } = await withHelper([() => new Promise<never>(() => undefined)]);
    const stream = w.tau.stream('go');
    const reading = collect(stream);
    while (w.approver.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    await stream.return(undefined);
    await reading;
    expect(w.ran).toEqual([]);
    assertOnlyApproved(w);
  });

  it('with a foreign interrupt inside it ends in an error, told as one, and works the next time', async () => {
    const { w, inner } = await withHelper(['approved', 'approved', 'approved', 'approved']);
    let raised = false;
    inner.agent.addHook(BeforeToolCallEvent, (event) => {
      if (!raised) {
        raised = true;
        event.interrupt({ name: 'confirm' });
      }
    });
    await w.turn();
    expect(w.ran).toEqual([]);
    expect(w.of('error')).toMatchObject([{ where: 'interrupt' }]);
    expect(resultTexts(w.agent)[0]).toMatch(/interrupted/);
    const again = await world([[ask()], DONE], [], { gate: w.tau.gate, tools: [] });
    expect(endOf(await again.turn()).reason).toBe('endTurn');
  });
});

describe('[S15, S16] a question of a sub-agent that waits', () => {
  async function decideAll(w: World, events: readonly TurnEvent[], decision: 'approved' | 'rejected') {
    for (const id of endOf(events).approvalIds ?? []) {
      await w.tau.gate.decide(id, { decision, by: ANN, channel: 'test' });
    }
  }

  it('parks the outer turn with all questions of its batch; a yes runs each body once', async () => {
    const { w, inner } = await withHelper([PARK, PARK]);
    const events = await w.turn('go', asAnn);
    expect([endOf(events).reason, endOf(events).approvalIds?.length]).toEqual(['parked', 2]);
    await decideAll(w, events, 'approved');
    expect(endOf(await collect(w.tau.resume())).reason).toBe('endTurn');
    expect(w.ran).toHaveLength(2);
    expect(w.approver.requests).toHaveLength(2);
    assertOnlyApproved(w);
    for (const { messages } of inner.model.calls) assertAlternates(messages);
  });

  it('two deep parks and goes on too, and a no runs nothing', async () => {
    for (const decision of ['approved', 'rejected'] as const) {
      const h = house();
      const bottom = helper([[unlock('front')], DONE], h.tools, 'bottom');
      const middle = helper([[ask('bottom')], DONE], [asTool(bottom)], 'middle');
      const w = await world([[ask('middle')], DONE], [PARK], { tools: [asTool(middle)], house: h });
      const events = await w.turn('go', asAnn);
      expect(endOf(events).reason).toBe('parked');
      await decideAll(w, events, decision);
      expect(endOf(await collect(w.tau.resume())).reason).toBe('endTurn');
      expect(h.ran).toHaveLength(decision === 'approved' ? 1 : 0);
      assertOnlyApproved(w);
    }
  });

  it('behind a sub-agent of tier 2, whose own yes is used up, cannot wait and is refused', async () => {
    const { w } = await withHelper(['approved', PARK, PARK], 2);
    expect(endOf(await w.turn('go', asAnn)).reason).toBe('endTurn');
    expect(w.ran).toEqual([]);
    expect(w.of('tool_call').filter(({ tool }) => tool === 'unlock_door')).toMatchObject([
      { reason: 'no_approver' },
      { reason: 'no_approver' },
    ]);
  });
});

it('[S15] a leaf tool that calls an agent inside its own body is guarded as one tool', async () => {
  const h = house();
  const inner = helper([DONE], []);
  const wrapped = sdkTool({
    name: 'wrapped',
    description: 'Asks a helper.',
    inputSchema: z.object({}),
    callback: async () => String(await inner.agent.invoke('hi')),
  });
  const w = await world([[call('wrapped', {})], DONE], ['rejected'], {
    tools: [guardTool(wrapped, { tier: 2 })],
    house: h,
  });
  await w.turn();
  expect(inner.model.calls).toEqual([]);
});
