import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { en } from '../../src/channels/web/page/words/en.ts';

const folder = new URL('../../src/channels/web/page/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.') && !/words\/(en|tr)\.ts$/.test(name))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');

test('every text is used somewhere', () => {
  const computed = /^(status|channel|by|audit\.how|audit\.why|question\.tier|life\.outcome|chat\.status|chat\.tool)\./;
  expect(Object.keys(en).filter((key) => !computed.test(key) && !sources.includes(`'${key}'`))).toEqual([]);
});

test('[P15] nothing in the page makes markup or code out of text', () => {
  expect(sources).not.toMatch(
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|\beval\(|new Function\(|javascript:/,
  );
  expect(sources).not.toMatch(/\bstyle=/);
});
