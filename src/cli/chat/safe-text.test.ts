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
  expect(text.push('The door ')).toBe('The door');
  expect(text.push('is open.')).toBe(' is open.');
});
