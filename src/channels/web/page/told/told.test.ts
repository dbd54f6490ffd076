import { describe, expect, test } from 'vitest';
import { invalidArgumentsText, refusalText, unknownToolText } from '../../../../core/verdict.ts';
import type { Approval, Decided } from '../wire/shapes.ts';
import { wordsOf } from '../words/words.ts';
import { readClosed } from './closed.ts';
import { endingOf } from './ending.ts';
import { problemOf, readRefusal } from './refusal.ts';
import { isSame, type Reader, whereOf } from './who.ts';

const ada: Reader = { me: { id: 'ada', kind: 'person' }, words: wordsOf('en') };

const question: Approval = {
  id: 'a',
  status: 'pending',
  tool: 'unlock_door',
  tier: 2,
  effect: 'Unlocks a door.',
  arguments: {},
  digest: 'd',
  requester: { id: 'ada', kind: 'person' },
  createdAt: 0,
  updatedAt: 0,
  deliveries: [],
  mayDecide: true,
  mayRetry: false,
};

const decision = (kind: string, by: string, reason?: string): Decided => {
  const given = { decision: kind, by: { id: by, kind: 'person' }, channel: 'telegram', at: 0, tookMs: 1 };
  return reason === undefined ? given : { ...given, reason };
};

describe('[P15] how a question ended, in the words of a person', () => {
  const end = (change: Partial<Approval>, before = false) => endingOf({ ...question, ...change }, ada, before);
  const when = ada.words.dateTime(0);

  test('an answer names who gave it, where and when, and why', () => {
    expect(end({ status: 'done', decision: decision('approved', 'ada') })).toEqual({
      text: `You approved this, on Telegram · ${when}.`,
      tone: 'good',
    });
    expect(end({ status: 'unknown', decision: decision('approved', 'grace') }, true)).toEqual({
      text: `grace had already approved this, on Telegram · ${when}.`,
      tone: 'bad',
    });
    expect(end({ status: 'rejected', decision: decision('rejected', 'grace', 'not \u202enow') })).toEqual({
      text: `Rejected by grace, on Telegram · ${when}. It was not run.`,
      tone: 'no',
      reason: 'not \\u202enow',
    });
  });

  test('what ended without an answer was not run, and that is said', () => {
    const closed = (status: string, closedBecause?: string) =>
      end({ status, ...(closedBecause === undefined ? {} : { closedBecause }) }).text;
    expect([
      closed('cancelled', "withdrawn by person 'ada' at web"),
      closed('cancelled', "withdrawn by agent 'ada' at http: changed my mind"),
      closed('cancelled', 'the run was cancelled'),
      closed('void', "edited by person 'ada'"),
      closed('void', 'the policy changed'),
      closed('expired'),
      closed('timeout'),
      closed('constructor'),
    ]).toEqual([
      'You withdrew this question. It was not run.',
      'Withdrawn by ada. It was not run.',
      'The question was withdrawn. It was not run.',
      'You changed the arguments. Another question stands in its place.',
      'The tool or the rules changed, so the question no longer holds. It was not run.',
      'The yes was not used in time. It was not run.',
      'Nobody answered in time. It was not run.',
      'The question is over. It was not run.',
    ]);
    expect(end({ status: 'cancelled', closedBecause: "withdrawn by person 'x' at cli: a: b" }).reason).toBe('a: b');
  });

  test('what the record says for the audit is read exactly', () => {
    expect(readClosed("withdrawn by person 'o'neil' at web")).toEqual({
      type: 'withdrawn',
      by: { id: "o'neil", kind: 'person' },
      channel: 'web',
    });
    expect(readClosed("withdrawn by person 'ada' at web and more")).toEqual({ type: 'other' });
    expect(readClosed(undefined)).toEqual({ type: 'other' });
  });

  test('an account is its id and its kind; a channel without a word keeps its name', () => {
    expect(isSame({ id: 'ada', kind: 'agent' }, ada.me)).toBe(false);
    expect(isSame({ id: 'ada' }, ada.me)).toBe(true);
    expect(whereOf('constructor', ada.words)).toBe('on constructor');
  });
});

describe('[P15] why a call was not run, read from what the model was told', () => {
  test('each refusal of the gate is known; an error of the tool is none', () => {
    const read = (result: string) => readRefusal('unlock_door', result);
    expect(read(invalidArgumentsText('unlock_door', 'door: expected text'))).toEqual({
      type: 'no_fit',
      problem: 'door: expected text',
    });
    expect(read(unknownToolText('unlock_door'))).toEqual({ type: 'no_tool' });
    expect(read(refusalText('unlock_door', 'not now'))).toEqual({ type: 'refused' });
    expect(read('The door is stuck.')).toBeUndefined();
    expect(read(invalidArgumentsText('another_tool', 'x'))).toBeUndefined();
    expect(problemOf('t', invalidArgumentsText('t', ''))).toBe('');
  });
});
