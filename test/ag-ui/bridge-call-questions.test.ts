import type { BaseEvent } from '@ag-ui/core';
import type { StrandsAgentRunOptions } from 'strands-tau/ag-ui';
import { describe, expect, it } from 'vitest';
import { call, DONE } from '../support/strands.ts';
import { ForeignTool } from '../support/strands-parts.ts';
import { clientTool, Disk, type Served, type ServedOptions, served } from './support/served.ts';
import { answer, cancel, endOf, errorOf, interruptOf, interruptsOf, resultsOf, yes } from './support/wire.ts';

const ASK = { interruptOnCall: true };
const DENIED = "User denied approval for 'look'.";

/** A plain agent with one tool that the client is asked about. */
async function asked(
  turn = [call('look', { at: ['sky'] }, 'c1')],
  over: ServedOptions = {},
  by?: StrandsAgentRunOptions,
) {
  const look = new ForeignTool('look');
  const s = await served([turn, DONE, DONE], {
    kind: 'plain',
    tools: [look],
    config: { toolBehaviors: { look: ASK } },
    ...over,
  });
  return { s, look, stopped: await s.run({}, by) };
}

function ended(s: Served, events: readonly BaseEvent[]) {
  return { end: endOf(events), results: resultsOf(events), asked: s.model.calls.length };
}

