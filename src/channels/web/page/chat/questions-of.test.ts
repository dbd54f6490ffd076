import { describe, expect, test } from 'vitest';
import type { Approval } from '../wire/shapes.ts';
import { callState } from './call-state.ts';
import type { ChatItem } from './chat-item.ts';
import { placeQuestions, rootOf } from './questions-of.ts';

type Call = Extract<ChatItem, { type: 'tool' }>;

const call = (id: string, more: Partial<Call> = {}): Call => ({
  type: 'tool',
  id,
  name: 'unlock_door',
  args: '{}',
  open: false,
  ...more,
});

const question = (id: string, createdAt: number, more: Partial<Approval> = {}): Approval => ({
  id,
  status: 'pending',
  tool: 'unlock_door',
  tier: 2,
  effect: '',
  arguments: {},
  digest: id,
  requester: { id: 'ada' },
  toolCallId: 'c',
  createdAt,
  updatedAt: createdAt,
  deliveries: [],
  mayDecide: true,
  mayRetry: false,
  ...more,
});

describe('[P15] the place of a question in its conversation', () => {
  const ids = (items: readonly ChatItem[], approvals: readonly Approval[]) => {
    const { at, rest } = placeQuestions(items, approvals);
    return { at: [...at].map(([place, found]) => [place, found.map(({ id }) => id)]), rest: rest.map(({ id }) => id) };
  };

  test('is its call; one whose call is not there comes last, in order of time', () => {
    const approvals = [
      question('late', 9, { toolCallId: 'gone' }),
      question('early', 1),
      question('other', 2, { tool: 'x' }),
    ];
    expect(ids([call('b'), call('c')], approvals)).toEqual({ at: [[1, ['early']]], rest: ['other', 'late'] });
  });

  test('is the first call that is free when a model uses an id twice', () => {
    const approvals = [question('second', 2), question('first', 1), question('third', 3)];
    expect(ids([call('c'), call('c')], approvals).at).toEqual([
      [0, ['first']],
      [1, ['second', 'third']],
    ]);
  });

  test('belongs to the last question when its arguments were changed', () => {
    const changed = [
      question('a', 1, { status: 'void' }),
      question('b', 2, { editOf: 'a' }),
      question('c', 3, { editOf: 'b' }),
    ];
    expect(ids([call('c')], changed)).toEqual({ at: [[0, ['c']]], rest: [] });
    expect(changed.map((each) => rootOf(each, changed))).toEqual(['a', 'a', 'a']);
    expect(rootOf(question('d', 4, { editOf: 'unread' }), [])).toBe('unread');
  });
});

describe('[P15] where a call is', () => {
  test('what is on record about its question counts', () => {
    const states = ['pending', 'approved', 'consumed', 'done', 'failed', 'unknown', 'rejected', 'timeout', 'void', 'x'];
    expect(states.map((status) => callState(call('c', { result: 'text' }), question('a', 1, { status })))).toEqual([
      'asked',
      'waiting',
      'waiting',
      'done',
      'failed',
      'unknown',
      'not_run',
      'not_run',
      'not_run',
      'not_run',
    ]);
  });

  test('without one its result tells; only an error can say that it was not run', () => {
    const refused = "Tool 'unlock_door' is not registered; it was not run.";
    const calls = [
      call('c', { open: true }),
      call('c'),
      call('c', { result: refused }),
      call('c', { result: refused, failed: true }),
      call('c', { result: 'stuck', failed: true }),
    ];
    expect(calls.map((each) => callState(each, undefined))).toEqual([
      'calling',
      'waiting',
      'done',
      'not_run',
      'failed',
    ]);
  });
});
