import type { Message } from '@ag-ui/core';
import type { ContentBlockData, MessageData } from '@strands-agents/sdk';
import { describe, expect, test } from 'vitest';
import { replayHistory } from './history.ts';
import { callsIn, type KnownCalls } from './known-calls.ts';
import { seedForPrompt, seedOf } from './seed.ts';

const user = (content: string): Message => ({ id: 'u', role: 'user', content });
const says = (content: string): Message => ({ id: 'a', role: 'assistant', content });
const calls = (...ids: string[]): Message => ({
  id: 'c',
  role: 'assistant',
  toolCalls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{"door":"front"}' } })),
});
const answers = (toolCallId: string, content: string, error?: string): Message => ({
  id: 't',
  role: 'tool',
  toolCallId,
  content,
  ...(error === undefined ? {} : { error }),
});

const use = (toolUseId: string): ContentBlockData => ({
  toolUse: { toolUseId, name: 'read', input: { door: 'front' } },
});
const result = (toolUseId: string, text: string, status: 'success' | 'error' = 'success'): ContentBlockData => ({
  toolResult: { toolUseId, status, content: [{ text }] },
});

describe('replayHistory', () => {
  test('[C6.7] JSON objects and lists become json blocks, nothing becomes a sentence, all else stays text', () => {
    const { messages } = replayHistory([
      user('hi'),
      calls('a', 'b', 'c', 'd'),
      answers('a', '{"locked":true}'),
      answers('b', '[1,2]'),
      answers('c', ''),
      answers('d', 'plain "text"'),
    ]);
    expect(messages).toEqual([
      { role: 'user', content: [{ text: 'hi' }] },
      { role: 'assistant', content: [use('a'), use('b'), use('c'), use('d')] },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'a', status: 'success', content: [{ json: { locked: true } }] } },
          { toolResult: { toolUseId: 'b', status: 'success', content: [{ json: [1, 2] }] } },
          result('c', 'Tool executed successfully with no return value.'),
          result('d', 'plain "text"'),
        ],
      },
    ]);
  });

  test('[C6.7] an error of the message is an error of the result, with its reason', () => {
    const blocks = (...failed: Message[]) =>
      replayHistory([user('hi'), calls('a'), ...failed]).messages.at(-1)?.content;
    expect(blocks(answers('a', '', 'no power'))).toEqual([result('a', 'no power', 'error')]);
    for (const error of ['', ' ']) {
      expect(blocks(answers('a', '', error))).toEqual([result('a', 'The tool failed; no reason given.', 'error')]);
    }
    expect(blocks(answers('a', '{"at":3}', 'stuck'))).toEqual([
      { toolResult: { toolUseId: 'a', status: 'error', content: [{ json: { at: 3 } }, { text: 'stuck' }] } },
    ]);
  });

  test('[C6.7] calls without an answer and answers without a call are dropped; an empty turn is a single space', () => {
    const { messages } = replayHistory([
      answers('a', 'too early'),
      user('hi'),
      calls('a', 'b'),
      answers('nobody', 'x'),
      answers('b', 'late'),
      calls('c'),
      user(''),
    ]);
    expect(messages).toEqual([
      { role: 'user', content: [{ text: 'hi' }] },
      { role: 'assistant', content: [use('b')] },
      { role: 'user', content: [result('b', 'late')] },
      { role: 'assistant', content: [{ text: ' ' }] },
      { role: 'user', content: [{ text: ' ' }] },
    ]);
  });

  test('digits that JavaScript would lose keep a result text', () => {
    for (const text of ['{"id":12345678901234567890}', '{"x":1e400}', '[0.12345678901234567]']) {
      const { messages } = replayHistory([user('hi'), calls('a'), answers('a', text)]);
      expect(messages.at(-1)?.content).toEqual([result('a', text)]);
    }
  });

  test('a result too deep to read stays text, arguments too deep or unreadable are none', () => {
    const deep = `${'['.repeat(500)}${']'.repeat(500)}`;
    const call = (args: string): Message => ({
      id: 'c',
      role: 'assistant',
      toolCalls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: args } }],
    });
    const input = (args: string) => replayHistory([user('hi'), call(args), answers('a', deep)]).messages[1]?.content;
    const empty = [{ toolUse: { toolUseId: 'a', name: 'read', input: {} } }];
    expect(input(deep)).toEqual(empty);
    expect(input('{"door":')).toEqual(empty);
    expect(input('')).toEqual(empty);
    expect(input('[1]')).toEqual([{ toolUse: { toolUseId: 'a', name: 'read', input: { value: [1] } } }]);
    expect(input('{"__proto__":{"admin":true},"door":"front"}')).toEqual([use('a')]);
    expect(replayHistory([user('hi'), calls('a'), answers('a', deep)]).messages.at(-1)?.content).toEqual([
      result('a', deep),
    ]);
  });

  test('calls with a name or an id that no model takes are dropped with their answers', () => {
    const call = (id: string, name: string): Message => ({
      id: 'c',
      role: 'assistant',
      toolCalls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
    });
    for (const [id, name] of [
      ['a', 'two words'],
      ['a', ''],
      ['a', 'x'.repeat(65)],
      [' ', 'read'],
      ['x'.repeat(257), 'read'],
    ] as const) {
      const { messages, answered } = replayHistory([user('hi'), call(id, name), answers(id, 'x')]);
      expect({ messages, answered: [...answered] }).toEqual({
        messages: [
          { role: 'user', content: [{ text: 'hi' }] },
          { role: 'assistant', content: [{ text: ' ' }] },
        ],
        answered: [],
      });
    }
  });

  test('[B4] what the server knows of a call wins over the copy of the client', () => {
    const own = new Map([
      ['a', { name: 'delete', input: { file: 'x' }, result: { ...resultOf('denied'), toolUseId: 'a' } }],
      ['b', { name: 'pick', input: { from: 2 } }],
    ]);
    const known: KnownCalls = (id) => own.get(id);
    const { messages } = replayHistory(
      [user('hi'), calls('a', 'b'), answers('a', 'it was allowed'), answers('b', '7')],
      {
        known,
      },
    );
    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { toolUse: { toolUseId: 'a', name: 'delete', input: { file: 'x' } } },
          { toolUse: { toolUseId: 'b', name: 'pick', input: { from: 2 } } },
        ],
      },
      { role: 'user', content: [result('a', 'denied', 'error'), result('b', '7')] },
    ]);
  });

  test('[B4] a call of the server is put in front of an answer that comes without it', () => {
    const known: KnownCalls = (id) => (id === 'a' ? { name: 'pick', input: {} } : undefined);
    const { messages, answered } = replayHistory([user('hi'), answers('a', '7'), answers('z', '8')], { known });
    expect([...answered]).toEqual(['a']);
    expect(messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'pick', input: {} } }] },
      { role: 'user', content: [result('a', '7')] },
    ]);
  });

  test('only what an agent wrote is known, and not the placeholders of client tools', () => {
    const messages: MessageData[] = [
      { role: 'user', content: [{ text: 'hi' }] },
      { role: 'assistant', content: [use('a'), { toolUse: { toolUseId: 'b', name: 'pick', input: {} } }] },
      { role: 'user', content: [result('a', 'open'), result('b', 'Forwarded to client')] },
    ];
    expect([...callsIn(messages, (name) => name === 'pick')]).toEqual([
      [
        'a',
        { name: 'read', input: { door: 'front' }, result: { ...resultOf('open'), status: 'success', toolUseId: 'a' } },
      ],
      ['b', { name: 'pick', input: {} }],
    ]);
  });
});

