import { Agent, type McpClient, tool as sdkTool, type Tool } from '@strands-agents/sdk';
import { TierGate, ToolCatalog } from 'strands-tau';
import { buildAgent, guardTool, TauAgent, tauTool } from 'strands-tau/strands';
import { ScriptedApprover, ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, endOf, house, quietLogger, unlock, world } from '../../test/support/strands.ts';
import {
  assertConfigError,
  assertOnlyApproved,
  physical,
  refusal,
  resultTexts,
  unknown,
} from '../../test/support/strands-checks.ts';
import { ForeignTool, plugin } from '../../test/support/strands-parts.ts';

const model = (): ScriptedModel => new ScriptedModel([]);

describe('[S8] buildAgent wires', () => {
  it('catalog, gate, hook and SDK agent; nested lists of tools are flattened', async () => {
    const [a, b, ...rest] = house().tools;
    if (a === undefined || b === undefined) throw new Error('no tools');
    const tau = await buildAgent({ model: model(), tools: [a, [b, [rest]]], logger: quietLogger().logger });
    expect(tau).toBeInstanceOf(TauAgent);
    expect(tau.agent).toBeInstanceOf(Agent);
    const names = ['read_lock', 'add_note', 'unlock_door', 'run_shell'];
    expect(tau.agent.tools.map(({ name }) => name)).toEqual(names);
    expect(tau.gate.catalog.list().map(({ name, tier }) => [name, tier])).toEqual([
      ['read_lock', 0],
      ['add_note', 1],
      ['unlock_door', 2],
      ['run_shell', 2],
    ]);
  });

  it('[G5] without an approver every tier-2 call is refused', async () => {
    const h = house();
    const scripted = new ScriptedModel([[unlock()], DONE]);
    const tau = await buildAgent({ model: scripted, tools: h.tools, logger: quietLogger().logger });
    for await (const _ of tau.stream('go')) void _;
    expect([h.ran, resultTexts(tau.agent)]).toEqual([[], [refusal('unlock_door')]]);
  });

  it("the SDK's own options, and none of tau's", async () => {
    const w = await world([DONE], [], { systemPrompt: 'Be brief.', name: 'butler', appState: { n: 1 } });
    await w.turn();
    expect([w.agent.name, w.agent.appState.get('n')]).toEqual(['butler', 1]);
    expect(w.model.calls[0]?.systemPrompt).toBe('Be brief.');
  });

  it('a gate, or the parts of one, not both', async () => {
    const gate = new TierGate({ catalog: new ToolCatalog(), logger: quietLogger().logger });
    for (const part of [
      { catalog: new ToolCatalog() },
      { approver: new ScriptedApprover([]) },
      { timeoutSeconds: 3 },
    ]) {
      await assertConfigError(buildAgent({ model: model(), gate, ...part }), /Give either gate or/);
    }
    const tau = await buildAgent({ model: model(), gate });
    expect(tau.gate).toBe(gate);
  });

  it('a catalog entry of the same name that says something else is a ConfigError', async () => {
    const catalog = new ToolCatalog();
    catalog.register({ name: 'unlock_door', tier: 0, effect: 'harmless', inputSchema: {} });
    await assertConfigError(world([], [], { catalog }), /Two different tools are named 'unlock_door'/);
  });
});

