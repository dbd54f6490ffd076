import type { BaseEvent } from '@ag-ui/core';
import type { Agent } from '@strands-agents/sdk';
import { buildAgent, guardTool, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { StrandsAgent, type TemplateToolsProvider } from '../../src/ag-ui/index.ts';
import { SessionDisk } from '../support/strands-parts.ts';
import { call, lineLog, resultTexts, runInput, scripted } from './tool-filter-fixture.ts';
import { filterWorld, KINDS, types, wireResults } from './tool-filter-world.ts';

const DONE = [{ text: 'done' }];
const BOTH = ['delete', 'read'];

/** Allows what stands for the run's number, and all when nothing does. */
function byRun(answers: Readonly<Record<string, readonly string[]>>): TemplateToolsProvider {
  return ({ runId }) => answers[runId] ?? null;
}

/** What is wrong with a transcript; a model would refuse it. */
function faultsOf({ messages }: Agent): readonly string[] {
  const roles = messages.flatMap(({ role }, index) => (role === messages[index - 1]?.role ? [`two of ${role}`] : []));
  const calls = messages.flatMap(({ content }, index) => {
    const asked = content.flatMap((block) => (block.type === 'toolUseBlock' ? [block.toolUseId] : []));
    const next = messages[index + 1]?.content ?? [];
    const answered = next.flatMap((block) => (block.type === 'toolResultBlock' ? [block.toolUseId] : []));
    return asked.sort().join() === answered.sort().join() ? [] : [`asked ${asked}, answered ${answered}`];
  });
  return [...roles, ...calls];
}

describe.each(KINDS)('The history of a thread of a %s template', (kind) => {
  it('[T53] keeps the calls of a tool that is filtered out later', async () => {
    const turns = [[call('delete')], DONE, DONE];
    const config = { templateToolsProvider: byRun({ r2: ['read'] }), replayHistoryIntoStrands: false };
    const w = await filterWorld({ kind, turns, config });
    await w.run();
    await w.run();
    const agent = w.agents.get('t1') ?? expect.fail();
    expect(w.offered()).toEqual([BOTH, BOTH, ['read']]);
    const seen = JSON.stringify(w.model.calls.at(-1)?.messages);
    expect(seen).toContain('"name":"delete"');
    expect(seen).toContain('delete done');
    expect(resultTexts(agent)).toEqual(['delete done']);
    expect(faultsOf(agent)).toEqual([]);
  });

  it('[T53, T54] stays with its session manager while the sets change', async () => {
    const disk = new SessionDisk();
    const manager = disk.session();
    const turns = [[call('delete')], DONE, DONE, DONE];
    const config = { templateToolsProvider: byRun({ r2: ['read'], r3: [] }), sessionManagerProvider: () => manager };
    const w = await filterWorld({ kind, turns, config });
    for (let run = 0; run < 3; run += 1) {
      await w.run();
      const agent = w.agents.get('t1') ?? expect.fail();
      expect(agent.sessionManager).toBe(manager);
      expect(resultTexts(agent)).toEqual(['delete done']);
    }
    expect(w.offered()).toEqual([BOTH, BOTH, ['read'], []]);
    expect(JSON.stringify(disk.read())).toContain('delete done');
  });

  it('[T55] is one that a model accepts, however the sets alternate', async () => {
    const names = ['read', 'delete'];
    const turns = Array.from({ length: 8 }, (_, index) => [[call(names[index % 2] ?? ''), call('read')], DONE]).flat();
    const config = {
      templateToolsProvider: byRun({ r2: ['read'], r3: [], r4: ['delete'], r5: [], r7: ['read'] }),
      replayHistoryIntoStrands: false,
    };
    const w = await filterWorld({ kind, turns, config });
    for (let run = 0; run < 8; run += 1) {
      expect(types(await w.run()).at(-1)).toBe('RUN_FINISHED');
      expect(faultsOf(w.agents.get('t1') ?? expect.fail())).toEqual([]);
    }
    expect(resultTexts(w.agents.get('t1') ?? expect.fail())).toHaveLength(16);
  });

  it('[T56] goes on with the same instance when a tool is allowed again', async () => {
    const w = await filterWorld({ kind, config: { templateToolsProvider: byRun({ r2: ['read'] }) } });
    await w.run();
    const registry = w.agents.get('t1')?.toolRegistry ?? expect.fail();
    const before = registry.get('delete');
    await w.run();
    expect(registry.get('delete')).toBeUndefined();
    await w.run();
    expect(registry.get('delete')).toBe(before);
    expect(before).toBeDefined();
  });
});

describe.each(KINDS)('A withheld tool of a %s template', (kind) => {
  it('[T57, T58] does not run when the model calls it anyway; the client sees the call and its error', async () => {
    const turns = [[call('delete')], DONE, [call('delete')], DONE];
    const w = await filterWorld({ kind, turns, config: { templateToolsProvider: byRun({ r2: ['read'] }) } });
    await w.run();
    const events = await w.run();
    expect(w.ran).toEqual(['delete']);
    expect(w.offered().slice(2)).toEqual([['read'], ['read']]);
    const text =
      kind === 'plain' ? "Tool 'delete' not found in registry" : "Tool 'delete' is not registered; it was not run.";
    expect(wireResults(events)).toEqual([text]);
    const start = events.find(({ type }) => type === 'TOOL_CALL_START') as BaseEvent & { toolCallName?: string };
    expect(start.toolCallName).toBe('delete');
    expect(types(events)).not.toContain('RUN_ERROR');
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
  });
});

describe('The guard of a served agent', () => {
  async function served(
    allow: readonly string[],
    turns: ConstructorParameters<typeof ScriptedModel>[0],
  ): Promise<string[]> {
    const ran: string[] = [];
    const tool = (name: string): ReturnType<typeof tauTool> =>
      tauTool({
        name,
        description: `Does ${name}.`,
        inputSchema: z.object({}),
        tier: 0,
        callback: () => {
          ran.push(name);
          return 'done';
        },
      });
    const { agent: sub } = await scripted([[call('delete'), call('dig')], DONE], [tool('delete'), tool('dig')]);
    const worker = guardTool(sub.asTool({ name: 'worker', description: 'Works.' }), { tier: 0, effect: 'Works' });
    const agent = await buildAgent({ model: new ScriptedModel(turns), tools: [worker, tool('delete')] });
    const config = { templateToolsProvider: () => allow, logger: lineLog() };
    const bridge = new StrandsAgent({ agent, name: 'assistant', config });
    const messages = [{ id: 'm', role: 'user' as const, content: 'go' }];
    for await (const _event of bridge.run(runInput({ messages })));
    return ran;
  }

  const work = [{ toolUse: { name: 'worker', input: { input: 'go' } } }];

  it('[T57] keeps a withheld tool from an agent that is used as a tool, and leaves it its own', async () => {
    expect(await served(['worker'], [work, DONE])).toEqual(['dig']);
    expect(await served(['worker', 'delete'], [work, DONE])).toEqual(['delete', 'dig']);
    expect(await served(['delete'], [work, DONE])).toEqual([]);
  });
});
