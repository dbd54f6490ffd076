import type { RunAgentInput } from '@ag-ui/core';
import { Agent, type MessageData } from '@strands-agents/sdk';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { showToModel } from '../../src/ag-ui/thread/model-context.ts';
import { call, DONE, held, unlock, until } from '../support/strands.ts';
import { assertAlternates } from '../support/strands-checks.ts';
import { answered, asked, clientTool, Disk, type Served, served, user } from './support/served.ts';
import { endOf, of, yes } from './support/wire.ts';

const CONTEXT: RunAgentInput['context'] = [
  { description: ' the record that is open ', value: 'invoice 7' },
  { description: '', value: '{"locale":"tr"}' },
];
const SHOWN = 'Context provided by the application:\n- the record that is open: invoice 7\n- {"locale":"tr"}\n\n';

/** The texts of what the user said, as one model call was shown them. */
function userTexts(messages: readonly MessageData[] = []): readonly (readonly string[])[] {
  return messages.flatMap(({ role, content }) =>
    role === 'user' ? [content.flatMap((block) => ('text' in block ? [block.text] : []))] : [],
  );
}

function lastCall(s: Served): readonly MessageData[] {
  return s.model.calls.at(-1)?.messages ?? [];
}

describe.each(['guarded', 'plain'] as const)('[C13.6] The context of a request to a %s agent', (kind) => {
  it('is shown to the model before the user’s words', async () => {
    const s = await served([DONE], { kind });
    await s.run({
      messages: [user('one'), { id: 'a', role: 'assistant', content: 'x' }, user('two')],
      context: CONTEXT,
    });
    expect(userTexts(lastCall(s))).toEqual([['one'], [SHOWN, 'two']]);
    assertAlternates(lastCall(s));
  });

  it('stays before the question while tools run, and beside no result', async () => {
    const look = [call('read_lock', { door: 'front' }, 'c1')];
    const s = await served([look, DONE], { kind });
    await s.run({ messages: [user('look')], context: CONTEXT });
    expect(s.model.calls.map(({ messages }) => userTexts(messages))).toEqual([
      [[SHOWN, 'look']],
      [[SHOWN, 'look'], []],
    ]);
  });

  it('is gone with its run: from the history, the session, the wire and the next run', async () => {
    const disk = new Disk();
    const shared = { invocationState: {} };
    const s = await served([DONE, DONE, DONE], { kind, disk });
    const events = await s.run({ messages: [user('one')], context: CONTEXT }, shared);
    expect(JSON.stringify([events, [...disk.files.values()]])).not.toContain('invoice 7');
    await s.run({ messages: [user('two')], context: [{ description: 'now', value: 'invoice 8' }] }, shared);
    expect(userTexts(lastCall(s))).toEqual([
      ['one'],
      ['Context provided by the application:\n- now: invoice 8\n\n', 'two'],
    ]);
    await s.run({ messages: [user('three')] }, shared);
    expect(userTexts(lastCall(s))).toEqual([['one'], ['two'], ['three']]);
  });

  it('is of its thread alone, while two run at once', async () => {
    const gate = held<void>();
    const wait = async () => {
      await gate.promise;
      return DONE;
    };
    const s = await served([wait, wait], { kind });
    const invocationState = {};
    const runs = ['a', 'b'].map((threadId) => {
      const context = [{ description: 'thread', value: threadId }];
      return s.run({ threadId, messages: [user(threadId)], context }, { invocationState });
    });
    await until(() => s.model.calls.length === 2);
    gate.settle();
    await Promise.all(runs);
    const texts = s.model.calls.map(({ messages }) => userTexts(messages)[0]);
    expect(texts.map((said) => said?.join('')).sort()).toEqual([
      'Context provided by the application:\n- thread: a\n\na',
      'Context provided by the application:\n- thread: b\n\nb',
    ]);
  });

  it('stands before what a tool of the client answered, when the request says nothing else', async () => {
    const s = await served([DONE], { kind });
    const messages = [asked(['p1', 'pick']), answered('p1', 'red')];
    await s.run({ messages, tools: [clientTool('pick')], context: CONTEXT });
    expect(userTexts(lastCall(s))[0]?.[0]).toBe(SHOWN);
    assertAlternates(lastCall(s));
  });

  it('that says nothing adds nothing', async () => {
    for (const context of [[], [{ description: ' ', value: '' }], undefined, [null]]) {
      const s = await served([DONE], { kind });
      await s.run({ messages: [user('hi')], context: context as never });
      expect(userTexts(lastCall(s))).toEqual([['hi']]);
    }
  });

  it('that is no text is shown as JSON, and a broken character does not end the run', async () => {
    const s = await served([DONE], { kind });
    const context = [
      { description: 'rows', value: [1, { a: 2 }] },
      { description: 'half', value: '\ud800' },
    ];
    expect(endOf(await s.run({ messages: [user('hi')], context: context as never }))).toBe('success');
    expect(userTexts(lastCall(s))[0]?.[0]).toContain('- rows: [1,{"a":2}]\n- half: \ufffd');
  });
});

it('[C13.6] The context of a resume is that of the resume', async () => {
  const s = await served([[unlock('front')], DONE]);
  const stopped = await s.run({ messages: [user('open')], context: CONTEXT });
  const ended = await s.run({ resume: yes(stopped), context: [{ description: 'now', value: 'evening' }] });
  expect(endOf(ended)).toBe('success');
  expect(userTexts(lastCall(s))[0]).toEqual(['Context provided by the application:\n- now: evening\n\n', 'open']);
  expect(of(ended, 'TOOL_CALL_RESULT')).toHaveLength(1);
});

it('[C13.6] The context is not shown when the application runs the agent itself', async () => {
  const agentsByThread = new Map<string, Agent>();
  const s = await served([DONE, DONE], { kind: 'plain', bridge: { agentsByThread } });
  await s.run({ messages: [user('one')], context: CONTEXT });
  await agentsByThread.get('t1')?.invoke('two');
  expect(userTexts(lastCall(s))).toEqual([['one'], ['two']]);
});

it('[C13.6] The context opens a history that holds no question', async () => {
  const model = new ScriptedModel([DONE]);
  const toolUse = { toolUseId: 'c1', name: 'look', input: {} };
  const toolResult = { toolUseId: 'c1', status: 'success' as const, content: [{ text: 'seen' }] };
  const agent = new Agent({
    model,
    printer: false,
    messages: [
      { role: 'assistant', content: [{ toolUse }] },
      { role: 'user', content: [{ toolResult }] },
    ],
  });
  const invocationState = {};
  showToModel(agent, invocationState, 'context');
  await agent.invoke([], { invocationState });
  const { messages = [] } = model.calls[0] ?? {};
  expect(userTexts(messages)).toEqual([['context\n\n'], []]);
  assertAlternates(messages);
  expect(agent.messages).toHaveLength(3);
});
