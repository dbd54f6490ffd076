import { expect, test } from 'vitest';
import { closest } from './did-you-mean.ts';

test.each([
  ['polciy', 'policy'],
  ['plicy', 'policy'],
  ['ppolicy', 'policy'],
  ['poliky', 'policy'],
  ['opliyc', undefined],
  ['store', 'store'],
  ['', undefined],
])('[G6] within one slip of %s is %s', (word, meant) => {
  expect(closest(word, ['policy', 'store'], 1)).toBe(meant);
});

test('[G6] a word may have one slip for each three characters, and the nearest one is meant', () => {
  expect(closest('timeoutSecs', ['useWithinSeconds', 'timeoutSeconds'])).toBe('timeoutSeconds');
  expect(closest('store', ['storage', 'stores'])).toBe('stores');
  expect(closest('abc', ['xyz'])).toBeUndefined();
});
