/** What a typed line means to a question. */
export type Word = 'yes' | 'no' | 'nothing' | 'other';

const WORDS: ReadonlyMap<string, Word> = new Map([
  ['', 'nothing'],
  ...['y', 'yes', 'e', 'evet'].map((word): [string, Word] => [word, 'yes']),
  ...['n', 'no', 'h', 'hayir', 'hayır'].map((word): [string, Word] => [word, 'no']),
]);

/** Characters of a reason that are kept. */
const MAX_REASON = 500;

/** What follows a no on its line, such as `n not today`: read by the model. */
export function readReason(line: string): string | undefined {
  const [, word = '', reason = ''] = /^[ \t]*([^ \t]+)[ \t]+(.*)$/u.exec(line) ?? [];
  const said = reason.trim().slice(0, MAX_REASON).toWellFormed();
  return readWord(word) === 'no' && said !== '' ? said : undefined;
}

/**
 * Reads a line. Only ASCII letters are lowered: other rules would let look-alikes through (U+212A, the Kelvin sign,
 * lowers to k) or depend on the language (the Turkish dotless i).
 */
export function readWord(line: string): Word {
  const word = line.replace(/^[ \t]+|[ \t]+$/g, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return WORDS.get(word) ?? 'other';
}
