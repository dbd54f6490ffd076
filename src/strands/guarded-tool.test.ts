import { Agent, type InvocationState, tool as sdkTool, type Tool, type ToolContext } from '@strands-agents/sdk';
import type { Principal } from 'strands-tau';
import { buildAgent, guardTool, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, house, rest, unlock, type World, world } from '../../test/support/strands.ts';
import { assertConfigError, assertOnlyApproved, refusal, resultTexts } from '../../test/support/strands-checks.ts';
import { markServed } from './run-context.ts';

/** Calls a tool by hand, as code that got hold of it would. */
async function callByHand(tool: Tool, context: Partial<ToolContext>, input: unknown = { door: 'front' }) {
  const stream = tool.stream({
    toolUse: { name: tool.name, toolUseId: 'by-hand', input: input as never },
    invocationState: {},
    cancelSignal: new AbortController().signal,
    interrupt: () => 'approved' as never,
    ...context,
  } as ToolContext);
  for (;;) {
    const next = await stream.next();
    if (next.done === true) return next.value;
  }
}

function toolOf(w: Pick<World, 'agent'>, name: string = 'unlock_door'): Tool {
  const tool = w.agent.toolRegistry.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

describe('[S1] a guarded tool hides its body', () => {
  const secret = Symbol('the inner tool');
  const marked = sdkTool({
    name: 'unlock_door',
    description: 'Unlocks.',
    inputSchema: z.object({ door: z.string() }),
    callback: () => 'ran',
  });
  Object.assign(marked, { [secret]: true });

  it('nothing that can be reached from it is the inner tool, a way to run it, or a record of it', () => {
    const guarded = guardTool(marked, { tier: 2 });
    const seen = new Set<unknown>();
    const reach = (value: unknown): void => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
      seen.add(value);
      for (const key of Reflect.ownKeys(value)) {
        const descriptor = Object.getOwnPropertyDescriptor(value, key);
        reach(descriptor?.value);
        reach(descriptor?.get);
      }
      reach(Object.getPrototypeOf(value));
    };
    reach(guarded);
    expect([...seen].filter((value) => Object.hasOwn(value as object, secret))).toEqual([]);
    expect(seen.has(marked)).toBe(false);
    expect([...seen].filter((value) => typeof value === 'function' && value.name === 'callback')).toEqual([]);
    expect('invoke' in guarded).toBe(false);
    expect(JSON.stringify(guarded)).not.toContain('callback');
  });

  it('it cannot be changed: not its properties, not its prototype, not the class', () => {
    const guarded = guardTool(marked, { tier: 2 });
    const evil = (): never => {
      throw new Error('evil ran');
    };
    const { stream } = guarded;
    for (const change of [
      () => Object.assign(guarded, { stream: evil }),
      () => Object.assign(guarded, { name: 'read_lock' }),
      () => Object.assign(guarded.toolSpec, { name: 'read_lock' }),
      () => Object.defineProperty(guarded, 'stream', { value: evil }),
      () => Object.setPrototypeOf(guarded, { stream: evil }),
      () => Object.assign(Object.getPrototypeOf(guarded), { stream: evil }),
      () => Object.defineProperty(Object.getPrototypeOf(guarded), 'stream', { value: evil }),
    ]) {
      expect(change).toThrow(TypeError);
    }
    expect(guarded.stream).toBe(stream);
  });

  it('its class makes no other guarded tools: a forged guard is refused, and so is a subclass', async () => {
    const h = house();
    const w = await world([[unlock()], DONE], [], { house: h });
    const Guarded = toolOf(w).constructor as new (...args: unknown[]) => object;
    const forged = {
      entry: { name: 'read_lock', tier: 0, effect: '', inputSchema: {} },
      parse: (input: unknown) => input,
      inner: marked,
      kind: 'leaf',
      gate: w.tau.gate,
    };
    class Sly extends Guarded {}
    for (const args of [[forged], [Symbol('make'), forged], [Symbol.for('make'), forged]]) {
      expect(() => new Guarded(...args)).toThrow(TypeError);
      expect(() => new Sly(...args)).toThrow(TypeError);
    }
  });
});

