import type { Message, RunAgentInput } from '@ag-ui/core';
import type { MessageData } from '@strands-agents/sdk';
import { describe, expect, test, vi } from 'vitest';
import type { KnownCalls } from './known-calls.ts';
import { derivePrompt, type PromptOptions } from './prompt.ts';

function inputOf(...messages: Message[]): RunAgentInput {
  return { threadId: 't', runId: 'r', messages, tools: [], context: [], state: {}, forwardedProps: {} };
}

const user = (content: Extract<Message, { role: 'user' }>['content']): Message => ({ id: 'u', role: 'user', content });
const says = (content: string): Message => ({ id: 'a', role: 'assistant', content });
const called = (id: string, name: string): Message => ({
  id: 'c',
  role: 'assistant',
  toolCalls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
});
const answers = (toolCallId: string, content: string, error?: string): Message => ({
  id: 't',
  role: 'tool',
  toolCallId,
  content,
  ...(error === undefined ? {} : { error }),
});
const image = { type: 'image' as const, source: { type: 'url' as const, value: 'https://example.org/a.png' } };

function derive(input: RunAgentInput, options: Partial<PromptOptions> = {}) {
  const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const extras = { context: {}, forwardedProps: {} };
  const prompt = derivePrompt(input, { replay: false, extras, log, ...options });
  return { ...prompt, warnings: log.warn.mock.calls.map(([message]) => message) };
}

const said = (text: string): MessageData => ({ role: 'user', content: [{ text }] });

