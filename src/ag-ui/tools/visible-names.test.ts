import type { Tool } from '@strands-agents/sdk';
import { buildAgent, guardTool, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientTool, decide, plainTool, runInput, scripted } from '../../../test/ag-ui/tool-filter-fixture.ts';

const TEMPLATE: readonly Tool[] = [plainTool('read'), plainTool('delete')];

function guarded(name: string, callback: () => unknown = () => name): Tool {
  return tauTool({ name, description: `Does ${name}.`, inputSchema: z.object({}), tier: 1, callback });
}

const declares = (name: string): object => ({ input: runInput({ tools: [clientTool(name)] }) });

describe('[T57] What the guard is told', () => {
  it('is nothing when nothing is filtered, and exactly the registered template tools when something is', async () => {
    const { agent } = await scripted([], TEMPLATE);
    expect((await decide(agent, () => null)).visible).toBeUndefined();
    expect((await decide(agent, () => ['read'], declares('pick'))).visible).toEqual(new Set(['read']));
    expect((await decide(agent, () => [])).visible).toEqual(new Set());
    const parked = new Set(['delete']);
    expect((await decide(agent, () => ['read'], { parked })).visible).toEqual(new Set(['read', 'delete']));
  });

  it('includes what an allowed agent can reach, but no name that is denied', async () => {
    const { agent: inner } = await scripted([], [guarded('dig'), guarded('delete')]);
    const digger = guardTool(inner.asTool({ name: 'digger', description: 'Digs.' }), { tier: 0, effect: 'Digs' });
    const { agent } = await buildAgent({ model: new ScriptedModel([]), tools: [digger, guarded('read')] });
    const templateTools = agent.tools;
    const visible = async (...names: readonly string[]): Promise<unknown> =>
      (await decide(agent, () => names, { templateTools })).visible;
    expect(await visible('digger')).toEqual(new Set(['digger', 'dig', 'delete']));
    expect(await visible('read')).toEqual(new Set(['read']));
  });

  it('loses what only the parked batch may use before the next model call', async () => {
    const { agent } = await scripted([[{ text: 'ok' }]], TEMPLATE);
    const run = await decide(agent, () => ['read'], { parked: new Set(['delete']) });
    await agent.invoke('go');
    expect(run.visible).toEqual(new Set(['read']));
  });
});
