import { BeforeToolCallEvent } from '@strands-agents/sdk';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { describe, expect, it } from 'vitest';
import { parkedBatchToolNames } from '../../src/ag-ui/index.ts';
import { SessionDisk } from '../support/strands-parts.ts';
import { call, plainTool, resultTexts } from './tool-filter-fixture.ts';
import {
  type FilterWorld,
  filterWorld,
  interruptsOf,
  KINDS,
  types,
  type WorldOptions,
  wireResults,
  yesTo,
} from './tool-filter-world.ts';

const DONE = [{ text: 'done' }];
const BOTH = ['delete', 'read'];

/** A filter that a test sets from run to run. */
function settable(first: readonly string[] | null): { allow: readonly string[] | null; config: object } {
  const filter = { allow: first, config: {} };
  filter.config = { templateToolsProvider: () => filter.allow };
  return filter;
}

describe.each(KINDS)('A call of a %s template that waits for an answer', (kind) => {
  it('[T37, T46, T48] runs once although the resume denies it, and is offered to nobody afterwards', async () => {
    const filter = settable(null);
    const turns = [[call('delete'), call('read')], [call('read')], DONE];
    const w = await filterWorld({ kind, asks: true, turns, config: filter.config });
    const stopped = await w.run();
    const agent = w.agents.get('t1');
    filter.allow = ['read'];
    const events = await w.run({ resume: yesTo(stopped) });
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
    expect(w.ran.filter((name) => name === 'delete')).toEqual(['delete']);
    expect(w.offered()).toEqual([BOTH, ['read'], ['read']]);
    expect(w.registered()).toEqual(['read']);
    expect(w.agents.get('t1')).toBe(agent);
  });

  it('[T38] takes its siblings along, finished ones too, and none of them further than the batch', async () => {
    const filter = settable(null);
    const turns = [[call('read'), call('delete')], [call('read'), call('delete')], DONE];
    const w = await filterWorld({ kind, asks: true, turns, config: filter.config });
    const stopped = await w.run();
    filter.allow = [];
    const events = await w.run({ resume: yesTo(stopped) });
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
    expect(w.ran).toEqual(['read', 'delete']);
    expect(w.offered().slice(1)).toEqual([[], []]);
  });

  it('[T47] is not narrowed by the filter of an earlier run', async () => {
    const filter = settable(['read']);
    const turns = [DONE, [call('delete')], [call('read')], DONE];
    const w = await filterWorld({ kind, asks: true, turns, config: filter.config });
    await w.run();
    filter.allow = null;
    const stopped = await w.run();
    const events = await w.run({ resume: yesTo(stopped) });
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
    expect(w.offered()).toEqual([['read'], BOTH, BOTH, BOTH]);
    expect(w.ran).toEqual(['delete', 'read']);
  });

  it('[T47] may use whatever the resume allows, also what was withheld when it parked', async () => {
    const filter = settable(['delete']);
    const turns = [[call('delete')], [call('read')], DONE];
    const w = await filterWorld({ kind, asks: true, turns, config: filter.config });
    const stopped = await w.run();
    filter.allow = null;
    await w.run({ resume: yesTo(stopped) });
    expect(w.offered()).toEqual([['delete'], BOTH, BOTH]);
    expect(w.ran).toEqual(['delete', 'read']);
  });

  it('[T51] leaves nothing of the filter on the wire', async () => {
    const filter = settable(['delete']);
    const w = await filterWorld({ kind, asks: true, turns: [[call('delete')], DONE], config: filter.config });
    const stopped = await w.run();
    const kept = JSON.stringify(w.agents.get('t1')?.appState.getAll());
    expect(kept).toContain('"visible":["delete"]');
    expect(JSON.stringify(stopped)).not.toMatch(/visible|"read"/);
    filter.allow = [];
    const events = await w.run({ resume: yesTo(stopped) });
    expect(JSON.stringify(events)).not.toMatch(/visible|"read"/);
    expect(JSON.stringify(w.agents.get('t1')?.appState.getAll())).not.toContain('visible');
  });

  it('[T44] is there for a second answer, after it was taken out in between', async () => {
    const filter = settable(null);
    const questions = ['sure', 'really'];
    const w = await filterWorld({ kind, questions, turns: [[call('delete')], DONE], config: filter.config });
    const once = await w.run();
    filter.allow = [];
    const twice = await w.run({ resume: yesTo(once) });
    expect(interruptsOf(twice)).toHaveLength(1);
    expect(interruptsOf(twice)[0]?.id).not.toBe(interruptsOf(once)[0]?.id);
    expect(w.ran).toEqual([]);
    expect(w.registered()).toEqual([]);
    const events = await w.run({ resume: yesTo(twice) });
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
    expect(w.ran).toEqual(['delete']);
    expect(w.offered()).toEqual([BOTH, []]);
  });

  it('[T39] is found whatever asked: here a hook that the client never hears the tool’s name from', async () => {
    const filter = settable(null);
    const config = { ...filter.config, toolBehaviors: { delete: { interruptOnCall: true } } };
    const w = await filterWorld({ kind, turns: [[call('delete')], DONE], config });
    const stopped = await w.run();
    filter.allow = [];
    await w.run({ resume: yesTo(stopped) });
    expect(w.ran).toEqual(['delete']);
    expect(w.offered()).toEqual([BOTH, []]);
  });

  it('[T45] is found by a new process that a session manager brought back', async () => {
    const disk = new SessionDisk();
    const store = new MemoryApprovalStore();
    const filter = settable(null);
    const world = (turns: WorldOptions['turns']): Promise<FilterWorld> => {
      const config = { ...filter.config, sessionManagerProvider: () => disk.session() };
      return filterWorld({ kind, asks: true, store, config, ...(turns === undefined ? {} : { turns }) });
    };
    const stopped = await (await world([[call('delete')]])).run();
    filter.allow = ['read'];
    const second = await world([DONE]);
    const events = await second.run({ resume: yesTo(stopped) });
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
    expect(second.ran).toEqual(['delete']);
    expect(second.offered()).toEqual([['read']]);
  });
});