describe('[S8] a tool without a tier', () => {
  it('is a ConfigError, whatever its annotations say', async () => {
    const bare = sdkTool({ name: 'bare', inputSchema: z.object({}), callback: () => '' });
    const forged = new ForeignTool('forged', { annotations: { tau: { tier: 0, effect: 'harmless' } } });
    for (const tool of [bare, forged]) {
      await assertConfigError(world([], [], { tools: [tool] }), /has no tier\. Make it with tauTool/);
      await assertConfigError(world([], [], { tools: [[[tool]]] }), /has no tier/);
    }
    for (const nonsense of [{ name: 'x' }, null, 'unlock_door', 7]) {
      await assertConfigError(world([], [], { tools: [nonsense as never] }), /is not a Strands tool/);
    }
  });

  it('two tools whose names differ only in case or hyphen are a ConfigError, and so is the output tool’s name', async () => {
    const h = house();
    for (const name of ['Unlock_Door', 'unlock-door', 'UNLOCK-DOOR']) {
      await assertConfigError(world([], [], { tools: [...h.tools, h.tool(name, 0)] }), /differ only in case/);
    }
    const output = h.tool('strands_structured_output', 0);
    await assertConfigError(world([], [], { tools: [output] }), /the SDK's own name/);
  });

  it('that a plugin brings stays refused and is not offered, with one warning', async () => {
    const foreign = new ForeignTool('foreign');
    const w = await world([[call('foreign', {})], DONE, [call('foreign', {})], DONE], [], {
      plugins: [plugin('bringer', () => undefined, [foreign])],
    });
    await w.turn();
    await w.turn();
    expect([foreign.inputs, resultTexts(w.agent)]).toEqual([[], [unknown('foreign'), unknown('foreign')]]);
    expect(w.model.offered.flat()).not.toContain('foreign');
    expect(w.log.filter((line) => line.includes('not offered'))).toHaveLength(1);
  });

  it('that a plugin brings runs when `guard` names it, and is asked about', async () => {
    const foreign = new ForeignTool('foreign', { annotations: { tau: { tier: 0, effect: 'harmless' } } });
    const w = await world([[call('foreign', { a: 1 }), call('foreign', { a: 2 })], DONE], ['approved', 'rejected'], {
      plugins: [plugin('bringer', () => undefined, [foreign])],
      guard: { foreign: { tier: 2, effect: 'Does foreign things' } },
    });
    await w.turn();
    expect(w.model.offered[0]).toContain('foreign');
    expect(w.approver.requests.map(({ effect, tier }) => [effect, tier])).toEqual([
      ['Does foreign things', 2],
      ['Does foreign things', 2],
    ]);
    expect(foreign.inputs).toEqual([{ a: 1 }]);
    expect(foreign.inputs[0]).toBe(w.approver.requests[0]?.arguments);
    assertOnlyApproved(w);
  });

  it('`guard` with a wrong tier, or a name of every object, guards nothing', async () => {
    const foreign = new ForeignTool('foreign');
    const plugins = [plugin('bringer', () => undefined, [foreign])];
    await assertConfigError(world([], [], { plugins, guard: { foreign: { tier: 7 as never } } }), /tier 7/);
    const w = await world([[call('foreign', {})], DONE], [], {
      plugins,
      guard: Object.create({ foreign: { tier: 0 } }) as never,
    });
    await w.turn();
    expect(foreign.inputs).toEqual([]);
  });
});

describe('[S9] physical tools', () => {
  it('make the executor sequential, also when they come late; others run side by side', async () => {
    const h = house();
    const [read, note, door] = h.tools;
    const executor = async (tools: (Tool | undefined)[], options: object = {}) => {
      const given = tools.filter((tool) => tool !== undefined);
      return (await world([], [], { tools: given, house: h, ...options })).agent.toolExecutor.constructor.name;
    };
    expect(await executor([read, note])).toBe('ConcurrentToolExecutor');
    expect(await executor([read, note, door])).toBe('SequentialToolExecutor');
    const plugins = [plugin('bringer', () => undefined, [new ForeignTool('late')])];
    expect(await executor([read], { plugins, guard: { late: { tier: 2 } } })).toBe('SequentialToolExecutor');
    expect(await executor([read], { plugins, guard: { late: { tier: 1 } } })).toBe('ConcurrentToolExecutor');
  });

  it('never run at the same time, not even with another executor or in two agents of one gate', async () => {
    let running = 0;
    let most = 0;
    const h = house();
    const busy = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 3));
      running--;
    };
    const tools = ['unlock_door', 'run_shell'].map((name) => h.tool(name, 2, z.object({}), busy));
    const batch = [call('unlock_door', {}), call('run_shell', {})];
    const answers = ['approved', 'approved', 'approved', 'approved'] as const;
    const one = await world([batch, DONE], answers, { tools, house: h });
    const two = await world([batch, DONE], [], { gate: one.tau.gate, tools, house: h });
    one.agent.toolExecutor = 'concurrent';
    two.agent.toolExecutor = 'concurrent';
    await Promise.all([one.turn(), two.turn()]);
    expect([most, physical(h).length]).toEqual([1, 4]);
  });
});

describe('[S8] tools of an MCP client', () => {
  it('are guarded by name in `guard`, the rest is withdrawn, and a list that changes later is not believed', async () => {
    const { McpClient: Client } = await import('@strands-agents/sdk');
    const known = new ForeignTool('mcp_read');
    const unknownTool = new ForeignTool('mcp_write');
    const client = Object.create(Client.prototype) as McpClient & { onToolsChanged?: (o: string[], n: Tool[]) => void };
    Object.assign(client, { listTools: async () => [known, unknownTool] });
    const w = await world([[call('mcp_read', {}), call('mcp_write', {})], [call('mcp_read', {})], DONE], [], {
      tools: [client],
      guard: { mcp_read: { tier: 0, effect: 'Reads' } },
    });
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    expect([known.inputs.length, unknownTool.inputs.length]).toEqual([2, 0]);
    expect(w.model.offered[0]).toEqual(['mcp_read']);
    const changed = new ForeignTool('mcp_read');
    client.onToolsChanged?.(['mcp_read', 'mcp_write'], [changed, unknownTool]);
    await w.turn();
    expect(changed.inputs).toEqual([]);
  });
});

it('[S2] guardTool of a tool that was handed over guards a copy: the name and spec that were read then count', async () => {
  const foreign = new ForeignTool('foreign');
  const guarded = guardTool(foreign, { tier: 2 });
  Object.assign(foreign, { name: 'read_lock' });
  const w = await world([[call('foreign', {})], DONE], ['rejected'], { tools: [guarded] });
  await w.turn();
  expect([foreign.inputs, w.approver.requests[0]?.tool]).toEqual([[], 'foreign']);
  expect(tauTool).toBeTypeOf('function');
});
