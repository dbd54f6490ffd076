import type { Plugin, Tool } from '@strands-agents/sdk';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  clientTool,
  decide,
  lineLog,
  plainTool,
  registered,
  requestContext,
  runInput,
  scripted,
} from '../../../test/ag-ui/tool-filter-fixture.ts';
import { isProxyTool } from './client-tools.ts';

const read = plainTool('read');
const remove = plainTool('delete');
const TEMPLATE: readonly Tool[] = [read, remove];

const declares = (...names: readonly string[]): object => ({
  input: runInput({ tools: names.map((name) => clientTool(name)) }),
});

function guarded(name: string, callback: () => unknown = () => name): Tool {
  return tauTool({ name, description: `Does ${name}.`, inputSchema: z.object({}), tier: 1, callback });
}

describe('A filter that varies', () => {
  it('[T1, T3, T4, T5, T56] follows each answer on one agent, with the same instances', async () => {
    const { agent } = await scripted([], TEMPLATE);
    expect((await decide(agent, () => ['read'])).selection).toEqual(new Set(['read']));
    expect(registered(agent)).toEqual(['read']);
    expect((await decide(agent, () => [])).selection).toEqual(new Set());
    expect(registered(agent)).toEqual([]);
    expect((await decide(agent, () => null)).selection).toBeUndefined();
    expect([agent.toolRegistry.get('read'), agent.toolRegistry.get('delete')]).toEqual(TEMPLATE);
    await decide(agent, () => ['none']);
    expect(registered(agent)).toEqual([]);
    await decide(agent, () => undefined);
    expect(agent.toolRegistry.get('delete')).toBe(remove);
  });

  it('brings all tools back when the provider is taken away', async () => {
    const { agent } = await scripted([], TEMPLATE);
    await decide(agent, () => []);
    const run = await decide(agent, undefined);
    expect(registered(agent)).toEqual(['delete', 'read']);
    expect(run).toMatchObject({ selection: undefined, visible: undefined });
  });

  it('[T76] treats tools that a plugin brought like any other', async () => {
    const plugin: Plugin = { name: 'more', initAgent: () => undefined, getTools: () => [plainTool('extra')] };
    const { agent } = await scripted([], TEMPLATE, { plugins: [plugin] });
    expect(registered(agent)).toEqual(['delete', 'extra', 'read']);
    await decide(agent, () => ['read'], { templateTools: TEMPLATE });
    expect(registered(agent)).toEqual(['read']);
    await decide(agent, () => ['extra'], { templateTools: TEMPLATE });
    expect(registered(agent)).toEqual(['extra']);
  });

  it('[T67, T68, T70] belongs to a wrapper that was built anew with its tools', async () => {
    const { agent } = await scripted([], [plainTool('read'), plainTool('delete')]);
    const older = agent.toolRegistry.get('read');
    await decide(agent, () => ['read'], { templateTools: TEMPLATE });
    expect(agent.toolRegistry.list()).toEqual([older]);
    await decide(agent, () => [], { templateTools: TEMPLATE });
    expect(registered(agent)).toEqual([]);
    await decide(agent, () => ['read'], { templateTools: [plainTool('delete'), read] });
    expect(agent.toolRegistry.list()).toEqual([read]);
  });

  it('[T69] brings the reloaded tool back, not the one it replaced', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const reloaded = plainTool('read');
    await decide(agent, () => null, { templateTools: TEMPLATE });
    agent.toolRegistry.addOrReplace([reloaded]);
    await decide(agent, () => [], { templateTools: TEMPLATE });
    expect(registered(agent)).toEqual([]);
    await decide(agent, () => ['read'], { templateTools: TEMPLATE });
    expect(agent.toolRegistry.get('read')).toBe(reloaded);
  });
});

describe('Without a provider', () => {
  it('[T35] nothing is removed, registered again, or hooked', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const before = agent.toolRegistry.list();
    const changes = (['add', 'addOrReplace', 'remove', 'clear'] as const).map((name) =>
      vi.spyOn(agent.toolRegistry, name),
    );
    const addHook = vi.spyOn(agent, 'addHook');
    const run = await decide(agent, undefined);
    await decide(agent, undefined);
    expect(agent.toolRegistry.list()).toEqual(before);
    expect(agent.toolRegistry.list().every((tool, index) => tool === before[index])).toBe(true);
    expect([...changes, addHook].map((spy) => spy.mock.calls)).toEqual([[], [], [], [], []]);
    expect({ ...run, namesToRemember: run.namesToRemember() }).toEqual({
      selection: undefined,
      visible: undefined,
      proxyNames: new Set(),
      namesToRemember: undefined,
    });
  });

  it('[T35] a template tool that the application took out stays out', async () => {
    const { agent } = await scripted([], [read]);
    await decide(agent, undefined, { templateTools: TEMPLATE });
    expect(agent.toolRegistry.list()).toEqual([read]);
  });

  it('[T35] hooks are installed once when there is one', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const addHook = vi.spyOn(agent, 'addHook');
    await decide(agent, () => []);
    const { length } = addHook.mock.calls;
    await decide(agent, () => ['read']);
    expect(addHook.mock.calls).toHaveLength(length);
    expect(length).toBe(3);
  });
});

