import { readFileSync } from 'node:fs';
import { Agent, type Plugin, type Tool } from '@strands-agents/sdk';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it, vi } from 'vitest';
import { root } from '../../scripts/entries.ts';
import { isProxyTool, StrandsAgent, syncTemplateTools, type TemplateToolsProvider } from '../../src/ag-ui/index.ts';
import { call, clientTool, lineLog, plainTool, runInput } from './tool-filter-fixture.ts';
import { filterWorld, interruptsOf, KINDS, types, yesTo } from './tool-filter-world.ts';

const DONE = [{ text: 'done' }];
const BOTH = ['delete', 'read'];

function byRun(answers: Readonly<Record<string, readonly string[]>>): TemplateToolsProvider {
  return ({ runId }) => answers[runId] ?? null;
}

const declares = (...names: readonly string[]): { tools: ReturnType<typeof clientTool>[] } => ({
  tools: names.map((name) => clientTool(name)),
});

describe.each(KINDS)('A client tool beside a filter over a %s template', (kind) => {
  it('[T59] stays while everything of the template is withheld', async () => {
    const w = await filterWorld({ kind, config: { templateToolsProvider: () => [] } });
    await w.run(declares('pick'));
    await w.run(declares('pick'));
    expect(w.offered()).toEqual([['pick'], ['pick']]);
    expect(w.registered()).toEqual(['pick']);
  });

  it('[T62, T63, T66] gives a withheld name back when the tool is allowed and it is no longer declared', async () => {
    const w = await filterWorld({ kind, config: { templateToolsProvider: byRun({ r1: ['read'] }) } });
    await w.run(declares('delete'));
    await w.run();
    expect(w.offered().at(-1)).toEqual(BOTH);
    expect(isProxyTool(w.agents.get('t1')?.toolRegistry.get('delete'))).toBe(false);
  });

  it('[T64] loses the name to an allowed tool while it is still declared', async () => {
    const w = await filterWorld({
      kind,
      turns: [DONE, [call('delete')], DONE],
      config: { templateToolsProvider: byRun({ r1: [] }) },
    });
    await w.run(declares('delete'));
    await w.run(declares('delete'));
    expect(w.ran).toEqual(['delete']);
    expect(w.log.of('warn').some((line) => line.includes('shadows client-declared tool'))).toBe(true);
  });

  it('[T72] does not stop a run by a name that differs by a hyphen from one that comes back', async () => {
    const { config } = { config: { templateToolsProvider: byRun({ r1: [] }) } };
    const w = await filterWorld({ kind, config });
    const twin = declares('DELETE', 're-ad', 'read');
    await w.run(twin);
    expect(types(await w.run(twin)).at(-1)).toBe('RUN_FINISHED');
    expect(w.offered().at(-1)).toEqual(['delete', 're-ad', 'read']);
  });
});

