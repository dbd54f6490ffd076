import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SseParser } from './sse.ts';

function parse(...pieces: readonly string[]): readonly string[] {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

describe('[P15] the parser of server-sent events', () => {
  test('gives the data of each event, and skips comments, names and ids', () => {
    expect(parse(': hi\n\nevent: x\nid: 1\ndata: {"a":1}\n\ndata:{"b":2}\n\n')).toEqual(['{"a":1}', '{"b":2}']);
  });

  test('joins several data lines, keeps an empty one, and keeps spaces after the first', () => {
    expect(parse('data: a\ndata:\ndata:  b\n\n')).toEqual(['a\n\n b']);
  });

  test('reads every kind of line break, also when it is split', () => {
    expect(parse('data: a\r', '\n\r', '\ndata: b\r\rdata: c\n\n')).toEqual(['a', 'b', 'c']);
  });

  test('waits for the end of an event and forgets one that never ends', () => {
    expect(parse('data: a\n')).toEqual([]);
    expect(parse('\uFEFFdata: a\n\n')).toEqual(['a']);
  });

  test('gives the same however the stream is cut', () => {
    const stream = 'data: {"delta":"héllo: \u{1f600}"}\r\n\r\n: ping\n\ndata: two\ndata: lines\n\n';
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
        const pieces = places.slice(1).map((end, i) => stream.slice(places[i], end));
        expect(parse(...pieces)).toEqual(parse(stream));
      }),
    );
  });
});
