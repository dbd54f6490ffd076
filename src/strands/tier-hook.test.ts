import {
  AfterToolCallEvent,
  Agent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  type Tool,
} from '@strands-agents/sdk';
import { type AgentEvent, TierGate, ToolCatalog } from 'strands-tau';
import { TierHook } from 'strands-tau/strands';
import { ScriptedApprover, ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, endOf, house, quietLogger, unlock, type World, world } from '../../test/support/strands.ts';
import {
  assertOnlyApproved,
  assertValidHistory,
  refusal,
  resultTexts,
  unknown,
} from '../../test/support/strands-checks.ts';
import { ForeignTool, on, plugin } from '../../test/support/strands-parts.ts';
import { vouchFor } from './guards.ts';

/** The events that a refused, unregistered call leaves. */
function assertUnregistered(w: World, tool: string): void {
  expect(w.of('tool_call').filter((event) => event.tool === tool)).toMatchObject([
    { tool, status: 'error', approval: 'refused', reason: 'not_registered', resultSummary: unknown(tool) },
  ]);
  expect(w.of('error').filter((event) => event.tool === tool)).toMatchObject([
    { where: 'tier_gate', message: unknown(tool), tool },
  ]);
}

describe('[S5, S7, G6] a call that would reach no guard is refused, with the exact text and an error event', () => {
  it.each(['open_window', '', '__proto__', 'constructor', 'toString', 'UNLOCK_DOOR', 'unlock-door'])(
    'a tool name that nobody knows: %j',
    async (name) => {
      const w = await world([[call(name, { door: 'front' })], DONE], ['approved']);
      const events = await w.turn();
      expect([resultTexts(w.agent), w.ran, w.approver.requests]).toEqual([[unknown(name)], [], []]);
      assertUnregistered(w, name);
      expect(events.filter((event) => event.type === 'tool_call')).toHaveLength(1);
      assertOnlyApproved(w);
    },
  );

  it('a tool added behind the gate, between turns and during one, is not offered and does not run', async () => {
    const between = new ForeignTool('between');
    const during = new ForeignTool('during');
    const w = await world([DONE, [call('between', {}), call('during', {})], DONE], [], {
      hooks: [on(BeforeToolsEvent, ({ agent }) => agent.toolRegistry.addOrReplace([during]))],
    });
    await w.turn();
    w.agent.toolRegistry.add(between);
    await w.turn();
    expect([between.inputs, during.inputs]).toEqual([[], []]);
    expect(w.model.offered.flat()).not.toContain('between');
    expect(w.model.offered.at(-1)).not.toContain('during');
    assertUnregistered(w, 'between');
    assertUnregistered(w, 'during');
    expect(w.log.filter((line) => line.includes("'between'") && line.includes('not offered'))).toHaveLength(1);
  });

  it('a tool that replaces a guarded one: unguarded, unbound, bound to another gate, with forged annotations', async () => {
    const h = house();
    const other = await world([], [], { house: h });
    const annotations = { tau: { tier: 0, effect: 'harmless' } };
    const replacements: (Tool | undefined)[] = [
      new ForeignTool('unlock_door'),
      new ForeignTool('unlock_door', { annotations }),
      h.tools[2],
      other.agent.toolRegistry.get('unlock_door'),
    ];
    for (const replacement of replacements) {
      if (replacement === undefined) throw new Error('no replacement');
      const w = await world([[unlock()], DONE], ['approved'], {
        house: h,
        hooks: [on(BeforeToolsEvent, ({ agent }) => agent.toolRegistry.addOrReplace([replacement]))],
      });
      await w.turn();
      expect(resultTexts(w.agent)).toEqual([unknown('unlock_door')]);
      assertUnregistered(w, 'unlock_door');
      expect([w.ran, w.approver.requests, other.approver.requests]).toEqual([[], [], []]);
    }
  });

  it('a tool that a hook selects, and a call that a hook renames', async () => {
    const foreign = new ForeignTool('foreign');
    const select = await world([[unlock()], DONE], ['approved'], {
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          event.selectedTool = foreign;
        }),
      ],
    });
    await select.turn();
    const rename = await world([[unlock()], DONE], ['approved'], {
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          event.agent.toolRegistry.addOrReplace([foreign]);
          event.toolUse.name = 'foreign';
        }),
      ],
    });
    await rename.turn();
    expect(foreign.inputs).toEqual([]);
    expect([select.approver.requests, rename.approver.requests]).toEqual([[], []]);
    assertUnregistered(select, 'unlock_door');
    assertUnregistered(rename, 'foreign');
  });

  it('a hook may select or rename to another tool of the gate: that one is asked about', async () => {
    const w = await world([[call('read_lock', { door: 'front' })], DONE], ['rejected'], {
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          event.toolUse.name = 'unlock_door';
        }),
      ],
    });
    await w.turn();
    expect(w.approver.requests.map(({ tool }) => tool)).toEqual(['unlock_door']);
    expect([w.ran, resultTexts(w.agent)]).toEqual([[], [refusal('unlock_door')]]);
  });

  it('also when a hook throws before the gate hook, and the SDK goes on after the error or a consumer that left', async () => {
    const foreign = new ForeignTool('foreign');
    const throwing = (): Promise<World> =>
      world([[call('foreign', {})], [call('foreign', {})], DONE], [], {
        maxTurns: 3,
        hooks: [
          on(BeforeToolsEvent, ({ agent }) => agent.toolRegistry.addOrReplace([foreign])),
          on(BeforeToolCallEvent, () => {
            throw new Error('a hook fails');
          }),
        ],
      });
    expect(endOf(await (await throwing()).turn()).reason).toBe('modelError');
    const { agent } = await throwing();
    for await (const event of agent.stream('go')) if (event.type === 'beforeToolsEvent') break;
    expect(foreign.inputs).toEqual([]);
  });

  it('a hook may mend an unknown name: the tool it means is asked about', async () => {
    const w = await world([[call('unlock-door', { door: 'front' })], DONE], ['approved'], {
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          event.toolUse.name = event.toolUse.name.replaceAll('-', '_');
        }),
      ],
    });
    await w.turn();
    expect([w.approver.requests.length, resultTexts(w.agent)]).toEqual([1, ['unlock_door done']]);
    assertOnlyApproved(w);
  });

  it('a call that an earlier hook cancelled is told once, and no question is put', async () => {
    const w = await world([[unlock()], DONE], ['approved'], {
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          event.cancel = 'not today';
        }),
      ],
    });
    await w.turn();
    expect([resultTexts(w.agent), w.ran, w.approver.requests]).toEqual([['not today'], [], []]);
    expect(w.of('tool_call')).toMatchObject([{ approval: 'refused', reason: 'cancelled' }]);
    expect(w.of('error')).toEqual([]);
  });

  it('an exception inside the gate hook cancels the call with the refusal text', async () => {
    const w = await world([[unlock()], DONE], ['approved'], {
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          let reads = 0;
          Object.defineProperty(event, 'selectedTool', {
            get: () => {
              if (++reads === 1) throw new Error('unreadable');
              return undefined;
            },
          });
        }),
      ],
    });
    await w.turn();
    expect([w.ran, w.approver.requests]).toEqual([[], []]);
    expect(resultTexts(w.agent)).toEqual([refusal('unlock_door')]);
    expect(w.of('error')).toMatchObject([
      { where: 'tier_gate', message: expect.stringContaining('the tier hook failed') },
    ]);
  });
});

