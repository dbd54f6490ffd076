import {
  AfterModelCallEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  type Tool,
} from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  answers,
  askingTool,
  call,
  decide,
  plainTool,
  registered,
  resultTexts,
  scripted,
} from '../../../test/ag-ui/tool-filter-fixture.ts';
import { parkedBatchToolNames } from './parked-batch.ts';
import type { ToolsOfRun } from './tools-of-run.ts';

const DONE = [{ text: 'done' }];
const TEMPLATE = ['delete', 'read'];

function template(ran: string[], questions?: readonly string[]): readonly Tool[] {
  return [plainTool('read', () => void ran.push('read')), askingTool('delete', ran, questions)];
}

const parkedOf = (agent: Parameters<typeof parkedBatchToolNames>[0], run?: ToolsOfRun): object => ({
  parked: parkedBatchToolNames(agent, { remembered: run?.namesToRemember() }),
});

describe('A resume that denies the parked tool', () => {
  it('[T37, T43, T46, T48] runs it once, and offers only the allowed set from then on', async () => {
    const ran: string[] = [];
    const turns = [[call('delete'), call('read')], [call('read')], DONE];
    const { agent, model } = await scripted(turns, template(ran));
    const first = await decide(agent, () => null);
    const stopped = await agent.invoke('go');
    expect(stopped.stopReason).toBe('interrupt');

    await decide(agent, () => ['read'], parkedOf(agent, first));
    expect(registered(agent)).toEqual(TEMPLATE);
    const result = await agent.invoke(answers(stopped));
    expect(result.stopReason).toBe('endTurn');
    expect(ran.filter((name) => name === 'delete')).toEqual(['delete']);
    expect(model.offered).toEqual([['read', 'delete'], ['read'], ['read']]);
    expect(registered(agent)).toEqual(['read']);
  });

  it('[T38] exempts every call of the batch, and none of them any longer than it', async () => {
    const ran: string[] = [];
    const { agent, model } = await scripted([[call('read'), call('delete')], [call('read')], DONE], template(ran));
    const first = await decide(agent, () => null);
    const stopped = await agent.invoke('go');
    await decide(agent, () => [], parkedOf(agent, first));
    expect(registered(agent)).toEqual(TEMPLATE);
    await agent.invoke(answers(stopped));
    expect(ran).toEqual(['read', 'delete']);
    expect(model.offered.slice(1)).toEqual([[], []]);
    expect(resultTexts(agent).at(-1)).toBe("Tool 'read' not found in registry");
  });

  it('[T44, T49] brings it back when the batch parks a second time', async () => {
    const ran: string[] = [];
    const { agent, model } = await scripted([[call('delete')], DONE], template(ran, ['sure', 'really']));
    const first = await decide(agent, () => null);
    const once = await agent.invoke('go');
    const second = await decide(agent, () => [], parkedOf(agent, first));
    const twice = await agent.invoke(answers(once));
    expect(twice.stopReason).toBe('interrupt');
    expect(registered(agent)).toEqual([]);

    const third = await decide(agent, () => [], parkedOf(agent, second));
    expect(registered(agent)).toEqual(['delete']);
    expect(third.selection).toEqual(new Set());
    const result = await agent.invoke(answers(twice));
    expect(result.stopReason).toBe('endTurn');
    expect(ran).toEqual(['delete']);
    expect(model.offered).toEqual([['read', 'delete'], []]);
  });

  it('[T47] is not narrowed by the selection of an earlier run', async () => {
    const ran: string[] = [];
    const { agent, model } = await scripted([DONE, [call('delete')], [call('read')], DONE], template(ran));
    await decide(agent, () => ['read']);
    await agent.invoke('one');
    const run = await decide(agent, () => null);
    expect(run.namesToRemember()).toBeUndefined();
    const stopped = await agent.invoke('two');
    await decide(agent, () => null, parkedOf(agent, run));
    await agent.invoke(answers(stopped));
    expect(model.offered.map((names) => [...names].sort())).toEqual([['read'], TEMPLATE, TEMPLATE, TEMPLATE]);
    expect(registered(agent)).toEqual(TEMPLATE);
  });
});

describe('A resume that is cancelled before its calls run', () => {
  it('[T50] finds them again in the next request', async () => {
    const ran: string[] = [];
    const { agent } = await scripted([[call('delete')], DONE], template(ran));
    const first = await decide(agent, () => null);
    const stopped = await agent.invoke('go');
    const second = await decide(agent, () => [], parkedOf(agent, first));
    const uncancel = agent.addHook(BeforeToolsEvent, () => agent.cancel());
    expect((await agent.invoke(answers(stopped))).stopReason).toBe('cancelled');
    uncancel();
    expect(ran).toEqual([]);
    expect(registered(agent)).toEqual([]);

    await decide(agent, () => [], parkedOf(agent, second));
    expect(registered(agent)).toEqual(['delete']);
    expect((await agent.invoke(answers(stopped))).stopReason).toBe('endTurn');
    expect(ran).toEqual(['delete']);
  });
});

