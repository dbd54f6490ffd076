import { describe, expect, test } from 'vitest';
import { citations } from './citations.ts';

function idsOf(text: string): readonly string[] {
  return citations('example.test.ts', text).map((citation) => citation.id);
}

describe('citations', () => {
  test('are read from test, it and describe titles', () => {
    const text = `
      describe('[G4] verdicts', () => {
        test('[G6, S16] refuses', () => {});
        it(\`[P1] stores\`, () => {});
      });`;
    expect(idsOf(text)).toEqual(['G4', 'G6', 'S16', 'P1']);
  });

  test('are read from parametrized and conditional tests', () => {
    const text = `
      test.each([1, 2])('[G1] tier %s', () => {});
      it.for([1])('[G2] name', () => {});
      test.skipIf(noTerminal)('[G18] pages', () => {});
      describe.each\`a\${1}\`('[G3] spec', () => {});
      test(\`[G5] \${name} rejects\`, () => {});`;
    expect(idsOf(text)).toEqual(['G1', 'G2', 'G18', 'G3', 'G5']);
  });

  test('do not count where nothing runs', () => {
    const text = `
      test.skip('[G1] a', () => {});
      test.todo('[G2] b');
      describe.skip('[G3] c', () => { test('[G4] d', () => {}); });
      // test('[G5] e')
      const note = '[G6]';`;
    expect(idsOf(text)).toEqual([]);
  });
});