describe('[S19] binding', () => {
  it('an unbound tool refuses to run, alone and in an agent without a gate', async () => {
    const h = house();
    const model = new ScriptedModel([[unlock()], DONE]);
    const agent = new Agent({ model, tools: h.tools, printer: false });
    await agent.invoke('go');
    expect(resultTexts(agent)).toEqual(["Tool 'unlock_door' is not bound to a gate; it was not run."]);
    const [, , tool] = h.tools;
    expect(tool === undefined ? undefined : (await callByHand(tool, { agent }))?.status).toBe('error');
    expect(h.ran).toEqual([]);
  });

  it('buildAgent registers bound copies and leaves the tools that it was given unbound', async () => {
    const h = house();
    const w = await world([], [], { house: h });
    expect(w.agent.tools.map(({ name }) => name)).toEqual(h.tools.map(({ name }) => name));
    expect(w.agent.tools.some((tool) => h.tools.includes(tool))).toBe(false);
    const first = h.tools[0];
    expect(first === undefined ? '' : (await callByHand(first, { agent: w.agent }))?.status).toBe('error');
    expect(h.ran).toEqual([]);
  });

  it('one set of tools may serve two gates, each with copies of its own', async () => {
    const h = house();
    const one = await world([[unlock()], DONE], ['approved'], { house: h });
    const two = await world([[unlock()], DONE], ['rejected'], { house: h });
    await one.turn();
    await two.turn();
    expect(h.ran).toHaveLength(1);
    expect([one.approver.requests.length, two.approver.requests.length]).toEqual([1, 1]);
  });

  it("a bound copy of another gate, and a second tool of a gate's name, are refused", async () => {
    const w = await world([], []);
    await assertConfigError(world([], [], { tools: [toolOf(w)] }), /bound to another gate/);
    const other = house().tool('unlock_door', 0, z.object({ other: z.string() }));
    await assertConfigError(
      buildAgent({ model: new ScriptedModel([]), gate: w.tau.gate, tools: [other] }),
      /Two different tools are named 'unlock_door'/,
    );
  });

  it('a call without a run is direct, by nobody in particular, and its gate may still ask', async () => {
    const w = await world([], ['approved', 'rejected']);
    const result = await callByHand(toolOf(w), { agent: w.agent });
    expect(result?.status).toBe('success');
    expect(w.approver.requests[0]?.origin).toEqual({ kind: 'direct' });
    expect((await callByHand(toolOf(w), { agent: w.agent }))?.toJSON().toolResult.content).toEqual([
      { text: refusal('unlock_door') },
    ]);
    assertOnlyApproved(w);
  });

  it('a direct call cannot be parked', async () => {
    const w = await world([], [{ parked: true }]);
    const result = await callByHand(toolOf(w), { agent: w.agent });
    expect(result?.status).toBe('error');
    expect(w.of('tool_call')).toMatchObject([{ reason: 'no_approver', approval: 'refused' }]);
    expect(w.ran).toEqual([]);
    const { records } = await w.tau.gate.store.list();
    expect(records.map(({ status }) => status)).toEqual(['cancelled']);
  });

  it.each(['unlock_door', 'UNLOCK_DOOR', 'Unlock_Door'])('agent.tool.%s.invoke asks like any call', async (name) => {
    const w = await world([DONE], ['rejected', 'approved']);
    const refused = await w.agent.tool[name]?.invoke({ door: 'front' });
    expect([refused?.status, w.ran]).toEqual(['error', []]);
    const allowed = await w.agent.tool[name]?.invoke({ door: 'back' });
    expect([allowed?.status, w.ran]).toEqual(['success', [{ tool: 'unlock_door', args: { door: 'back' } }]]);
    assertOnlyApproved({ ...w, agent: { messages: [] } as unknown as Agent });
  });

  it('a direct call of an agent that the bridge serves is refused and told, and nobody is asked', async () => {
    const w = await world([], ['approved']);
    markServed(w.agent);
    const result = await w.agent.tool.unlock_door?.invoke({ door: 'front' }, { recordDirectToolCall: false });
    expect([result?.status, w.ran, w.approver.requests]).toEqual(['error', [], []]);
    expect(w.of('tool_call')).toMatchObject([{ reason: 'no_approver', origin: { kind: 'direct' } }]);
  });

  it('a hyphenated tool is found under its other names, and asks', async () => {
    const h = house();
    const w = await world([], ['approved'], { tools: [h.tool('unlock-door', 2)], house: h });
    await w.agent.tool.unlock_door?.invoke({}, { recordDirectToolCall: false });
    await w.agent.tool['UNLOCK-DOOR']?.invoke({}, { recordDirectToolCall: false });
    expect([h.ran.length, w.approver.requests.length]).toEqual([1, 2]);
  });

  it("the caller's own invocation state is never the run's: nothing in it is believed", async () => {
    const states: InvocationState[] = [];
    const h = house();
    const spy = h.tool('spy', 0, z.object({}), (_args, context) => void states.push(context.invocationState));
    const w = await world([[call('spy', {})], DONE], [], { tools: [spy, ...h.tools], house: h });
    const principal: Principal = { id: 'ann', kind: 'person' };
    await w.turn('go', { principal });
    await w.turn('go', { principal });
    await w.agent.tool.spy?.invoke({}, { recordDirectToolCall: false });
    expect(new Set(states).size).toBe(states.length);
    const copy = { ...states[0], gate: w.tau.gate, principal };
    await callByHand(toolOf(w), { agent: w.agent, invocationState: copy });
    expect(w.approver.requests.map(({ origin }) => origin)).toEqual([{ kind: 'direct' }]);
  });

  it("the invocation state of a finished run, and of another agent's, runs nothing without a question", async () => {
    const states: InvocationState[] = [];
    const h = house();
    const spy = h.tool('spy', 0, z.object({}), (_args, context) => void states.push(context.invocationState));
    const tools = [spy, ...h.tools];
    const w = await world([[call('spy', {})], DONE], [], { tools, house: h });
    const other = await world([[call('spy', {})], DONE], [], { tools, house: h });
    await w.turn();
    await other.turn();
    h.ran.length = 0;
    const [mine, others] = states;
    for (const invocationState of [mine, others]) {
      await callByHand(toolOf(w), { agent: w.agent, invocationState: invocationState ?? {} });
    }
    expect(h.ran).toEqual([]);
    expect(w.approver.requests).toHaveLength(1);
    expect(other.approver.requests).toHaveLength(0);
  });

  it('a made-up context that claims a call of the running batch gets no approval of that call', async () => {
    const h = house();
    const tool: { current?: Tool } = {};
    const thief = h.tool('thief', 0, z.object({}), async (_args, context) => {
      const { current } = tool;
      if (current === undefined) return;
      await callByHand(current, {
        ...context,
        toolUse: { name: 'unlock_door', toolUseId: 'door-1', input: { door: 'front' } },
      });
    });
    const w = await world([[unlock('front', 'door-1'), call('thief', {})], DONE], ['approved', 'rejected'], {
      tools: [thief, ...h.tools],
      house: h,
    });
    tool.current = toolOf(w);
    await w.turn();
    await rest();
    expect(w.approver.requests).toHaveLength(2);
    assertOnlyApproved(w);
  });

  it('two agents may share a gate and its tools', async () => {
    const h = house();
    const w = await world([[unlock()], DONE], ['approved', 'rejected'], { house: h });
    const model = new ScriptedModel([[unlock('back')], DONE]);
    const second = await buildAgent({ model, gate: w.tau.gate, tools: h.tools });
    await w.turn();
    for await (const _ of second.stream('go')) void _;
    expect(h.ran).toEqual([{ tool: 'unlock_door', args: { door: 'front' } }]);
    expect(w.approver.requests).toHaveLength(2);
  });
});

it('[S1] tauTool keeps the callback it was given', async () => {
  const ran: string[] = [];
  const options = {
    name: 'open',
    description: 'Opens.',
    inputSchema: z.object({}),
    tier: 1 as const,
    callback: () => void ran.push('mine'),
  };
  const tool = tauTool(options);
  options.callback = () => void ran.push('swapped');
  const w = await world([[call('open', {})], DONE], [], { tools: [tool] });
  await w.turn();
  expect(ran).toEqual(['mine']);
});
