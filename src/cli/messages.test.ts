import { describe, expect, test } from 'vitest';
import { type CliMessageKey, cliMessages, speak } from './messages.ts';

const keys = Object.keys(cliMessages.en) as CliMessageKey[];
const placeholders = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('[G17] the messages of the command line', () => {
  test('are the same in both languages', () => {
    expect(Object.keys(cliMessages.tr)).toEqual(keys);
  });

  test.each(keys)('%s has a text with the same values in both languages', (key) => {
    expect(cliMessages.en[key].trim()).not.toBe('');
    expect(cliMessages.tr[key].trim()).not.toBe('');
    expect(new Set(placeholders(cliMessages.tr[key]))).toEqual(new Set(placeholders(cliMessages.en[key])));
  });

  test('take the values they are given, and no inherited ones', () => {
    expect(speak('en')('init.wrote', { path: '{constructor}' })).toBe('Wrote {constructor}.');
    expect(speak('tr')('init.wrote', { path: 'a' })).toBe('a yazıldı.');
  });
});
