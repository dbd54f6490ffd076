import { describe, expect, it } from 'vitest';
import type { ResultPart } from './input.ts';
import { resultContent, resultData } from './result-content.ts';

const text = (words: string): ResultPart => ({ type: 'text', text: words });
const json = (value: unknown): ResultPart => ({ type: 'json', json: value });

describe('[C5.7] the text of a result', () => {
  it.each([
    ['plain text is not quoted', [text('It is open.')], 'It is open.'],
    [
      'JSON text keeps its digits and its spaces',
      [text('{ "id": 12345678901234567890 }')],
      '{ "id": 12345678901234567890 }',
    ],
    ['a JSON value is written out', [json({ a: [1, 'x'] })], '{"a":[1,"x"]}'],
    ['a long whole number keeps its digits', [json({ id: 12345678901234567890n })], '{"id":"12345678901234567890"}'],
    ['null is empty', [json(null)], ''],
    ['null as the SDK writes it is empty', [text('null')], ''],
    ['nothing is empty', [], ''],
    ['several texts stand line by line', [text('a'), text('b')], 'a\nb'],
    ['several blocks are all there', [text('a'), json({ b: 1 })], '["a",{"b":1}]'],
    ['media say what they are', [{ type: 'media', kind: 'image' }], '{"type":"image"}'],
    ['media among text are not lost', [text('a'), { type: 'media', kind: 'video' }], '["a",{"type":"video"}]'],
  ] satisfies [string, ResultPart[], string][])('%s', (_case, parts, expected) => {
    expect(resultContent(parts)).toBe(expected);
  });

  it('says so when it cannot be written', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(resultContent([json(circle)])).toMatch(/^Tool result is not JSON serializable: /);
  });
});

describe('[C5.7] the data of a result, for hooks', () => {
  it.each([
    ['text that is JSON is parsed', [text('{"a":1}')], { a: 1 }],
    ['a dictionary as Python prints it is read', [text("{'a': 1}")], { a: 1 }],
    ['other text stands for itself', [text("it's open")], "it's open"],
    ['a JSON value is itself', [json([1])], [1]],
    ['nothing is null', [], null],
    ['several parts make a list', [text('a'), json(1)], ['a', 1]],
  ] satisfies [string, ResultPart[], unknown][])('%s', (_case, parts, expected) => {
    expect(resultData(parts)).toEqual(expected);
  });
});
