import { describe, expect, test } from 'vitest';
import type { Message } from '../wire/shapes.ts';
import { type ChatState, EMPTY_CHAT } from './chat-shape.ts';
import { applyEvent, breakOff, type ChatEvent, say } from './chat-state.ts';
import { itemsOf } from './history.ts';
import { isNews, phaseAfter } from './phase.ts';

function play(events: readonly ChatEvent[], from: ChatState = EMPTY_CHAT): ChatState {
  return events.reduce(applyEvent, from);
}

const call: readonly ChatEvent[] = [
  { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'read_lock' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"door":' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '"front"}' },
  { type: 'TOOL_CALL_END', toolCallId: 'c' },
];

describe('[P15] what AG-UI events do to the conversation', () => {
  test('a run writes reasoning, text and a call with its result', () => {
    const state = play(
      [
        { type: 'RUN_STARTED' },
        { type: 'REASONING_MESSAGE_START', messageId: 'r' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'Hm.' },
        { type: 'REASONING_MESSAGE_END', messageId: 'r' },
        ...call,
        { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: 'locked' },
        { type: 'TEXT_MESSAGE_START', messageId: 'm' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'It is ' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'locked.' },
        { type: 'TEXT_MESSAGE_END', messageId: 'm' },
        { type: 'SOMETHING_NEW', messageId: 'm' },
        { type: 'RUN_FINISHED', outcome: { type: 'success' } },
      ],
      say(EMPTY_CHAT, 'u', 'is it locked?'),
    );
    expect(state).toEqual({
      phase: 'idle',
      error: undefined,
      waitsForOther: false,
      items: [
        { type: 'user', id: 'u', text: 'is it locked?', open: false },
        { type: 'reasoning', id: 'r', text: 'Hm.', open: false },
        { type: 'tool', id: 'c', name: 'read_lock', args: '{"door":"front"}', open: false, result: 'locked' },
        { type: 'assistant', id: 'm', text: 'It is locked.', open: false },
      ],
    });
  });

  test('a run that ends with an approval waits; another kind of interrupt is told apart', () => {
    const end = (reason: string): ChatEvent => ({
      type: 'RUN_FINISHED',
      outcome: { type: 'interrupt', interrupts: [{ id: 'i', reason }] },
    });
    expect(play([...call, end('tau:approval')])).toMatchObject({ phase: 'waiting', waitsForOther: false });
    expect(play([end('pick a colour')])).toMatchObject({ phase: 'waiting', waitsForOther: true });
  });

  test('an error ends everything that was being written and says why', () => {
    const started: ChatEvent = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'half' };
    expect(play([started, { type: 'RUN_ERROR', message: 'The model failed.' }])).toEqual({
      phase: 'failed',
      error: 'The model failed.',
      waitsForOther: false,
      items: [{ type: 'assistant', id: 'm', text: 'half', open: false }],
    });
  });

  test('which results are errors is told with the messages', () => {
    const messages = [{ id: 't', role: 'tool', toolCallId: 'c', content: 'stuck', error: 'stuck' }];
    const result: ChatEvent = { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: 'stuck' };
    const { items } = play([...call, result, { type: 'MESSAGES_SNAPSHOT', messages }]);
    expect(items).toMatchObject([{ id: 'c', result: 'stuck', failed: true }]);
    expect(
      itemsOf([
        { id: 'm', role: 'assistant', toolCalls: [{ id: 'c', function: { name: 'x', arguments: '' } }] },
        ...messages,
      ]),
    ).toMatchObject([{ result: 'stuck', failed: true }]);
  });

  test('events without the fields they should have break nothing', () => {
    const broken = ['TEXT_MESSAGE_CONTENT', 'TOOL_CALL_START', 'TOOL_CALL_RESULT', 'RUN_FINISHED', 'RUN_ERROR'];
    expect(play(broken.map((type) => ({ type, delta: 7, content: null, outcome: 'x' }))).phase).toBe('failed');
  });

  test('a stream that breaks off leaves nothing open', () => {
    const state = play([{ type: 'RUN_STARTED' }, { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'a' }]);
    expect(breakOff(state, 'lost')).toMatchObject({ phase: 'lost', items: [{ open: false }] });
  });

  test('a stored conversation looks like the one that was followed', () => {
    const messages: readonly Message[] = [
      { id: 's', role: 'system', content: 'secret' },
      { id: 'u', role: 'user', content: [{ type: 'text', text: 'hi' }, { type: 'image' }] },
      {
        id: 'm',
        role: 'assistant',
        content: 'Looking.',
        toolCalls: [{ id: 'c', function: { name: 'read_lock', arguments: '{}' } }],
      },
      { id: 't', role: 'tool', toolCallId: 'c', content: 'locked' },
    ];
    expect(itemsOf(messages)).toEqual([
      { type: 'user', id: 'u', text: 'hi\n[image]', open: false },
      { type: 'assistant', id: 'm', text: 'Looking.', open: false },
      { type: 'tool', id: 'c', name: 'read_lock', args: '{}', open: false, result: 'locked' },
    ]);
  });

  test('the conversation is read again when something happened in it that the page did not follow', () => {
    expect(isNews('running', 'idle')).toBe(false);
    expect(isNews('idle', 'idle')).toBe(false);
    expect(isNews('idle', 'running')).toBe(true);
    expect(isNews('waiting', 'running')).toBe(true);
    expect(isNews('elsewhere', 'idle')).toBe(true);
    expect(isNews('stopped', 'idle')).toBe(false);
    expect(isNews('lost', 'idle')).toBe(true);
  });

  test('how a run ended is still told after the conversation was read again', () => {
    expect(phaseAfter('failed', 'idle')).toBe('failed');
    expect(phaseAfter('failed', 'running')).toBe('elsewhere');
    expect(phaseAfter('lost', 'idle')).toBe('idle');
    expect(phaseAfter('elsewhere', 'waiting')).toBe('waiting');
  });
});
