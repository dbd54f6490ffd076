import { type Agent, BeforeToolCallEvent } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { askingTool, call, lineLog, plainTool, scripted } from '../../../test/ag-ui/tool-filter-fixture.ts';
import { batchToolNames, EVERY_TEMPLATE_TOOL, parkedBatchToolNames } from './parked-batch.ts';

/** Puts a checkpoint of any shape into an agent, the way a session manager would. */
function restoreCheckpoint(agent: Agent, pending: unknown, activated = true): void {
  const snapshot = agent.takeSnapshot({ include: ['interrupts'] });
  const interrupts = {
    interrupts: { i1: { id: 'i1', name: 'i1', source: 'tool' } },
    activated,
    ...(pending === undefined ? {} : { pendingToolExecution: pending }),
  };
  agent.loadSnapshot({ ...snapshot, data: { interrupts: JSON.parse(JSON.stringify(interrupts)) } });
}

const pendingWith = (content: unknown): object => ({
  assistantMessageData: { role: 'assistant', content },
  completedToolResults: {},
});

describe('[T75] parkedBatchToolNames', () => {
  it('[T42] is empty without an agent, for an idle one, and for one that is not interrupted', async () => {
    const { agent } = await scripted([], []);
    expect(parkedBatchToolNames(undefined)).toEqual(new Set());
    expect(parkedBatchToolNames(agent)).toEqual(new Set());
    restoreCheckpoint(agent, pendingWith([{ toolUse: { name: 'delete', toolUseId: '1', input: {} } }]), false);
    expect(parkedBatchToolNames(agent)).toEqual(new Set());
  });

  it('[T37, T38, T39] names every call of the batch, whatever raised the interrupt, finished siblings too', async () => {
    const ran: string[] = [];
    const batch = [call('read'), call('delete'), { text: 'and' }];
    const { agent } = await scripted([batch], [plainTool('read'), askingTool('delete', ran)]);
    await agent.invoke('go');
    expect(parkedBatchToolNames(agent)).toEqual(new Set(['read', 'delete']));

    const hooked = await scripted([batch], [plainTool('read'), plainTool('delete')]);
    hooked.agent.addHook(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'nameless' }));
    await hooked.agent.invoke('go');
    expect(parkedBatchToolNames(hooked.agent)).toEqual(new Set(['read', 'delete']));
  });

  it('[T40] is empty when the agent stopped before any tool', async () => {
    const { agent } = await scripted([], []);
    restoreCheckpoint(agent, undefined);
    expect(parkedBatchToolNames(agent)).toEqual(new Set());
  });

  it('[T52] names only those that were there when the batch parked', async () => {
    const { agent } = await scripted([[call('read'), call('delete')]], [askingTool('read', [])]);
    await agent.invoke('go');
    expect(parkedBatchToolNames(agent, { remembered: ['read', 'other'] })).toEqual(new Set(['read']));
    expect(parkedBatchToolNames(agent, { remembered: [] })).toEqual(new Set());
  });

  it('[T41] holds all names, or all that were there, with a warning, when the calls cannot be read', () => {
    const unreadable = [
      null,
      {},
      { assistantMessageData: null },
      { assistantMessageData: { role: 'assistant' } },
      pendingWith('text'),
      pendingWith({ 0: { toolUse: { name: 'delete' } } }),
      pendingWith([]),
      pendingWith([{ text: 'no call' }]),
      pendingWith([null]),
      pendingWith([{ toolUse: null }]),
      pendingWith([{ toolUse: { name: 'read' } }, { toolUse: { toolUseId: '1' } }]),
    ];
    for (const pending of unreadable) {
      const log = lineLog();
      const json = JSON.parse(JSON.stringify(pending));
      expect(batchToolNames(json, { log })).toBe(EVERY_TEMPLATE_TOOL);
      expect(log.of('warn')).toHaveLength(1);
      expect(batchToolNames(json, { remembered: ['read'], log })).toEqual(new Set(['read']));
    }
  });

  it('[T41] holds all of an agent whose checkpoint holds calls of another shape', async () => {
    const { agent } = await scripted([], []);
    const log = lineLog();
    restoreCheckpoint(agent, { assistantMessageData: { role: 'assistant', content: [] }, completedToolResults: {} });
    expect(parkedBatchToolNames(agent, { log })).toBe(EVERY_TEMPLATE_TOOL);
    expect(log.of('warn')).toHaveLength(1);
  });
});
