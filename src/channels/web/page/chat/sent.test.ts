import { describe, expect, test } from 'vitest';
import { type ChatState, EMPTY_CHAT } from './chat-shape.ts';
import { applyEvent, breakOff, say } from './chat-state.ts';
import { itemsOf } from './history.ts';
import { afterReading, unsureOf } from './sent.ts';

/** A conversation as the hub has it, which names messages as it likes. */
const stored = (...texts: readonly string[]) =>
  itemsOf(texts.map((content, i) => ({ id: `stored-${i}`, role: 'user', content })));

const texts = ({ items }: ChatState): readonly string[] => items.map((item) => ('text' in item ? item.text : ''));

describe('[P15] what was sent and may not have been heard', () => {
  const read = afterReading(EMPTY_CHAT, stored('hello'), 'idle');
  const lost = breakOff(say(read, 'm', 'unlock'), 'unsure');

  test('is given back when the hub does not have it, and stays where it is when it has', () => {
    const gone = afterReading(lost, stored('hello'), 'idle');
    expect([texts(gone), gone.phase, gone.returned]).toEqual([
      ['hello'],
      'idle',
      { text: 'unlock', why: { type: 'lost' } },
    ]);
    const there = afterReading(lost, stored('hello', 'unlock'), 'waiting');
    expect([texts(there), there.phase, there.returned, unsureOf(there)]).toEqual([
      ['hello', 'unlock'],
      'waiting',
      undefined,
      [],
    ]);
  });

  test('is not taken for what was said before in the same words', () => {
    const again = breakOff(say(read, 'm', 'hello'), 'lost');
    expect(afterReading(again, stored('hello'), 'idle').returned?.text).toBe('hello');
    expect(afterReading(again, stored('hello', 'hello'), 'idle').returned).toBeUndefined();
  });

  test('waits as long as a run goes on that may not have been recorded', () => {
    const running = afterReading(lost, stored('hello'), 'running');
    expect([texts(running), running.phase, running.returned]).toEqual([['hello', 'unlock'], 'elsewhere', undefined]);
    expect(afterReading(running, stored('hello'), 'idle').returned?.text).toBe('unlock');
  });

  test('is all given back when there is more than one', () => {
    const twice = breakOff(say(lost, 'n', 'the door'), 'unsure');
    expect(afterReading(twice, stored('hello'), 'idle').returned?.text).toBe('unlock\nthe door');
    expect(afterReading(twice, stored('hello', 'the door'), 'idle').returned?.text).toBe('unlock');
  });

  test.each(['THREAD_BUSY', 'PENDING_INTERRUPTS'])('is given back at once when its run could not begin: %s', (code) => {
    const begun = applyEvent(say(read, 'm', 'unlock'), { type: 'RUN_STARTED' });
    const refused = applyEvent(begun, { type: 'RUN_ERROR', code, message: 'no' });
    expect([texts(refused), refused.returned]).toEqual([['hello'], { text: 'unlock', why: { type: 'busy' } }]);
    expect(say(refused, 'n', 'unlock').returned).toBeUndefined();
  });

  test('is sure once its run has ended', () => {
    const done = applyEvent(say(read, 'm', 'unlock'), { type: 'RUN_FINISHED' });
    expect(unsureOf(done)).toEqual([]);
  });
});
