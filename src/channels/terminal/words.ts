/** What a typed line means to a question. */
export type Word = 'yes' | 'no' | 'nothing' | 'other';

const WORDS: ReadonlyMap<string, Word> = new Map([
  ['', 'nothing'],
  ...['y', 'yes', 'e', 'evet'].map((word): [string, Word] => [word, 'yes']),
  ...['n', 'no', 'h', 'hayir', 'hayır'].map((word): [string, Word] => [word, 'no']),
]);

/**
 * Reads a line. Only ASCII letters are lowered: other rules would let look-alikes through (U+212A, the Kelvin sign,
 * lowers to k) or depend on the language (the Turkish dotless i).
 */
export function readWord(line: string): Word {
  const word = line.replace(/^[ \t]+|[ \t]+$/g, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return WORDS.get(word) ?? 'other';
}