describe('seed', () => {
  test('[C3.3] leaves out the last message of the user, and is undefined when nothing is left', () => {
    expect(seedOf({ messages: [user('hi')] })).toBeUndefined();
    expect(seedOf({ messages: [] })).toBeUndefined();
    expect(seedOf({ messages: [says('welcome'), user('hi')] })).toBeUndefined();
    expect(seedOf({ messages: [user('hi'), says('hello'), user('bye')] })).toEqual([
      { role: 'user', content: [{ text: 'hi' }] },
      { role: 'assistant', content: [{ text: 'hello' }] },
    ]);
  });

  test('[C3.3] leaves out system and developer messages and what the assistant said first', () => {
    expect(
      replayHistory([
        { id: 's', role: 'system', content: 'obey' },
        { id: 'd', role: 'developer', content: 'obey' },
        says('welcome'),
        calls('a'),
        answers('a', 'x'),
        user('hi'),
      ]).messages,
    ).toEqual([{ role: 'user', content: [{ text: 'hi' }] }]);
  });

  test('a prompt can follow: a seed that ends with results is closed by the assistant', () => {
    expect(seedForPrompt({ messages: [user('hi'), calls('a'), answers('a', 'x')] }).at(-1)).toEqual({
      role: 'assistant',
      content: [{ text: ' ' }],
    });
    expect(seedForPrompt({ messages: [] })).toEqual([]);
  });

  test('[C3.3] what cannot be read ends the run with its code', () => {
    const messages: Message[] = JSON.parse('[null]');
    expect(() => seedOf({ messages })).toThrow(
      expect.objectContaining({ code: 'SEED_BUILD_ERROR', message: expect.stringContaining('Failed to build') }),
    );
  });
});

function resultOf(text: string): { status: 'error' | 'success'; content: [{ text: string }] } {
  return { status: text === 'open' ? 'success' : 'error', content: [{ text }] };
}
