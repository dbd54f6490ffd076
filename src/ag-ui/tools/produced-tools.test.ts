import type { Tool } from '@strands-agents/sdk';
import { buildAgent } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it, vi } from 'vitest';
import {
  call,
  clientTool,
  decide,
  lineLog,
  plainTool,
  registered,
  requestContext,
  runInput,
  scripted,
} from '../../../test/ag-ui/tool-filter-fixture.ts';
import type { ToolProducer } from '../config.ts';
import { isProxyTool } from './client-tools.ts';

const read = plainTool('read');
const remove = plainTool('delete');
const TEMPLATE: readonly Tool[] = [read, remove];

const declares = (...names: readonly string[]): object => ({
  input: runInput({ tools: names.map((name) => clientTool(name)) }),
});

function producer(tools: readonly Tool[], name = 'panel'): ToolProducer {
  return { name, produce: vi.fn(() => tools) };
}

describe('[T36] Producers', () => {
  it('come last and are told which names are taken', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const panel = producer([plainTool('render')]);
    const input = runInput({ tools: [clientTool('pick')] });
    const context = requestContext();
    const run = await decide(agent, () => ['read'], { producers: [panel], input, context });
    expect(panel.produce).toHaveBeenCalledExactlyOnceWith(input, context, ['read', 'delete', 'pick']);
    expect(registered(agent)).toEqual(['pick', 'read', 'render']);
    expect(run.proxyNames).toEqual(new Set(['pick']));
  });

  it('[T60] are not filtered, and their tools are made anew for each run', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const [first, second] = [plainTool('render'), plainTool('render')];
    await decide(agent, () => [], { producers: [producer([first])] });
    expect(agent.toolRegistry.list()).toEqual([first]);
    await decide(agent, () => [], { producers: [producer([second])] });
    expect(agent.toolRegistry.get('render')).toBe(second);
    await decide(agent, () => []);
    expect(registered(agent)).toEqual([]);
  });

  it('leave a tool that parked calls go through', async () => {
    const { agent } = await scripted([], []);
    const tool = plainTool('render');
    await decide(agent, undefined, { producers: [producer([tool])] });
    await decide(agent, undefined, { parked: new Set(['render']) });
    expect(agent.toolRegistry.list()).toEqual([tool]);
    await decide(agent, undefined);
    expect(agent.toolRegistry.list()).toEqual([]);
  });

  it('[T73] get no name of the template, denied or allowed, nor a look-alike', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const log = lineLog();
    const tools = [plainTool('delete'), plainTool('read'), plainTool('De-lete'), plainTool('DELETE')];
    await decide(agent, () => ['read'], { producers: [producer(tools)], log });
    expect(registered(agent)).toEqual(['De-lete', 'read']);
    expect(agent.toolRegistry.get('read')).toBe(read);
    expect(log.of('warn')).toHaveLength(3);
  });

  it('take a name from a client tool, but not from a parked one', async () => {
    const { agent } = await scripted([], []);
    const rendering = { producers: [producer([plainTool('render')])], ...declares('render') };
    expect((await decide(agent, undefined, rendering)).proxyNames).toEqual(new Set());
    expect(isProxyTool(agent.toolRegistry.get('render'))).toBe(false);

    const other = (await scripted([], [])).agent;
    await decide(other, undefined, declares('render'));
    await decide(other, undefined, { ...rendering, parked: new Set(['render']) });
    expect(isProxyTool(other.toolRegistry.get('render'))).toBe(true);
  });

  it('add nothing when they fail, or give something that is no tool', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const log = lineLog();
    const failing = { name: 'broken', produce: () => Promise.reject(new Error('no panel')) };
    const odd = producer([plainTool('fine'), {} as Tool, plainTool('never')]);
    await decide(agent, undefined, { producers: [failing, odd], log });
    expect(registered(agent)).toEqual(['delete', 'fine', 'never', 'read']);
    expect(log.of('warn')).toEqual([expect.stringContaining('no panel'), expect.stringContaining('not usable')]);
  });

  it('pass the guard of a guarded agent', async () => {
    const model = new ScriptedModel([[call('render')], [{ text: 'ok' }]]);
    const tau = await buildAgent({ model, tools: [] });
    const drawn: string[] = [];
    await decide(tau.agent, undefined, { producers: [producer([plainTool('render', () => void drawn.push('x'))])] });
    for await (const _event of tau.stream('go'));
    expect(drawn).toEqual(['x']);
  });
});
