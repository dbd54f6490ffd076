import { describe, expect, it } from 'vitest';
import { isTier, Tier } from './tier.ts';

describe('[G1] tiers', () => {
  it('are exactly the numbers 0, 1 and 2', () => {
    expect(Tier).toEqual({ Read: 0, DigitalWrite: 1, Physical: 2 });
    expect([0, 1, 2].map(isTier)).toEqual([true, true, true]);
  });

  it.each([
    [true],
    [false],
    ['0'],
    ['2'],
    [-1],
    [3],
    [1.5],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [null],
    [undefined],
    [{}],
    [[2]],
    [2n],
    [Object(2)],
    [{ valueOf: () => 2 }],
  ])('are not %s', (value) => {
    expect(isTier(value)).toBe(false);
  });

  it('counts -0 as 0', () => {
    expect(isTier(-0)).toBe(true);
  });
});