describe.each(KINDS)('A call of a withheld tool of a %s template', (kind) => {
  it('[T52] asks nobody, and nothing can be answered that would let it through', async () => {
    const filter = settable(['read']);
    const config = { ...filter.config, toolBehaviors: { delete: { interruptOnCall: true } } };
    const w = await filterWorld({ kind, asks: true, turns: [[call('delete')], DONE], config });
    const events = await w.run();
    expect(interruptsOf(events)).toEqual([]);
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
    expect(w.ran).toEqual([]);
  });

  it('[T52] gains nothing by waiting beside a call that does', async () => {
    const filter = settable(['read']);
    const config = { ...filter.config, toolBehaviors: { read: { interruptOnCall: true } } };
    const w = await filterWorld({ kind, turns: [[call('delete'), call('read')], DONE], config });
    const stopped = await w.run();
    expect(interruptsOf(stopped)).toHaveLength(1);
    const events = [...stopped, ...(await w.run({ resume: yesTo(stopped) }))];
    expect(w.ran).toEqual(['read']);
    expect(wireResults(events).some((text) => /not (found|registered)|not run/.test(text))).toBe(true);
  });
});

describe('What a batch holds', () => {
  it('[T52] is not what a hook asked about although it was withheld', async () => {
    const ran: string[] = [];
    const filter = settable(['read']);
    const tools = [plainTool('read', () => void ran.push('read')), plainTool('delete', () => void ran.push('delete'))];
    const w = await filterWorld({ tools, turns: [DONE, [call('delete'), call('read')], DONE], config: filter.config });
    await w.run();
    const agent = w.agents.get('t1') ?? expect.fail();
    agent.addHook(BeforeToolCallEvent, (event) => void event.interrupt({ name: event.toolUse.name }));
    const stopped = await w.run();
    expect(interruptsOf(stopped).length).toBeGreaterThan(0);
    expect(parkedBatchToolNames(agent)).toEqual(new Set(BOTH));
    const events = await w.run({ resume: yesTo(stopped) });
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
    expect(ran).toEqual(['read']);
    expect(resultTexts(agent)).toContain("Tool 'delete' not found in registry");
  });

  it('[T52] is known from the approval store when a guarded thread comes back without its session', async () => {
    const store = new MemoryApprovalStore();
    const filter = settable(['read']);
    const options = { kind: 'guarded', tiers: { read: 2, delete: 0 }, store, config: filter.config } as const;
    const first = await filterWorld({ ...options, turns: [[call('read'), call('delete')]] });
    const stopped = await first.run();
    expect(interruptsOf(stopped)).toHaveLength(1);
    const second = await filterWorld({ ...options, turns: [DONE] });
    const events = await second.run({ resume: yesTo(stopped) });
    expect(types(events).at(-1)).toBe('RUN_FINISHED');
    expect([...first.ran, ...second.ran]).toEqual(['read']);
    expect(second.registered()).toEqual(['read']);
  });

  it('[T41] is everything that was visible, with a warning, when it cannot be read', async () => {
    const filter = settable(null);
    const w = await filterWorld({ asks: true, turns: [[call('delete')], DONE], config: filter.config });
    const stopped = await w.run();
    const agent = w.agents.get('t1') ?? expect.fail();
    const snapshot = agent.takeSnapshot({ include: ['interrupts'] });
    const text = JSON.stringify(snapshot.data).replaceAll(
      '"assistantMessageData":{',
      '"assistantMessageData":{"odd":1,',
    );
    const data = JSON.parse(text);
    data.interrupts.pendingToolExecution.assistantMessageData.content.push({ toolUse: { toolUseId: 'x' } });
    agent.loadSnapshot({ ...snapshot, data });
    filter.allow = [];
    await w.run({ resume: yesTo(stopped) });
    expect(w.log.of('warn').filter((line) => line.includes('cannot be read'))).toHaveLength(1);
    expect(w.ran).toEqual(['delete']);
  });

  it('[T40, T42] is nothing when nobody waits', async () => {
    const filter = settable([]);
    const w = await filterWorld({ config: filter.config });
    await w.run();
    expect(parkedBatchToolNames(w.agents.get('t1'))).toEqual(new Set());
    expect(parkedBatchToolNames(undefined)).toEqual(new Set());
    expect(w.registered()).toEqual([]);
  });
});