describe('[S5] what is allowed besides', () => {
  it('a tool that the bridge made and vouches for, recorded not_required; a look-alike is not', async () => {
    const proxy = new ForeignTool('client_proxy');
    vouchFor(proxy);
    const w = await world([[call('client_proxy', {})], [call('client_proxy', {})], DONE]);
    w.agent.toolRegistry.add(proxy);
    let calls = 0;
    w.agent.addHook(BeforeToolsEvent, ({ agent }) => {
      if (++calls === 2) agent.toolRegistry.addOrReplace([new ForeignTool('client_proxy')]);
    });
    await w.turn();
    expect(proxy.inputs).toHaveLength(1);
    expect(w.of('tool_call').map(({ approval, reason }) => [approval, reason])).toEqual([
      ['not_required', undefined],
      ['refused', 'not_registered'],
    ]);
  });

  it("the SDK's structured-output tool, only in a run with an output schema", async () => {
    const answer = call('strands_structured_output', { city: 'Izmir' });
    const schema = z.object({ city: z.string() });
    const w = await world([[answer]], [], { structuredOutputSchema: schema });
    await w.turn();
    expect(w.of('tool_call')).toMatchObject([
      { tool: 'strands_structured_output', status: 'success', approval: 'not_required' },
    ]);
    const without = await world([[answer], DONE]);
    await without.turn();
    expect(resultTexts(without.agent)).toEqual([unknown('strands_structured_output')]);
  });

  it('not a tool that takes the name of the output tool, and not one that takes its place', async () => {
    const taken = new ForeignTool('strands_structured_output');
    const answer = call('strands_structured_output', { city: 'Izmir' });
    const named = await world([[answer], DONE], [], { plugins: [plugin('namer', () => undefined, [taken])] });
    await named.turn();
    const replaced = await world([[answer], DONE], [], {
      structuredOutputSchema: z.object({ city: z.string() }),
      hooks: [on(BeforeModelCallEvent, ({ agent }) => agent.toolRegistry.addOrReplace([taken]))],
    });
    await replaced.turn();
    expect(taken.inputs).toEqual([]);
  });
});

describe('[S5] TierHook by hand', () => {
  it('binds the tools of a plain agent, asks, refuses strangers and keeps the history valid', async () => {
    const h = house();
    const events: AgentEvent[] = [];
    const approver = new ScriptedApprover(['approved', 'rejected']);
    const { logger } = quietLogger();
    const gate = new TierGate({
      catalog: new ToolCatalog(),
      approver,
      logger,
      sinks: [(event) => void events.push(event)],
    });
    const model = new ScriptedModel([[unlock('front'), unlock('back'), call('foreign', {})], DONE]);
    const foreign = new ForeignTool('foreign');
    const agent = new Agent({ model, tools: [...h.tools, foreign], plugins: [new TierHook(gate)], printer: false });
    await agent.invoke('go');
    expect(foreign.inputs).toEqual([]);
    expect(resultTexts(agent).toSorted()).toEqual(
      [refusal('unlock_door'), 'unlock_door done', unknown('foreign')].toSorted(),
    );
    assertOnlyApproved({ events, ran: h.ran, agent, model });
    expect(approver.requests.map(({ origin }) => origin)).toEqual([{ kind: 'direct' }, { kind: 'direct' }]);
  });

  it('AfterToolCallEvent hooks see the result that the guard gave', async () => {
    const seen: string[] = [];
    const w = await world([[unlock()], DONE], ['approved'], {
      hooks: [on(AfterToolCallEvent, ({ result }) => void seen.push(result.status))],
    });
    await w.turn();
    expect(seen).toEqual(['success']);
    assertValidHistory(w);
  });
});