describe('A name that two want', () => {
  it('[T61] is the client’s while a plain tool of that name is withheld, and never that of a guarded one', async () => {
    const config = { templateToolsProvider: (): string[] => ['read'] };
    const plain = await filterWorld({ config });
    await plain.run(declares('delete'));
    await plain.run(declares('delete'));
    expect(plain.registered()).toEqual(BOTH);
    expect(isProxyTool(plain.agents.get('t1')?.toolRegistry.get('delete'))).toBe(true);

    const guarded = await filterWorld({ kind: 'guarded', config });
    await guarded.run(declares('delete', 'Delete', 'DELETE'));
    expect(guarded.registered()).toEqual(['read']);
    expect(guarded.offered()).toEqual([['read']]);
  });

  it('[T72] is dropped with its twin: a template tool that comes back does not meet it', async () => {
    const tools = [plainTool('delete_record')];
    const w = await filterWorld({ tools, config: { templateToolsProvider: byRun({ r1: [] }) } });
    await w.run(declares('delete-record'));
    expect(w.registered()).toEqual(['delete-record']);
    expect(types(await w.run(declares('delete-record'))).at(-1)).toBe('RUN_FINISHED');
    expect(w.offered()).toEqual([['delete-record'], ['delete_record']]);
  });

  it('[T65] stays with the client while the parked batch calls through it', async () => {
    const filter = { allow: ['read'] };
    const config = { templateToolsProvider: () => filter.allow, toolBehaviors: { read: { interruptOnCall: true } } };
    const w = await filterWorld({ turns: [[call('delete'), call('read')], DONE, DONE], config });
    const stopped = await w.run(declares('delete'));
    expect(interruptsOf(stopped)).toHaveLength(1);
    const proxy = w.agents.get('t1')?.toolRegistry.get('delete');
    expect(isProxyTool(proxy)).toBe(true);
    filter.allow = BOTH;
    await w.run({ ...declares('delete'), resume: yesTo(stopped) });
    expect(w.ran).toEqual(['read']);
  });

  it('[T60, T73] is no producer’s: it never gets a name of the template, and keeps its own', async () => {
    const rendered: string[] = [];
    const produce = vi.fn((): Tool[] => [
      plainTool('generate_a2ui', () => void rendered.push('theirs')),
      plainTool('panel'),
    ]);
    const tools = [plainTool('generate_a2ui', () => void rendered.push('ours'))];
    const w = await filterWorld({
      tools,
      turns: [[call('generate_a2ui')], DONE, [call('generate_a2ui')], DONE],
      config: { templateToolsProvider: byRun({ r1: [] }), toolProducers: [{ name: 'panel', produce }] },
    });
    await w.run();
    expect(w.registered()).toEqual(['panel']);
    expect(rendered).toEqual([]);
    await w.run();
    expect(rendered).toEqual(['ours']);
    expect(w.registered()).toEqual(['generate_a2ui', 'panel']);
    expect(produce).toHaveBeenCalledTimes(2);
  });
});

describe('A wrapper that is built anew around kept agents', () => {
  function wrapper(agents: Map<string, Agent>, provider: TemplateToolsProvider, tools: readonly Tool[]): StrandsAgent {
    const template = new Agent({ model: new ScriptedModel([]), tools: [...tools], printer: false });
    const config = { templateToolsProvider: provider, logger: lineLog() };
    return new StrandsAgent({ agent: template, name: 'assistant', config, agentsByThread: agents });
  }
  const make = (): readonly Tool[] => [plainTool('read'), plainTool('delete')];
  const drive = async (bridge: StrandsAgent): Promise<void> => {
    for await (const _event of bridge.run(runInput({ messages: [{ id: 'm', role: 'user', content: 'hi' }] })));
  };
  const toolsOf = (agents: Map<string, Agent>): readonly Tool[] => agents.get('t1')?.toolRegistry.list() ?? [];

  it('[T67, T68] filters tools that are equal and not the same, and leaves allowed ones as they are', async () => {
    const agents = new Map<string, Agent>();
    await drive(wrapper(agents, () => null, make()));
    const kept = toolsOf(agents);
    expect(kept).toHaveLength(2);
    await drive(wrapper(agents, () => null, make()));
    expect(toolsOf(agents).every((tool, index) => tool === kept[index])).toBe(true);
    await drive(wrapper(agents, () => ['read'], make()));
    expect(toolsOf(agents)).toHaveLength(1);
    expect(toolsOf(agents)[0]).toBe(kept[0]);
    await drive(wrapper(agents, () => [], make()));
    expect(toolsOf(agents)).toEqual([]);
  });

  it('[T70] brings a withheld tool back as the newest wrapper’s', async () => {
    const agents = new Map<string, Agent>();
    await drive(wrapper(agents, () => null, make()));
    await drive(wrapper(agents, () => [], make()));
    const newest = make();
    await drive(wrapper(agents, () => ['read'], newest));
    expect(toolsOf(agents)[0]).toBe(newest[0]);
  });

  it('[T69] filters a tool that was reloaded', async () => {
    const agents = new Map<string, Agent>();
    const filter: { allow: string[] | null } = { allow: null };
    const bridge = wrapper(agents, () => filter.allow, make());
    await drive(bridge);
    const reloaded = plainTool('delete');
    agents.get('t1')?.toolRegistry.addOrReplace([reloaded]);
    filter.allow = ['read'];
    await drive(bridge);
    expect(toolsOf(agents).map(({ name }) => name)).toEqual(['read']);
    filter.allow = null;
    await drive(bridge);
    expect(agents.get('t1')?.toolRegistry.get('delete')).toBe(reloaded);
  });

  it('[T74] shares a kept agent with another one; on its own, one thread takes one run at a time', async () => {
    const agents = new Map<string, Agent>();
    await drive(wrapper(agents, () => ['read'], make()));
    const other = wrapper(agents, () => ['delete'], make());
    await drive(other);
    expect(toolsOf(agents).map(({ name }) => name)).toEqual(['delete']);
    const busy = await Promise.all(
      [other, other].map(async (bridge) => {
        const codes: unknown[] = [];
        for await (const event of bridge.run(runInput()))
          if (event.type === 'RUN_ERROR') codes.push(Reflect.get(event, 'code'));
        return codes;
      }),
    );
    expect(busy.flat()).toEqual(['THREAD_BUSY']);
  });
});

