import type { BaseEvent } from '@ag-ui/core';
import { JsonBlock, TextBlock, Tool, type ToolContext, ToolResultBlock, tool } from '@strands-agents/sdk';
import type { ScriptedTurn } from 'strands-tau/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { call, DONE, house, unlock, until } from '../support/strands.ts';
import { assertAlternates, resultTexts } from '../support/strands-checks.ts';
import { answered, asked, clientTool, Disk, type ServedOptions, served, user } from './support/served.ts';
import {
  answer,
  cancel,
  customs,
  endOf,
  interruptOf,
  interruptsOf,
  of,
  resultsOf,
  textOf,
  types,
  yes,
} from './support/wire.ts';

const PICK = [clientTool('pick')];

/** A tool that gives whole result blocks. */
class Blocks extends Tool {
  readonly name: string = 'blocks';
  readonly description: string = 'Gives blocks.';
  readonly toolSpec: Tool['toolSpec'] = {
    name: 'blocks',
    description: 'Gives blocks.',
    inputSchema: { type: 'object' },
  };
  readonly #content: ToolResultBlock['content'];

  constructor(content: ToolResultBlock['content']) {
    super();
    this.#content = content;
  }

  // biome-ignore lint/correctness/useYield: it reports no progress
  async *stream({ toolUse }: ToolContext): ReturnType<Tool['stream']> {
    return new ToolResultBlock({ toolUseId: toolUse.toolUseId, status: 'success', content: this.#content });
  }
}

/** A tool whose progress and result are given. */
const reporting = (name: string, progress: readonly unknown[], result: unknown = `${name} done`) =>
  tool({
    name,
    description: `Does ${name}.`,
    inputSchema: z.object({}),
    callback: async function* () {
      for (const step of progress) yield step as never;
      return result as never;
    },
  });

afterEach(() => vi.unstubAllGlobals());

describe('Faults of the peer that do not exist here', () => {
  it('[B7] a disconnect during a hung model call leaves the thread busy', async () => {
    const s = await served([() => new Promise(() => undefined), DONE]);
    const run = s.bridge.run(s.input());
    const read = (async () => {
      for await (const _event of run);
    })();
    await until(() => s.model.calls.length === 1);
    const start = performance.now();
    await run.return();
    expect(endOf(await s.run())).toBe('success');
    expect(performance.now() - start).toBeLessThan(500);
    await read;
  });

  it('[C5.8] toolStreamEventHandler never fires in a real stream', async () => {
    const seen: unknown[] = [];
    const toolStreamEventHandler = async function* ({ data }: { readonly data: unknown }): AsyncGenerator<BaseEvent> {
      seen.push(data);
      yield { type: 'CUSTOM', name: 'progress', value: data } as never;
    };
    const config = { toolBehaviors: { work: { toolStreamEventHandler } } };
    const options: ServedOptions = { kind: 'plain', tools: [reporting('work', [{ percent: 50 }])], config };
    const events = await (await served([[call('work', {})], DONE], options)).run();
    expect([seen, customs(events, 'progress')]).toEqual([[{ percent: 50 }], [{ percent: 50 }]]);
  });

  it.each(['guarded', 'plain'] as const)(
    '[C6.3, C6.4] a backend result is lost when a frontend tool is in the same turn (%s)',
    async (kind) => {
      for (const turn of [
        [call('pick', {}, 'p1'), call('read_lock', { door: 'front' }, 'c1')],
        [call('read_lock', { door: 'front' }, 'c1'), call('pick', {}, 'p1')],
      ]) {
        const home = house();
        const look = reporting('read_lock', [], 'read_lock done');
        const s = await served([turn, DONE], {
          kind,
          house: home,
          ...(kind === 'plain' ? { tools: [look] } : {}),
          disk: new Disk(),
        });
        const events = await s.run({ tools: PICK });
        expect([endOf(events), resultsOf(events)]).toEqual(['success', [['c1', 'read_lock done']]]);
        await s.run({ tools: PICK, messages: [user('x'), asked(['p1', 'pick']), answered('p1', 'red')] });
        const results = s.model.calls[1]?.messages.at(-1)?.content ?? [];
        expect(results).toHaveLength(2);
        expect(JSON.stringify(results)).toContain('red');
        expect(JSON.stringify(results)).toContain('read_lock done');
      }
    },
  );

  it.each([
    ['before', [unlock('front', 'c1'), call('pick', {}, 'p1')]],
    ['after', [call('pick', {}, 'p1'), unlock('front', 'c1')]],
  ])('[C6.4, B2] an approval never surfaces when a frontend tool is in the same turn (%s it)', async (_where, turn) => {
    for (const options of [{}, { disk: new Disk() }] satisfies ServedOptions[]) {
      const s = await served([turn, DONE, DONE], options);
      const stopped = await s.run({ tools: PICK });
      expect(interruptOf(stopped).toolCallId).toBe('c1');
      const pick = [user('x'), asked(['p1', 'pick'], ['c1', 'unlock_door', '{"door":"front"}'])];
      const resumed = await s.run({ tools: PICK, resume: yes(stopped), messages: [...pick, answered('p1', 'red')] });
      expect([endOf(resumed), resultsOf(resumed), textOf(resumed)]).toEqual([
        'success',
        [['c1', 'unlock_door done']],
        'Done.',
      ]);
      expect(s.started()).toEqual(['unlock_door {"door":"front"}']);
      const seen = s.model.calls[1]?.messages ?? [];
      expect(JSON.stringify(seen.at(-1))).toContain('red');
      expect(JSON.stringify(seen)).not.toContain('Forwarded to client');
      assertAlternates(s.model.calls[1]?.messages ?? []);
    }
  });

  it('[B2] editedArgs advertised but ignored', async () => {
    const s = await served([[unlock('front')], DONE]);
    const stopped = await s.run();
    expect(interruptOf(stopped).responseSchema).toMatchObject({ properties: { editedArgs: { type: 'object' } } });
    await s.run({ resume: answer(stopped, { approved: true, editedArgs: { door: 'back' } }) });
    expect(s.started()).toEqual(['unlock_door {"door":"back"}']);
  });

  it('[C8.12] a stale resume replay answers success while the tool stays parked', async () => {
    const s = await served([[unlock('front')], [unlock('back')], DONE]);
    const first = await s.run();
    const second = await s.run({ resume: yes(first) });
    expect(endOf(second)).toBe('interrupt');
    const stale = await s.run({ resume: yes(first) });
    expect(endOf(stale)).toBe('PARTIAL_RESUME');
    expect(endOf(await s.run({ resume: yes(second) }))).toBe('success');
    expect(s.started()).toEqual(['unlock_door {"door":"front"}', 'unlock_door {"door":"back"}']);
    const t = await served([[unlock('front')], DONE, [unlock('back')], DONE]);
    const one = await t.run();
    await t.run({ resume: yes(one) });
    const two = await t.run();
    expect(endOf(await t.run({ resume: yes(one) }))).toBe('PARTIAL_RESUME');
    expect(endOf(await t.run({ resume: yes(two) }))).toBe('success');
  });

  it('[C8.10] a cancelled approval yields two results', async () => {
    const s = await served([[unlock('front', 'c1')], DONE]);
    const stopped = await s.run();
    expect(resultsOf(await s.run({ resume: cancel(stopped) }))).toHaveLength(1);
  });

  it.each([
    [
      'large integers in tool results lose digits',
      [new TextBlock('{"id":12345678901234567890}')],
      '{"id":12345678901234567890}',
    ],
    ['only the first result block survives', [new TextBlock('one'), new JsonBlock({ json: { two: 2 } })], /one.*two/s],
    ['plain text comes out JSON-quoted', [new TextBlock('it is open')], 'it is open'],
  ])('[C5.7] %s', async (_what, content, expected) => {
    const s = await served([[call('blocks', {}, 'c1')], DONE], { kind: 'plain', tools: [new Blocks(content)] });
    const [[, text] = []] = resultsOf(await s.run());
    expect(text).toMatch(expected);
    if (typeof expected === 'string') expect(text).toBe(expected);
  });

  it.each([
    ['history replay off', { config: { replayHistoryIntoStrands: false } }],
    ['a session manager', { disk: new Disk() }],
    ['history replay on', {}],
  ] as const)(
    '[C6.6, B4] a denied answer reaches the model as "executed successfully" with %s',
    async (_how, options) => {
      const s = await served([[call('pick', {}, 'p1')], DONE], options);
      await s.run({ tools: PICK, messages: [user('choose')] });
      await s.run({
        tools: PICK,
        messages: [user('choose'), asked(['p1', 'pick']), answered('p1', '', 'denied by the user')],
      });
      const seen = JSON.stringify(s.model.calls[1]?.messages);
      expect(seen).toContain('denied by the user');
      expect(seen).toContain('"status":"error"');
      expect(seen).not.toContain('executed successfully');
    },
  );

  it('[C5.2] the message id is not rotated with snapshots off', async () => {
    const turn: ScriptedTurn = [
      { text: 'a' },
      call('read_lock', { door: 'front' }),
      call('read_lock', { door: 'back' }),
    ];
    const s = await served([turn, [{ text: 'b' }]], { config: { messagesSnapshot: 'off' } });
    const events = await s.run();
    const texts = of(events, 'TEXT_MESSAGE_START').map(({ messageId }) => messageId);
    const parents = of(events, 'TOOL_CALL_START').map(({ parentMessageId }) => parentMessageId);
    expect(new Set(texts).size).toBe(2);
    expect(parents).not.toContain(texts[1]);
  });

  it('[C4.10] arrays in state are mangled', async () => {
    const s = await served([DONE]);
    const state = { list: [1, [2, { three: [3] }]], empty: [] };
    const events = await s.run({ state });
    expect(of(events, 'STATE_SNAPSHOT').map(({ snapshot }) => snapshot)).toEqual([state, state]);
  });

  it('[C5.2, C9.1] a provider throw in mid-text leaves the message open before RUN_ERROR', async () => {
    const s = await served([]);
    const broken = s.model;
    broken.stream = async function* () {
      yield { type: 'modelMessageStartEvent', role: 'assistant' };
      yield { type: 'modelContentBlockStartEvent' };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'half a sen' } };
      throw new Error('the line is dead');
    };
    const events = await s.run();
    expect(types(events).slice(-3)).toEqual(['TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'RUN_ERROR']);
  });

  it('[B9, C11] each attachment is downloaded twice', async () => {
    const fetched = vi.fn(() => Promise.reject(new Error('no network here')));
    vi.stubGlobal('fetch', fetched);
    const source = { type: 'url', value: 'http://127.0.0.1/secret', mimeType: 'image/png' } as const;
    const content = [{ type: 'text', text: 'look' } as const, { type: 'image', source } as const];
    const s = await served([DONE], { disk: new Disk() });
    expect(endOf(await s.run({ messages: [{ id: 'm', role: 'user', content }] }))).toBe('success');
    expect(fetched).not.toHaveBeenCalled();
  });

  it('[C4.12] stateContextBuilder runs twice', async () => {
    const stateContextBuilder = vi.fn((_input: unknown, prompt: string) => prompt);
    for (const options of [{}, { disk: new Disk() }] satisfies ServedOptions[]) {
      stateContextBuilder.mockClear();
      const s = await served([DONE], { ...options, config: { stateContextBuilder } });
      await s.run({ messages: [user('one'), { id: 'a', role: 'assistant', content: 'x' }, user('two')] });
      expect(stateContextBuilder).toHaveBeenCalledTimes(1);
    }
  });

  it('[C10, C9.1] tool calls inside Graph nodes are invisible and a failed node ends as success: a graph is refused', async () => {
    const s = await served([], {
      agent: {
        id: 'graph',
        stream: () => {
          throw new Error('run');
        },
      } as never,
    });
    expect(endOf(await s.run())).toBe('ORCHESTRATOR_NOT_SUPPORTED');
  });

  it('[C5.8] state from one tool is lost when another in the same turn sets other keys', async () => {
    const tools = [reporting('one', [{ state: { a: 1 } }]), reporting('two', [{ state: { b: 2 } }])];
    const s = await served([[call('one', {}), call('two', {})], DONE], { kind: 'plain', tools });
    const events = await s.run({ state: { c: 3 } });
    expect(of(events, 'STATE_SNAPSHOT').at(-1)?.snapshot).toEqual({ a: 1, b: 2, c: 3 });
  });

  it('[B3] two resumes for one thread both pass the gate because it runs before the busy guard', async () => {
    const s = await served([[unlock('front')], DONE]);
    const stopped = await s.run();
    const ends = await Promise.all([1, 2, 3].map(() => s.run({ resume: yes(stopped) })));
    expect(ends.map(endOf).sort()).toEqual(['THREAD_BUSY', 'THREAD_BUSY', 'success']);
    expect(s.started()).toHaveLength(1);
    expect(s.tau === undefined ? [] : resultTexts(s.tau.agent)).toEqual([]);
    expect(interruptsOf(await s.run())).toEqual([]);
  });
});
