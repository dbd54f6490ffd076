import { expect, test } from 'vitest';
import { en } from './en.ts';
import { tr } from './tr.ts';
import { firstLanguage, wordsOf } from './words.ts';

const names = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();

test('[P15] every text exists in English and Turkish, with the same values in it', () => {
  expect(Object.keys(tr).sort()).toEqual(Object.keys(en).sort());
  const tables: readonly (readonly [string, string])[] = Object.entries(en);
  const turkish: Readonly<Record<string, string>> = tr;
  for (const [key, text] of tables) {
    expect([key, names(turkish[key] ?? '')]).toEqual([key, names(text)]);
    expect(turkish[key]?.trim()).not.toBe('');
  }
});

test('the language is the first that is known', () => {
  expect(firstLanguage([null, undefined, 'de-DE', 'tr-TR', 'en'])).toBe('tr');
  expect(firstLanguage(['fr'])).toBe('en');
});

test('lengths of time are told in their largest two units', () => {
  const { duration } = wordsOf('en');
  expect([0, 59_400, 61_000, 7_384_000, 90_000_000].map(duration)).toEqual([
    '0 sec',
    '59 sec',
    '1 min 1 sec',
    '2 hr 3 min',
    '1 day 1 hr',
  ]);
  expect(wordsOf('tr').duration(61_000)).toBe('1 dk. 1 sn.');
});

test('a name from the hub that the page has no word for stays as it is', () => {
  expect(wordsOf('tr').named('status', 'constructor')).toBe('constructor');
  expect(wordsOf('tr').named('status', 'done')).toBe('onaylandı, tamamlandı');
});