describe('A tool with interruptOnCall', () => {
  it('[C7.1, C7.2, C7.5] is asked about before it runs, in the shape of the peer', async () => {
    const { look, stopped } = await asked();
    expect(interruptsOf(stopped)).toEqual([
      {
        id: 'hook:beforeToolCall:c1:ag_ui:tool_call:look',
        reason: 'tool_call',
        message: 'Approve call to look?',
        toolCallId: 'c1',
        responseSchema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
        metadata: { strandsName: 'ag_ui:tool_call:look', tool_name: 'look', tool_input: { at: ['sky'] } },
      },
    ]);
    expect(look.inputs).toEqual([]);
  });

  it('[C7.3, S10] is asked about by itself, also where the model gave two calls one id', async () => {
    const { s, look, stopped } = await asked([
      call('look', { at: ['sky'] }, 'c1'),
      call('look', { at: ['sea'] }, 'c1'),
    ]);
    const questions = interruptsOf(stopped);
    expect(questions.map(({ metadata }) => metadata?.tool_input)).toEqual([{ at: ['sky'] }, { at: ['sea'] }]);
    const [sky, sea] = questions.map(({ id }) => id);
    const resume = [
      { interruptId: sky ?? '', status: 'resolved' as const, payload: { approved: false } },
      { interruptId: sea ?? '', status: 'resolved' as const, payload: { approved: true } },
    ];
    await s.run({ resume });
    expect(look.inputs).toEqual([{ at: ['sea'] }]);
  });

  it.each([
    ['an agent', { principal: { id: 'bot', kind: 'agent' as const } }],
    ['a credential that may not decide', { mayDecide: false }],
  ])('[C7.3] is not approved by %s, which may deny it', async (_, by) => {
    const { s, look, stopped } = await asked(undefined, {}, by);
    expect(endOf(await s.run({ resume: yes(stopped) }, by))).toBe('FORBIDDEN_ANSWER');
    expect(look.inputs).toEqual([]);
    await s.run({ resume: answer(stopped, { approved: false }) }, by);
    expect([look.inputs, s.model.calls.length]).toEqual([[], 2]);
  });

  it('[C7.3] runs once it is approved', async () => {
    const { s, look, stopped } = await asked();
    const events = await s.run({ resume: yes(stopped) });
    expect(ended(s, events)).toEqual({ end: 'success', results: [['c1', 'foreign tool ran']], asked: 2 });
    expect(look.inputs).toEqual([{ at: ['sky'] }]);
  });

  it('[C7.3, C8.9, C8.10] does not run when it is denied or cancelled: one result, and the model is told', async () => {
    for (const say of [(events: readonly BaseEvent[]) => answer(events, { approved: false }), cancel]) {
      const { s, look, stopped } = await asked();
      const events = await s.run({ resume: say(stopped) });
      expect(ended(s, events)).toEqual({ end: 'success', results: [['c1', DENIED]], asked: 2 });
      expect(s.model.calls[1]?.messages.at(-1)).toMatchObject({
        content: [{ toolResult: { status: 'error', content: [{ text: DENIED }] } }],
      });
      expect(look.inputs).toEqual([]);
    }
  });

  it.each([
    [true, 'expected an object.'],
    ['y', 'expected an object.'],
    [undefined, 'expected an object.'],
    [{}, 'missing required keys: approved.'],
    [{ approved: 'true' }, "field 'approved' must be a boolean."],
    [{ approved: true, editedArgs: { at: [] } }, 'unknown keys: "editedArgs". Known keys: approved.'],
    [{ approved: false, why: 'no' }, 'unknown keys: "why". Known keys: approved.'],
  ])('[C8.7] does not run for %j, which is INVALID_PAYLOAD; the question stays', async (payload, problem) => {
    const { s, look, stopped } = await asked();
    const events = await s.run({ resume: answer(stopped, payload) });
    expect([endOf(events), errorOf(events)]).toEqual([
      'INVALID_PAYLOAD',
      `Invalid payload for interrupt '${interruptOf(stopped).id}': ${problem}`,
    ]);
    expect(look.inputs).toEqual([]);
    await s.run({ resume: yes(stopped) });
    expect(look.inputs).toHaveLength(1);
  });

  it.each(['yes', 1, null])(
    '[C7.3, C8.1] does not run for %j in a session either, however often it is repeated',
    async (approved) => {
      const disk = new Disk();
      const { stopped } = await asked(undefined, { disk });
      const saved = JSON.parse(disk.text());
      saved.data.interrupts.interrupts[interruptOf(stopped).id].response = { approved };
      disk.files.set('anonymous-t1', JSON.stringify(saved));
      const look = new ForeignTool('look');
      const config = { toolBehaviors: { look: ASK }, sessionManagerProvider: disk.provider };
      const s = await served([DONE], { kind: 'plain', tools: [look], config });
      const events = await s.run({ resume: answer(stopped, { approved }) });
      expect([resultsOf(events), look.inputs]).toEqual([[['c1', DENIED]], []]);
    },
  );

  it('[C7.2] shows a copy of the input: what the client is shown is not what runs', async () => {
    const { s, look, stopped } = await asked();
    const { tool_input: shown } = interruptOf(stopped).metadata as { tool_input: { at: string[] } };
    expect(() => shown.at.push('ground')).toThrow(TypeError);
    await s.run({ resume: yes(stopped) });
    expect(look.inputs).toEqual([{ at: ['sky'] }]);
  });

  it('[C7.1] is asked about for each call of a batch, all at once', async () => {
    const { s, look, stopped } = await asked([call('look', { n: 1 }, 'c1'), call('look', { n: 2 }, 'c2')]);
    expect(interruptsOf(stopped).map(({ toolCallId }) => toolCallId)).toEqual(['c1', 'c2']);
    const [one, two] = yes(stopped);
    await s.run({ resume: [one, { ...two, payload: { approved: false } }] as never });
    expect(look.inputs).toEqual([{ n: 1 }]);
  });

  it('[C7.1] of the client is never asked about', async () => {
    const config = { toolBehaviors: { pick: ASK } };
    const s = await served([[call('pick', {}, 'p1')], DONE], { kind: 'plain', tools: [], config });
    expect(endOf(await s.run({ tools: [clientTool('pick')] }))).toBe('success');
  });

  it('[C7.1] that nobody registered is not asked about: there is nothing that could run', async () => {
    const { s, stopped } = await asked([call('lookup', {}, 'c1')], {
      config: { toolBehaviors: { look: ASK, lookup: ASK } },
    });
    expect([endOf(stopped), interruptsOf(stopped)]).toEqual(['success', []]);
    expect(resultsOf(stopped)).toHaveLength(1);
    expect(s.model.calls).toHaveLength(2);
  });

  it('[C7.1] that is withheld from the request is not asked about either', async () => {
    const config = { toolBehaviors: { look: ASK }, templateToolsProvider: () => [] };
    const { look, stopped } = await asked(undefined, { config });
    expect([endOf(stopped), interruptsOf(stopped), look.inputs]).toEqual(['success', [], []]);
  });

  it('[C7.1, B1] of a guarded agent is asked about, and what its tier says still holds', async () => {
    const config = { toolBehaviors: { unlock_door: ASK, read_lock: ASK } };
    const turn = [call('unlock_door', { door: 'front' }, 'c1')];
    const s = await served([turn, DONE, [call('read_lock', { door: 'back' }, 'c2')], DONE], { config });
    const first = await s.run();
    const denied = await s.run({ resume: answer(first, { approved: false }) });
    expect(resultsOf(denied)).toEqual([['c1', "User denied approval for 'unlock_door'."]]);
    expect((await s.store.list()).records).toEqual([]);
    const second = await s.run();
    const read = await s.run({ resume: yes(second) });
    expect(endOf(read)).toBe('success');
    expect(s.started()).toEqual(['read_lock {"door":"back"}']);
  });

  it('[C7.1] follows settings that are replaced between two runs', async () => {
    const { s, look } = await asked(DONE as never);
    Object.assign(s.bridge, { config: { logger: s.log } });
    const t = await served([[call('look', {}, 'c1')], DONE], { kind: 'plain', tools: [look] });
    expect(endOf(await t.run())).toBe('success');
    expect(look.inputs).toEqual([{}]);
  });
});
