import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeText, showJson } from '../../../../core/escape.ts';
import type { Approval } from '../wire/shapes.ts';
import { answered, isDeliberate, SETTLE_MS } from './deciding.ts';
import { editableJson, readEdited } from './edited.ts';
import { jsonFault } from './json-fault.ts';
import { partsOf } from './parts.ts';
import { piecesOf } from './pieces.ts';
import { ShownLedger, wasShown } from './shown-ledger.ts';
import { whyAgain } from './why-again.ts';

describe('[P9] text that the model wrote', () => {
  test('is cut into pieces that join to the escaped text, with the escapes marked', () => {
    expect(piecesOf(escapeText('a\u202eb\\n'))).toEqual([
      { text: 'a', escape: false },
      { text: '\\u202e', escape: true },
      { text: 'b\\\\n', escape: false },
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const pieces = piecesOf(escapeText(text));
        expect(pieces.map((piece) => piece.text).join('')).toBe(escapeText(text));
        expect(pieces.every((piece) => piece.text.length <= 90)).toBe(true);
      }),
    );
  });

  test('in the editor is JSON of the same value with nothing hidden in it', () => {
    const value = { 'k\u2066': 'a\\b\nc\u202e\u{e0041}', tr: 'çğıöşü', emoji: '\u{1f600}' };
    const text = editableJson(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text).toContain('çğıöşü');
    expect(text).toContain('\\u202e');
    expect(text).not.toMatch(/[\u202e\u2066]|\u{e0041}/u);
  });
});

describe('[P8] all of it has been shown', () => {
  test('parts hold every line, and a line that is too long goes on in the next part', () => {
    const lines = showJson({ list: Array.from({ length: 450 }, (_, i) => i), text: 'x'.repeat(40_000) });
    const parts = partsOf(lines);
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.flat().join('')).toBe(lines.join(''));
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(200);
  });

  test('only when every piece was seen and no part is folded away', () => {
    const ledger = new ShownLedger(true);
    expect(ledger.complete).toBe(false);
    ledger.expect('a');
    ledger.expect('b');
    ledger.see('a');
    ledger.see('something else');
    ledger.unfold();
    expect(ledger.complete).toBe(false);
    ledger.see('b');
    expect(ledger.complete).toBe(true);
    ledger.expect('c');
    expect(ledger.complete).toBe(false);
  });

  test('a question of nothing cannot be approved', () => {
    const ledger = new ShownLedger(false);
    expect(ledger.complete).toBe(false);
  });

  test('a piece counts when nearly all of it is on the screen, and never when it has no size', () => {
    const box = { width: 10, height: 10 };
    expect(wasShown({ intersectionRatio: 0.95, boundingClientRect: box })).toBe(true);
    expect(wasShown({ intersectionRatio: 0.5, boundingClientRect: box })).toBe(false);
    expect(wasShown({ intersectionRatio: 1, boundingClientRect: { width: 0, height: 0 } })).toBe(false);
  });
});

describe('[P15] answering', () => {
  const approval = (id: string, status: string): Approval => ({
    id,
    status,
    tool: 't',
    tier: 2,
    effect: '',
    arguments: {},
    digest: '',
    requester: { id: 'ada' },
    createdAt: 0,
    updatedAt: 0,
    deliveries: [],
    mayDecide: true,
    mayRetry: false,
  });
  const asked = { id: 'a', edited: false };

  test('a press counts only after the question has settled, and never from a key that is held down', () => {
    expect(isDeliberate({ at: SETTLE_MS - 1, appearedAt: 0, repeat: false })).toBe(false);
    expect(isDeliberate({ at: SETTLE_MS, appearedAt: 0, repeat: false })).toBe(true);
    expect(isDeliberate({ at: 9000, appearedAt: 0, repeat: true })).toBe(false);
  });

  test('a late answer learns who was faster', () => {
    const winner = approval('a', 'rejected');
    expect(answered({ ok: false, status: 409, approval: winner }, asked)).toEqual({
      type: 'elsewhere',
      approval: winner,
    });
  });

  test('another digest and a vanished question are read again', () => {
    expect(answered({ ok: false, status: 422, code: 'digest_mismatch' }, { id: 'a', edited: true })).toEqual({
      type: 'changed',
    });
    expect(answered({ ok: false, status: 404 }, asked)).toEqual({ type: 'changed' });
  });

  test('no answer is never taken for a decision', () => {
    expect(answered({ ok: false, status: 0, code: 'unreachable' }, asked)).toEqual({
      type: 'failed',
      unsure: 'away',
    });
    expect(answered({ ok: false, status: 500, code: 'internal' }, asked)).toEqual({ type: 'failed', unsure: 'broken' });
  });

  test('[P10] an edit that has to be looked at again, and one that does not fit', () => {
    const edited = { id: 'a', edited: true };
    const next = approval('b', 'pending');
    const again = { type: 'asked_again', approval: next };
    expect(answered({ ok: true, value: { approval: next, result: 'asked_again' } }, edited)).toEqual(again);
    expect(answered({ ok: true, value: { approval: next, result: { status: 'asked_again' } } }, edited)).toEqual(again);
    expect(answered({ ok: true, value: { approval: next } }, edited)).toEqual(again);
    expect(answered({ ok: false, status: 422, code: 'invalid', message: 'no door' }, edited)).toEqual({
      type: 'invalid',
      problem: 'no door',
    });
    const done = approval('b', 'approved');
    expect(answered({ ok: true, value: { approval: done, result: 'approved' } }, edited)).toEqual({
      type: 'decided',
      approval: done,
    });
  });

  test('[P10] why an edit has to be looked at again is told', () => {
    const now = { mayDecide: true, arguments: { door: 'back' }, effect: 'Unlocks the back door.' };
    const given = { editedArguments: { door: 'back' } };
    expect([
      whyAgain({ effect: 'Unlocks the front door.' }, now, given),
      whyAgain(now, { ...now, arguments: { door: 'back', hard: true } }, given),
      whyAgain(now, { ...now, mayDecide: false }, given),
      whyAgain(now, now, given),
    ]).toEqual(['question.again.effect', 'question.again.values', 'question.again.other', 'question.again.look']);
  });

  test('[P10] what was typed is JSON, is something else than before, or is told where it is wrong', () => {
    expect(readEdited('{"b":2,"a":1}', { a: 1, b: 2 })).toEqual({ type: 'unchanged' });
    expect(readEdited('{"a":2}', { a: 1 })).toEqual({ type: 'ok', value: { a: 2 } });
    expect(readEdited('{\n  "a": oops\n}', {})).toEqual({ type: 'invalid', line: 2, column: 8 });
    expect(readEdited('', {})).toEqual({ type: 'invalid', line: 1, column: 1 });
    expect(readEdited('{"a":1,}', {})).toEqual({ type: 'invalid', line: 1, column: 8 });
    expect(readEdited('[1] 2', {})).toEqual({ type: 'invalid', line: 1, column: 5 });
  });

  test('a fault is found in exactly the texts that are no JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonFault(text)).toBeUndefined();
      }),
    );
    const almost = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '0', '\\', '\n', 'x'));
    fc.assert(
      fc.property(almost, ([json, at, mark]) => {
        const text = json.slice(0, at % (json.length + 1)) + mark + json.slice((at % (json.length + 1)) + 1);
        expect(jsonFault(text) === undefined).toBe(isJson(text));
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