describe('derivePrompt', () => {
  test('[C4.12] the prompt is the last message that says anything, or Hello', () => {
    const text = (...messages: Message[]) => derive(inputOf(...messages));
    expect(text(user('a'), user('b'))).toMatchObject({ kind: 'prompt', text: 'b', hookError: undefined });
    expect(text(user('a'), says('x'), user(' '))).toMatchObject({ text: 'a' });
    expect(text(user('a'), called('1', 'pick'), answers('1', 'red'), says('x'))).toMatchObject({ text: 'red' });
    expect(text()).toMatchObject({ text: 'Hello' });
    expect(text(says('x'))).toMatchObject({ text: 'Hello' });
  });

  test('[C6.6] each result that ends the request is one line', () => {
    const input = inputOf(
      user('go'),
      called('0', 'older'),
      answers('0', 'not told'),
      says('and'),
      ...['a', 'b', 'c', 'd', 'e'].map((id) => called(id, `tool_${id}`)),
      answers('a', '{"x":1}'),
      answers('b', '', 'no power'),
      answers('c', 'half', 'stuck'),
      answers('d', '', ''),
      { id: 'v', role: 'activity', activityType: 'progress', content: {} },
      answers('e', ''),
    );
    expect(derive(input)).toMatchObject({
      kind: 'prompt',
      text: [
        'tool_a returned: {"x":1}',
        'tool_b failed: no power',
        'tool_c failed: stuck (returned: half)',
        'tool_d failed: no reason given.',
        'tool_e executed successfully with no return value.',
      ].join('\n'),
    });
  });

  test('[C6.6] a result that nobody can name ends the run before anything is written', () => {
    const builder = vi.fn(() => 'x');
    for (const replay of [false, true]) {
      expect(() =>
        derive(inputOf(user('go'), answers('a', '1'), answers('b', '2')), { replay, stateContextBuilder: builder }),
      ).toThrow(
        expect.objectContaining({
          code: 'CONTINUATION_TOOL_NAME_UNRESOLVED',
          message:
            'Cannot name the tool behind continuation tool result(s) a, b: absent from the input messages and from the native session history',
        }),
      );
    }
    expect(builder).not.toHaveBeenCalled();
  });

  test('[C6.6] the history of the agent names a call that the request leaves out', () => {
    const nameOf = (id: string) => (id === 'a' ? 'pick' : undefined);
    expect(derive(inputOf(answers('a', 'red')), { nameOf })).toMatchObject({ text: 'pick returned: red' });
    expect(derive(inputOf(user('go'), answers('a', 'red')), { nameOf, replay: true })).toMatchObject({
      kind: 'replay',
      messages: [{ role: 'user', content: [{ text: 'go' }, { text: 'pick returned: red' }] }],
    });
  });

  test('[B4] a continuation tells the answer of the server, not the copy of the client', () => {
    const known: KnownCalls = (toolUseId) => ({
      name: 'unlock',
      input: {},
      result:
        toolUseId === 'a'
          ? { toolUseId, status: 'error', content: [{ text: 'denied' }] }
          : { toolUseId, status: 'success', content: [{ json: { open: true } }, { text: 'done' }] },
    });
    const input = inputOf(user('go'), called('a', 'harmless'), answers('a', 'approved'), answers('b', 'no'));
    expect(derive(input, { known })).toMatchObject({
      text: 'unlock failed: denied\nunlock returned: {"open":true} done',
    });
  });

  test('[C4.13] replay gives the whole history, which ends with the user', () => {
    const replayed = (...messages: Message[]) => derive(inputOf(...messages), { replay: true });
    expect(replayed(user('a'), says('x'), user('b'))).toMatchObject({
      kind: 'replay',
      messages: [said('a'), { role: 'assistant', content: [{ text: 'x' }] }, said('b')],
    });
    expect(replayed(user('a'), says('x'))).toMatchObject({
      messages: [said('a'), { role: 'assistant', content: [{ text: 'x' }] }, said('a')],
    });
    expect(replayed(says('x'))).toMatchObject({ messages: [said('Hello')] });
    expect(replayed(called('a', 'pick'), answers('a', '7'))).toMatchObject({ messages: [said('pick returned: 7')] });
  });

  test('the state context builder runs exactly once, on the text that the model sees', () => {
    const builder = vi.fn((_: RunAgentInput, prompt: string) => `${prompt} [state]`);
    const once = (replay: boolean, ...messages: Message[]) => {
      builder.mockClear();
      const result = derive(inputOf(...messages), { replay, stateContextBuilder: builder });
      expect(builder).toHaveBeenCalledTimes(1);
      return result;
    };
    expect(once(false, user('a'))).toMatchObject({ text: 'a [state]' });
    expect(once(false)).toMatchObject({ text: 'Hello [state]' });
    expect(once(true)).toMatchObject({ messages: [said('Hello [state]')] });
    expect(once(true, user('a'), says('x'), user('b'))).toMatchObject({
      messages: [said('a'), { role: 'assistant' }, said('b [state]')],
    });
    expect(once(false, user('a'), called('1', 'pick'), answers('1', '7'))).toMatchObject({
      text: 'pick returned: 7 [state]',
    });
    expect(once(true, user('a'), called('1', 'pick'), answers('1', '7'))).toMatchObject({
      messages: [said('a [state]'), { role: 'assistant' }, { role: 'user' }],
    });
    expect(once(true, called('1', 'pick'), answers('1', '7'))).toMatchObject({
      messages: [said('pick returned: 7 [state]')],
    });
  });

  test('[C13.5] a state context builder that fails is told to the client and the run goes on', () => {
    const failing = (stateContextBuilder: NonNullable<PromptOptions['stateContextBuilder']>) =>
      derive(inputOf(user('a')), { stateContextBuilder });
    const told = (error: string) => ({
      kind: 'prompt',
      text: 'a',
      hookError: { hook: 'stateContextBuilder', tool: '__prompt__', error },
    });
    expect(
      failing(() => {
        throw new Error('no state');
      }),
    ).toMatchObject(told('no state'));
    expect(failing(() => JSON.parse('7'))).toMatchObject(
      told('stateContextBuilder returned a value of type number; it must return the prompt'),
    );
    const asynchronous: () => never = () => Promise.reject(new Error('late')) as never;
    expect(failing(asynchronous)).toMatchObject(
      told('stateContextBuilder returned a promise; it must return the prompt itself'),
    );
    expect(failing(() => '')).toMatchObject({ text: 'a', hookError: undefined });
  });

  test('[C11.1] media beside text are left out with a warning, media alone end the run', () => {
    const { warnings, ...prompt } = derive(inputOf(user([{ type: 'text', text: 'look' }, image, image])));
    expect(prompt).toEqual({ kind: 'prompt', text: 'look', hookError: undefined });
    expect(warnings).toEqual(['Only the text of the message reaches the model; left out: image']);
    for (const replay of [false, true]) {
      expect(() => derive(inputOf(user('hi'), says('x'), user([image])), { replay })).toThrow(
        expect.objectContaining({ code: 'MEDIA_NOT_SUPPORTED', message: expect.stringContaining('only image') }),
      );
    }
    expect(derive(inputOf(user([image]), says('what?'), user('hi')), { replay: true })).toMatchObject({
      messages: [said('[image]'), { role: 'assistant' }, said('hi')],
    });
    expect(derive(inputOf(user([image]), called('1', 'pick'), answers('1', '7')), { replay: true })).toMatchObject({
      messages: [said('[image]'), { role: 'assistant' }, { role: 'user' }],
    });
  });
});