describe('[T71] A tool of the template without a name', () => {
  it('is nobody’s', async () => {
    const nameless = Object.defineProperty(plainTool('x'), 'name', { value: '' });
    const agent = new Agent({ model: new ScriptedModel([]), printer: false });
    expect(syncTemplateTools(agent.toolRegistry, [nameless], null, { log: lineLog() })).toEqual(new Set());
    expect(agent.toolRegistry.list()).toEqual([]);
  });
});

describe('[T76] Tools that came when the agent started', () => {
  it('are filtered like any other', async () => {
    const extra = plainTool('extra');
    const plugin: Plugin = { name: 'more', initAgent: () => undefined, getTools: () => [extra] };
    const answers = { r1: ['read'], r2: ['extra'], r3: [] };
    const config = { templateToolsProvider: byRun(answers), threadAgentConfig: () => ({ plugins: [plugin] }) };
    const w = await filterWorld({ config });
    for (let run = 0; run < 4; run += 1) await w.run();
    expect(w.offered()).toEqual([['read'], ['extra'], [], ['delete', 'extra', 'read']]);
  });
});

describe.each(KINDS)('[T77] An allowed tool of a %s template', (kind) => {
  it('keeps its behaviours', async () => {
    const config = {
      templateToolsProvider: (): string[] => ['delete'],
      toolBehaviors: { delete: { interruptOnCall: true } },
    };
    const w = await filterWorld({ kind, turns: [[call('delete')], DONE], config });
    const stopped = await w.run();
    expect(interruptsOf(stopped)).toEqual([
      expect.objectContaining({ reason: 'tool_call', message: 'Approve call to delete?' }),
    ]);
    expect(w.ran).toEqual([]);
    await w.run({ resume: yesTo(stopped) });
    expect(w.ran).toEqual(['delete']);
    expect(w.offered()).toEqual([['delete'], ['delete']]);
  });
});

describe('[T78] The guide', () => {
  it('states the contract, the three decisions, stable objects, and whom to believe', () => {
    const guide = readFileSync(`${root}docs/guide/filtering-tools.md`, 'utf8').replaceAll(/\s+/g, ' ');
    const config = readFileSync(`${root}src/ag-ui/config.ts`, 'utf8');
    const stated = [
      'one character at a time',
      'values went unread',
      'an empty one withholds every tool',
      'TEMPLATE_TOOLS_PROVIDER_ERROR',
      'A call that waits for an answer is never filtered out',
      'History is not rewritten',
      'A failing filter fails the run',
      'Hand over stable tool objects',
      'context.principal',
      'input.forwardedProps',
    ];
    expect(stated.filter((text) => !guide.includes(text))).toEqual([]);
    expect(config).toContain('no filter: every template tool');
  });
});