describe('A client tool and a filtered name', () => {
  it('[T59, T61] stays while everything of the template is denied', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const over = declares('pick', 'delete');
    await decide(agent, () => [], over);
    const run = await decide(agent, () => [], over);
    expect(run.proxyNames).toEqual(new Set(['pick', 'delete']));
    expect(registered(agent)).toEqual(['delete', 'pick']);
  });

  it('[T62, T63, T66] gives the name back when the tool is allowed and the client no longer declares it', async () => {
    const { agent } = await scripted([], TEMPLATE);
    await decide(agent, () => [], declares('delete'));
    expect(isProxyTool(agent.toolRegistry.get('delete'))).toBe(true);
    const run = await decide(agent, () => ['delete'], declares());
    expect(agent.toolRegistry.list()).toEqual([remove]);
    expect(run.proxyNames).toEqual(new Set());
  });

  it('[T64] loses the name while it still declares it, with a warning', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const log = lineLog();
    await decide(agent, () => [], { ...declares('delete'), log });
    await decide(agent, () => ['delete'], { ...declares('delete'), log });
    expect(agent.toolRegistry.list()).toEqual([remove]);
    expect(log.of('warn')).toEqual([expect.stringContaining('shadows client-declared tool')]);
  });

  it('[T65] keeps the name while a parked call goes through it', async () => {
    const { agent } = await scripted([], TEMPLATE);
    await decide(agent, () => [], declares('delete'));
    const proxy = agent.toolRegistry.get('delete');
    const run = await decide(agent, () => ['delete'], { ...declares(), parked: new Set(['delete']) });
    expect(agent.toolRegistry.list()).toEqual([proxy]);
    expect(run.proxyNames).toEqual(new Set(['delete']));
  });

  it('[T72] does not stop a run by a name that differs by a hyphen', async () => {
    const record = plainTool('delete_record');
    const { agent } = await scripted([], [record]);
    await decide(agent, () => [], declares('delete-record'));
    expect(registered(agent)).toEqual(['delete-record']);
    const log = lineLog();
    await decide(agent, () => null, { ...declares('delete-record'), log });
    expect(agent.toolRegistry.list()).toEqual([record]);
    expect(log.of('warn')).toEqual([expect.stringContaining('shadows client-declared tool')]);
  });

  it('is removed when it is no longer declared, whoever registered it', async () => {
    const { agent } = await scripted([], TEMPLATE);
    await decide(agent, undefined, declares('pick'));
    await decide(agent, undefined, declares());
    expect(registered(agent)).toEqual(['delete', 'read']);
  });

  it('never takes the name of a guarded tool that is filtered out', async () => {
    const model = new ScriptedModel([]);
    const { agent } = await buildAgent({ model, tools: [guarded('unlock'), guarded('look')] });
    const log = lineLog();
    const templateTools = agent.tools;
    const run = await decide(agent, () => ['look'], { ...declares('unlock', 'Unlock', 'pick'), templateTools, log });
    expect(registered(agent)).toEqual(['look', 'pick']);
    expect(run.proxyNames).toEqual(new Set(['pick']));
    expect(log.of('warn')).toHaveLength(2);
  });
});

describe('When something fails', () => {
  it('[T29, T31] a failing provider leaves the registry as it was', async () => {
    const { agent } = await scripted([], TEMPLATE);
    await decide(agent, () => ['read'], declares('pick'));
    const before = agent.toolRegistry.list();
    for (const provider of [() => Promise.reject(new Error('no')), () => 'read', () => 7 as never]) {
      await expect(decide(agent, provider, declares('other'))).rejects.toMatchObject({
        code: 'TEMPLATE_TOOLS_PROVIDER_ERROR',
      });
      expect(agent.toolRegistry.list()).toEqual(before);
    }
  });

  it('[T30, T31] a failing registry does too, and its error is not called the provider’s', async () => {
    const { agent } = await scripted([], TEMPLATE);
    await decide(agent, () => ['read'], declares('pick'));
    const before = agent.toolRegistry.list();
    const broken = new Error('the registry broke');
    vi.spyOn(agent.toolRegistry, 'add').mockImplementation(() => {
      throw broken;
    });
    await expect(decide(agent, () => ['delete'], declares('other'))).rejects.toBe(broken);
    expect(new Set(agent.toolRegistry.list())).toEqual(new Set(before));
    vi.restoreAllMocks();
    await decide(agent, () => ['delete'], declares());
    expect(agent.toolRegistry.list()).toEqual([remove]);
  });

  it('[T30] keeps what it can when nothing can be put back', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const log = lineLog();
    for (const method of ['add', 'addOrReplace'] as const) {
      vi.spyOn(agent.toolRegistry, method).mockImplementation(() => {
        throw new Error(`${method} broke`);
      });
    }
    await expect(decide(agent, () => ['read'], { ...declares('pick'), log })).rejects.toThrow('addOrReplace broke');
    expect(registered(agent)).toEqual(['read']);
    expect(log.of('error')).toEqual([expect.stringContaining("'delete' could not be put back")]);
  });

  it('a client that leaves while a producer works ends it', async () => {
    const { agent } = await scripted([], TEMPLATE);
    const before = agent.toolRegistry.list();
    const controller = new AbortController();
    const hanging = { name: 'slow', produce: () => new Promise<never>(() => controller.abort(new Error('left'))) };
    const context = requestContext({ signal: controller.signal });
    await expect(decide(agent, () => [], { producers: [hanging], context })).rejects.toThrow('left');
    expect(new Set(agent.toolRegistry.list())).toEqual(new Set(before));
  });
});
