import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeText } from '../../core/escape.ts';
import { displayWidth } from './display-width.ts';
import { layOut } from './layout.ts';
import { pageAt, startAt } from './pager.ts';
import type { Row } from './question-rows.ts';

const anyRows: fc.Arbitrary<readonly Row[]> = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }).map((text): Row => ({ type: 'argument', text: escapeText(text) })),
    fc.lorem({ maxCount: 30 }).map((text): Row => ({ type: 'field', label: 'Effect', text })),
    fc.constant<Row>({ type: 'heading', label: 'Arguments' }),
  ),
  { maxLength: 12 },
);

it('[G18] fits every line to the screen and loses none of the text', () => {
  fc.assert(
    fc.property(anyRows, fc.integer({ min: 20, max: 120 }), (rows, columns) => {
      const lines = layOut(rows, columns);
      for (const { mark, text } of lines) expect(displayWidth(mark) + displayWidth(text)).toBeLessThan(columns);
      const texts = rows.map((_, row) =>
        lines
          .filter((line) => line.row === row)
          .map(({ text }) => text)
          .join(''),
      );
      expect(texts).toEqual(rows.map((row) => (row.type === 'heading' ? '' : row.text)));
    }),
  );
});

it('[G18, P8] shows each line on exactly one page, the last page last', () => {
  fc.assert(
    fc.property(anyRows, fc.integer({ min: 1, max: 30 }), (rows, height) => {
      const lines = layOut(rows, 40);
      const shown = [];
      for (let start = 0, last = false; !last; ) {
        const page = pageAt(lines, start, height);
        expect(page.lines.length).toBeLessThanOrEqual(height);
        shown.push(...page.lines);
        ({ next: start, last } = page);
        expect(last).toBe(page.number === page.pages);
      }
      expect(shown).toEqual(lines);
    }),
  );
});

it('[G18] goes on at the same place, or before it, when the screen changes its size between two pages', () => {
  fc.assert(
    fc.property(anyRows, fc.nat(), fc.integer({ min: 20, max: 120 }), (rows, pick, columns) => {
      const before = layOut(rows, 60);
      const place = before[pick % Math.max(1, before.length)];
      const after = layOut(rows, columns);
      const line = after[startAt(after, place)];
      if (place === undefined || line === undefined) return;
      expect(line.row).toBe(place.row);
      expect(line.offset).toBeLessThanOrEqual(place.offset);
    }),
  );
});
