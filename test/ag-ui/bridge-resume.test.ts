import type { BaseEvent, ResumeEntry } from '@ag-ui/core';
import { Agent, BeforeToolCallEvent, type Plugin, tool } from '@strands-agents/sdk';
import { guardTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { INTERRUPT_CANCELLED } from '../../src/ag-ui/index.ts';
import { resumeFingerprint } from '../../src/ag-ui/interrupt/fingerprint.ts';
import { call, DONE, house, unlock } from '../support/strands.ts';
import { Disk, type Served, type ServedOptions, served } from './support/served.ts';
import {
  answer,
  cancel,
  customs,
  endOf,
  errorOf,
  interruptOf,
  interruptsOf,
  resultsOf,
  types,
  yes,
} from './support/wire.ts';

/** A tool that asks the developer's own question and tells what it was answered. */
const asks = (name: string, questions: readonly string[] = ['sure'], reason: unknown = { why: name }) =>
  tool({
    name,
    description: `Does ${name}.`,
    inputSchema: z.object({}),
    callback: (_input, context) => {
      const answers = questions.map((question) => context?.interrupt({ name: question, reason: reason as never }));
      return JSON.stringify(answers);
    },
  });

const plain: ServedOptions = { kind: 'plain', tools: [asks('ask'), asks('beg'), asks('twice', ['one', 'two'])] };

async function stoppedAt(...names: readonly string[]): Promise<{ s: Served; stopped: readonly BaseEvent[] }> {
  const s = await served([names.map((name) => call(name, {}, `${name}-1`)), DONE, DONE], plain);
  return { s, stopped: await s.run() };
}

const entry = (interruptId: string, payload?: unknown): ResumeEntry => ({ interruptId, status: 'resolved', payload });

describe('A resume of native interrupts', () => {
  it('[C7.4, C7.5] names what asks, with its reason; ids are the SDK’s', async () => {
    const { stopped } = await stoppedAt('ask');
    expect(interruptsOf(stopped)).toEqual([
      { id: 'tool:ask-1:sure', reason: 'sure', metadata: { reason: { why: 'ask' } } },
    ]);
  });

  it.each([
    ['a payload', { a: 1 }, { response: { a: 1 } }],
    ['true', true, { response: true }],
    ['false', false, { response: false }],
    ['zero', 0, { response: 0 }],
    ['an empty text', '', { response: '' }],
    ['null', null, { response: null }],
    ['nothing', undefined, { response: null }],
  ])('[C8.9] hands the agent an envelope around %s', async (_what, payload, response) => {
    const { s, stopped } = await stoppedAt('ask');
    const ended = await s.run({ resume: answer(stopped, payload) });
    expect(endOf(ended)).toBe('success');
    expect(resultsOf(ended)).toEqual([['ask-1', JSON.stringify([response])]]);
    expect(types(ended)).not.toContain('TOOL_CALL_START');
  });

  it('[C8.9, C8.10] hands the agent {cancelled:true} for a cancelled one, which has one result', async () => {
    const { s, stopped } = await stoppedAt('ask');
    const ended = await s.run({ resume: cancel(stopped) });
    expect(resultsOf(ended)).toEqual([['ask-1', JSON.stringify([INTERRUPT_CANCELLED])]]);
    expect(endOf(ended)).toBe('success');
  });

  it('[C8.2] is answered again without running anything when it is repeated, in any order of entries and keys', async () => {
    const { s, stopped } = await stoppedAt('ask', 'beg');
    const [one, two] = interruptsOf(stopped).map(({ id }) => id);
    const first = await s.run({ resume: [entry(one ?? '', { a: 1, b: [2] }), entry(two ?? '', 'x')] });
    const again = await s.run({ resume: [entry(two ?? '', 'x'), entry(one ?? '', { b: [2], a: 1 })] });
    expect([endOf(first), endOf(again)]).toEqual(['success', 'success']);
    expect(types(again)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    expect(s.model.calls).toHaveLength(2);
  });

  it('[C8.2] has a fingerprint that tells answers apart', () => {
    const base = [entry('a', null), entry('b', { x: 1, y: 2 })];
    const same = [entry('b', { y: 2, x: 1 }), entry('a', null)];
    expect(resumeFingerprint(same)).toBe(resumeFingerprint(base));
    const others: ResumeEntry[][] = [
      [{ interruptId: 'a', status: 'resolved' }, entry('b', { x: 1, y: 2 })],
      [entry('a', null), entry('b', { x: 1, y: 3 })],
      [entry('a', null)],
      [entry('a', null), entry('c', { x: 1, y: 2 })],
      [{ interruptId: 'a', status: 'cancelled' }, entry('b', { x: 1, y: 2 })],
      [...base, entry('a', null)],
    ];
    const prints = others.map((entries) => resumeFingerprint(entries));
    expect(new Set([resumeFingerprint(base), ...prints]).size).toBe(others.length + 1);
  });

  it('[C8.3] of a thread that waits for nothing is UNKNOWN_INTERRUPT_ID', async () => {
    const s = await served([DONE], plain);
    const events = await s.run({ resume: [entry('x', true)] });
    expect([endOf(events), errorOf(events)]).toEqual([
      'UNKNOWN_INTERRUPT_ID',
      'No pending interrupts for this thread.',
    ]);
  });

  it('[C8.4] that names unknown ids is refused, at most four of them named', async () => {
    const { s, stopped } = await stoppedAt('ask');
    const resume = [...yes(stopped), ...['a', 'b', 'c', 'd', 'e'].map((id) => entry(id, true))];
    const events = await s.run({ resume });
    expect(endOf(events)).toBe('UNKNOWN_INTERRUPT_ID');
    expect(errorOf(events)).toBe(
      'This agent did not issue any interrupts to resume: a, b, c, d. Resume entries must reference an outstanding interruptId.',
    );
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
  });

  it('[C8.5] that leaves some out is PARTIAL_RESUME, which names them sorted', async () => {
    const { s, stopped } = await stoppedAt('beg', 'ask');
    const none = await s.run({ resume: yes(stopped).slice(0, 1) });
    expect([endOf(none), errorOf(none)]).toEqual([
      'PARTIAL_RESUME',
      `Partial resume: missing interrupt IDs: ${interruptsOf(stopped)[1]?.id}. All open interrupts must be addressed.`,
    ]);
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
  });

  it('[C4.2] meanwhile a plain turn is PENDING_INTERRUPTS, and nothing is lost by it', async () => {
    const { s, stopped } = await stoppedAt('ask');
    const events = await s.run();
    expect([endOf(events), errorOf(events)]).toEqual([
      'PENDING_INTERRUPTS',
      'Thread has pending interrupts. Include resume[] to address them.',
    ]);
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
  });

  it('[C8.12] that stops again is not remembered: the old answer is no answer to the new question', async () => {
    const { s, stopped } = await stoppedAt('twice');
    const again = await s.run({ resume: yes(stopped) });
    expect(interruptsOf(again).map(({ reason }) => reason)).toEqual(['two']);
    const stale = await s.run({ resume: yes(stopped) });
    expect(endOf(stale)).toBe('UNKNOWN_INTERRUPT_ID');
    expect(endOf(await s.run())).toBe('PENDING_INTERRUPTS');
    expect(endOf(await s.run({ resume: yes(again) }))).toBe('success');
  });

  it('[C8.12] never answers a question of a later turn that has the same id and the same answer as an earlier one', async () => {
    const turn = [call('ask', {}, 'same')];
    const s = await served([turn, DONE, turn, DONE], plain);
    const first = await s.run();
    expect(endOf(await s.run({ resume: yes(first) }))).toBe('success');
    const second = await s.run();
    expect(interruptOf(second).id).toBe(interruptOf(first).id);
    const ended = await s.run({ resume: yes(second) });
    expect([endOf(ended), resultsOf(ended).length, s.model.calls.length]).toEqual(['success', 1, 4]);
  });

  it.each([
    ['in its envelope', { response: { approved: true } }],
    ['as it was before there were envelopes', { approved: true }],
  ])('[C8.1] that died on its way can be tried again, exactly as it was recorded, %s', async (_how, recorded) => {
    const disk = new Disk();
    const stopped = await (await served([[call('ask', {}, 'ask-1')]], { ...plain, disk })).run();
    const saved = JSON.parse(disk.text());
    saved.data.interrupts.interrupts['tool:ask-1:sure'].response = recorded;
    disk.files.set('anonymous-t1', JSON.stringify(saved));
    const s = await served([DONE, DONE], { ...plain, disk });
    for (const other of [answer(stopped, 'another'), cancel(stopped), [...yes(stopped), ...yes(stopped)]]) {
      expect(endOf(await s.run({ resume: other }))).toBe('UNKNOWN_INTERRUPT_ID');
    }
    const ended = await s.run({ resume: yes(stopped) });
    expect([endOf(ended), resultsOf(ended)]).toEqual(['success', [['ask-1', JSON.stringify([recorded])]]]);
  });

  it('[C8.8] keeps its bookkeeping with the session, and reads a broken one as none', async () => {
    const disk = new Disk();
    const turns = [[call('ask', {}, 'ask-1')], DONE];
    const stopped = await (await served(turns, { ...plain, disk })).run();
    expect(JSON.parse(disk.text())).toMatchObject({
      data: { state: { ag_ui_interrupt_bookkeeping: { pendingInterrupts: interruptsOf(stopped) } } },
    });
    const broken = JSON.parse(disk.text());
    broken.data.state.ag_ui_interrupt_bookkeeping = { pendingInterrupts: 'x', lastResumeFingerprint: 5, visible: [1] };
    disk.files.set('anonymous-t1', JSON.stringify(broken));
    const s = await served([DONE], { ...plain, disk });
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
    const next = await served([], { ...plain, disk });
    expect(types(await next.run({ resume: yes(stopped) }))).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
  });

  it('[C8.8] goes on although the session cannot be saved at the stop: a warning is all', async () => {
    const disk = new Disk();
    const session = disk.session('anonymous-t1');
    const s = await served([[call('ask', {}, 'ask-1')], DONE], {
      ...plain,
      config: { sessionManagerProvider: () => session },
    });
    let saves = 0;
    const save = session.saveSnapshot.bind(session);
    const third = (what: never) => (++saves === 3 ? Promise.reject(new Error('disk full')) : save(what));
    Object.assign(session, { saveSnapshot: third });
    const stopped = await s.run();
    expect(endOf(stopped)).toBe('interrupt');
    expect(s.log.of('warn').join()).toContain('The session could not be saved: disk full');
  });
});

describe('A resume of approvals and native interrupts in one batch', () => {
  const hook: Plugin = {
    name: 'asker',
    initAgent: (agent) => {
      agent.addHook(BeforeToolCallEvent, (event) => {
        if (event.toolUse.name === 'read_lock') event.interrupt({ name: 'look?' });
      });
    },
  };
  const options: ServedOptions = { build: { plugins: [hook] } };

  /** Both ask in the same round: a call of an agent used as a tool, and a hook before another call. */
  async function bothAsk(disk?: Disk) {
    const home = house();
    const model = new ScriptedModel([[unlock('back', 'i1')], DONE]);
    const worker = new Agent({ model, tools: home.tools, name: 'worker', description: 'Works.', printer: false });
    const tools = [guardTool(worker.asTool(), { tier: 0 }), ...home.tools.filter(({ name }) => name === 'read_lock')];
    const turn = [call('worker', { input: 'x' }, 'c1'), call('read_lock', { door: 'front' }, 'c2')];
    return served([turn, DONE], { ...options, house: home, tools, ...(disk === undefined ? {} : { disk }) });
  }

  it.each([undefined, new Disk()])(
    '[C8.5, B3] answers both kinds in one request, and runs each call once',
    async (disk) => {
      const s = await bothAsk(disk);
      const stopped = await s.run();
      expect(interruptsOf(stopped).map(({ reason }) => reason)).toEqual(['tau:approval', 'look?']);
      for (const part of [yes(stopped).slice(0, 1), yes(stopped).slice(1)]) {
        expect(endOf(await s.run({ resume: part }))).toBe('PARTIAL_RESUME');
      }
      expect(s.started()).toEqual([]);
      expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
      expect([...s.started()].sort()).toEqual(['read_lock {"door":"front"}', 'unlock_door {"door":"back"}']);
    },
  );

  it('[B3] goes on with the rest when one was decided elsewhere', async () => {
    const s = await bothAsk();
    const stopped = await s.run();
    const by = { id: 'anonymous', kind: 'person' } as const;
    await s.tau?.gate.decide(interruptsOf(stopped)[0]?.id ?? '', { decision: 'rejected', by, channel: 'phone' });
    const ended = await s.run({ resume: yes(stopped) });
    expect([endOf(ended), customs(ended, 'tau:decided').length]).toEqual(['success', 1]);
    expect(s.started()).toEqual(['read_lock {"door":"front"}']);
  });

  it('[B2] publishes what was answered before no second time', async () => {
    const turn = [unlock('front', 'c1'), call('read_lock', { door: 'front' }, 'c2')];
    const s = await served([turn, DONE], options);
    const first = await s.run();
    const second = await s.run({ resume: yes(first) });
    expect(interruptsOf(second).map(({ reason }) => reason)).toEqual(['look?']);
    expect(endOf(await s.run({ resume: yes(second) }))).toBe('success');
    expect(s.started()).toEqual(['unlock_door {"door":"front"}', 'read_lock {"door":"front"}']);
  });

  it('[B2] asks a question that was decided while the run stopped, so that it can be woken', async () => {
    const s = await served([[unlock('front', 'c1')], DONE]);
    const park = s.store.park.bind(s.store);
    const by = { id: 'anonymous', kind: 'person' } as const;
    s.store.park = async (turn) => {
      await park(turn);
      const [record] = (await s.store.list({ status: 'pending' })).records;
      await s.tau?.gate.decide(record?.id ?? '', { decision: 'approved', by, channel: 'phone' });
    };
    const stopped = await s.run();
    expect(interruptOf(stopped).reason).toBe('tau:approval');
    const ended = await s.run({ resume: yes(stopped) });
    expect([endOf(ended), s.started().length, customs(ended, 'tau:decided').length]).toEqual(['success', 1, 1]);
  });

  it('[C8.5, C7.1] asks a hook’s question and the approval of one call one after the other, each once', async () => {
    const s = await served([[unlock('front', 'c1')], DONE], {
      config: { toolBehaviors: { unlock_door: { interruptOnCall: true } } },
    });
    const first = await s.run();
    expect(interruptOf(first).reason).toBe('tool_call');
    const second = await s.run({ resume: yes(first) });
    expect([interruptOf(second).reason, s.started()]).toEqual(['tau:approval', []]);
    const ended = await s.run({ resume: yes(second) });
    expect([endOf(ended), s.started()]).toEqual(['success', ['unlock_door {"door":"front"}']]);
  });

  it('[B3] publishes an interrupt that only looks like tau’s own, and hands on its answer', async () => {
    const liar: Plugin = {
      name: 'liar',
      initAgent: (agent) => {
        agent.addHook(BeforeToolCallEvent, (event) => {
          const said = event.interrupt({ name: 'tau.lies' });
          if (JSON.stringify(said) !== '{"response":{"approved":true}}') event.cancel = 'no';
        });
      },
    };
    const s = await served([[call('read_lock', { door: 'back' }, 'c1')], DONE], { build: { plugins: [liar] } });
    const stopped = await s.run();
    expect(interruptOf(stopped).reason).toBe('tau.lies');
    expect(endOf(await s.run())).toBe('PENDING_INTERRUPTS');
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
    expect(s.started()).toEqual(['read_lock {"door":"back"}']);
  });
});
