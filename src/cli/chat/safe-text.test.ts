import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SafeText, safeLines } from './safe-text.ts';

/** What is printed of a text that comes in pieces. */
function printed(...pieces: readonly string[]): string {
  const text = new SafeText();
  return pieces.map((piece) => text.push(piece)).join('') + text.flush();
}

test.each([
  [['Hello ', 'world.\n', 'Bye'], 'Hello world.\nBye'],
  [['a\r\nb'], 'a\nb'],
  [['a\tb'], 'a    b'],
  [['clear \u001b[2J screen'], 'clear \\u001b[2J screen'],
  [['title \u001b', ']0;owned\u0007'], 'title \\u001b]0;owned\\u0007'],
  [['over\rwrite'], 'over\\rwrite'.replace('\\r', '\\u000d')],
  [['right to \u202eleft'], 'right to \\u202eleft'],
  [['emoji \ud83d', '\ude00!'], 'emoji 😀!'],
  [['half \ud83d'], 'half \\ud83d'],
  [['cafe', '\u0301 is'], 'cafe\u0301 is'],
])('%j is printed without acting on the screen', (pieces, expected) => {
  expect(printed(...pieces)).toBe(expected);
});

test('padding is written out, also in small pieces', () => {
  const padded = printed('safe', ...Array.from({ length: 12 }, () => '   '), 'hidden');
  expect(padded).toBe(safeLines(`safe${' '.repeat(36)}hidden`));
  expect(padded).toContain('\\u0020');
});

test('nothing is held back for long: a word is printed as soon as it is over', () => {
  const text = new SafeText();
  expect(text.push('The door ')).toBe('The door ');
  expect(text.push('is open.')).toBe('is open.');
});

test('the same is printed however the text is split', () => {
  const unit = fc.constantFrom(
    'a',
    '\u0301',
    '\u0338',
    '\ufe0f',
    '\u{1e8d0}',
    '\u{1d400}',
    ' ',
    '        ',
    '\t',
    '\r',
    '\n',
    '\\',
  );
  const text = fc.array(fc.oneof(unit, fc.constant('\u0301'.repeat(9)), fc.string({ unit: 'binary' })), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 20 }), (units, cuts) => {
      const whole = units.join('');
      const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
      const pieces = places.slice(1).map((place, index) => whole.slice(places[index], place));
      expect(printed(...pieces)).toBe(safeLines(whole));
      expect(printed(...whole.split(''))).toBe(safeLines(whole));
    }),
  );
});

test('long padding and long runs of marks are written out, one character at a time', () => {
  for (const text of [`safe${' '.repeat(500)}hidden`, `a${'\u0301'.repeat(500)}b`]) {
    expect(printed(...text)).toBe(safeLines(text));
  }
});

test.each(['\u0301', ' ', 'x', '\ufe0f'])(
  '%j, streamed endlessly, is printed as it comes and not looked at again',
  (char) => {
    const text = new SafeText();
    text.push('a');
    let shown = '';
    for (let count = 0; count < 2000; count++) shown = text.push(char);
    expect(shown).not.toBe('');
    expect(text.flush().length).toBeLessThanOrEqual(1);
  },
);