describe('A call of a tool that the run may not see', () => {
  it('[T52] parks nothing that a later run would let through', async () => {
    const ran: string[] = [];
    const { agent } = await scripted([[call('delete'), call('read')], DONE], template(ran));
    // Like a hook that asks whatever the tool is.
    agent.addHook(BeforeToolCallEvent, (event) => void event.interrupt({ name: `ask:${event.toolUse.name}` }));
    const first = await decide(agent, () => ['read']);
    const stopped = await agent.invoke('go');
    expect(stopped.stopReason).toBe('interrupt');
    expect(first.namesToRemember()).toEqual(['read']);

    await decide(agent, () => ['read'], parkedOf(agent, first));
    expect(registered(agent)).toEqual(['read']);
    await agent.invoke(answers(stopped));
    expect(ran).toEqual(['read']);
    expect(resultTexts(agent)).toContain("Tool 'delete' not found in registry");
  });

  it('[T52] gains nothing in a batch that follows a resumed one', async () => {
    const ran: string[] = [];
    const turns = [[call('delete')], [call('delete'), call('read')], DONE];
    const { agent } = await scripted(turns, [plainTool('delete', () => void ran.push('delete')), plainTool('read')]);
    agent.addHook(BeforeToolCallEvent, (event) => void event.interrupt({ name: event.toolUse.toolUseId }));
    const first = await decide(agent, () => null);
    const once = await agent.invoke('go');
    const second = await decide(agent, () => ['read'], parkedOf(agent, first));
    const twice = await agent.invoke(answers(once));
    expect(ran).toEqual(['delete']);
    expect(second.namesToRemember()).toEqual(['read']);
    await decide(agent, () => ['read'], parkedOf(agent, second));
    await agent.invoke(answers(twice));
    expect(ran).toEqual(['delete']);
  });

  it('[T57] is refused by the dispatcher and not only left out of the offer', async () => {
    const ran: string[] = [];
    const { agent, model } = await scripted([[call('read')], DONE], template(ran));
    await decide(agent, () => []);
    const result = await agent.invoke('go');
    expect(result.stopReason).toBe('endTurn');
    expect(ran).toEqual([]);
    expect(model.offered).toEqual([[], []]);
    expect(resultTexts(agent)).toEqual(["Tool 'read' not found in registry"]);
  });
});

describe('A tool that arrives while a run is filtered', () => {
  it('is neither run nor offered, and comes back when nothing is filtered', async () => {
    const ran: string[] = [];
    const late = plainTool('late', () => void ran.push('late'));
    const { agent, model } = await scripted([[call('late')], DONE, [call('late')], DONE], template(ran));
    const remove = agent.addHook(BeforeModelCallEvent, (event) => event.agent.toolRegistry.addOrReplace([late]));
    await decide(agent, () => ['read']);
    await agent.invoke('one');
    expect(ran).toEqual([]);
    remove();
    agent.toolRegistry.remove('late');

    await decide(agent, () => null);
    expect(agent.toolRegistry.get('late')).toBe(late);
    await agent.invoke('two');
    expect(ran).toEqual(['late']);
    expect(model.offered.slice(0, 2)).toEqual([['read'], ['read']]);
  });

  it('is not run when it arrives after the model was asked', async () => {
    const ran: string[] = [];
    const late = plainTool('late', () => void ran.push('late'));
    const { agent } = await scripted([[call('late'), call('read')], DONE], template(ran));
    agent.addHook(AfterModelCallEvent, (event) => event.agent.toolRegistry.addOrReplace([late]));
    await decide(agent, () => ['read']);
    await agent.invoke('one');
    expect(ran).toEqual(['read']);
    expect(resultTexts(agent)).toEqual(["Tool 'late' not found in registry", 'undefined']);
  });

  it('stays when it is the SDK’s own, for structured output', async () => {
    const output = 'strands_structured_output';
    const turns = [[call('read')], [{ toolUse: { name: output, input: { ok: true } } }]];
    const options = { structuredOutputSchema: z.object({ ok: z.boolean() }) };
    const { agent, model } = await scripted(turns, template([]), options);
    await decide(agent, () => ['read']);
    expect((await agent.invoke('go')).structuredOutput).toEqual({ ok: true });
    expect(model.offered).toEqual([
      ['read', output],
      ['read', output],
    ]);
  });
});
