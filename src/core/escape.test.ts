import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeJson, escapeText, showJson } from './escape.ts';
import type { JSONValue } from './json.ts';

/** Written down anew here, from the requirement: what must never reach a screen. */
const FORBIDDEN =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|(?! )\p{White_Space}|\p{Variation_Selector}|\p{Bidi_Control}|\p{Me}/u;

/** Any UTF-16 at all, with the characters and texts that matter here far more often than by chance. */
const anyText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
      { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
      { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          '\\',
          '\\\\',
          'u202e',
          '\\u202e',
          '\\u{e0041}',
          '\u202e',
          '\u{e0041}',
          '\u001b[2J',
          '\u0301',
          '\u0338',
          ' '.repeat(20),
          '\u0301'.repeat(12),
          'a',
          'ş',
          '"',
          '\n',
          '\ud83d',
          '\ude00',
          '\u3164',
          '\u200d',
          '\u0085',
        ),
      },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

/** Reads an escaped text back. */
function readEscaped(shown: string): string {
  return shown.replace(/\\(?:\\|u\{([0-9a-f]+)\}|u([0-9a-f]{4}))/g, (_, long?: string, short?: string) => {
    const hex = long ?? short;
    return hex === undefined ? '\\' : String.fromCodePoint(Number.parseInt(hex, 16));
  });
}

describe('escapeText', () => {
  it.each([
    ['an ANSI sequence', 'a\u001b[31mred', 'a\\u001b[31mred'],
    ['an OSC sequence', '\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['a C1 control sequence', '\u009b2J', '\\u009b2J'],
    ['a line break', 'a\r\nb', 'a\\u000d\\u000ab'],
    ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
    ['bidirectional controls', '\u202etxt\u2066', '\\u202etxt\\u2066'],
    ['zero-width characters', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['tag characters', '\u{e0041}\u{e007f}', '\\u{e0041}\\u{e007f}'],
    ['unpaired surrogates', '\ud83d \ude00', '\\ud83d \\ude00'],
    ['private use and noncharacters', '\ue000\uffff\u{10ffff}', '\\ue000\\uffff\\u{10ffff}'],
    ['unusual spaces', 'a\u00a0b\u3000c', 'a\\u00a0b\\u3000c'],
    ['fillers, joiners and blanks', '\u3164\u115f\u034f\u00ad\u2800', '\\u3164\\u115f\\u034f\\u00ad\\u2800'],
    ['variation selectors', '\u2764\ufe0f\u{e0100}', '\u2764\\ufe0f\\u{e0100}'],
    ['a backslash', '\\u202e', '\\\\u202e'],
    ['marks that stand on nothing', '\u0301a "\u0301', '\\u0301a "\\u0301'],
    ['marks that strike a letter out', 'y\u0336es', 'y\\u0336es'],
    ['marks that pile up', `z${'\u0301'.repeat(10)}`, `z${'\u0301'.repeat(8)}\\u0301\\u0301`],
    ['padding', `a${' '.repeat(18)}b`, `a${' '.repeat(16)}\\u0020\\u0020b`],
  ])('[G18] makes %s visible', (_, text, shown) => {
    expect(escapeText(text)).toBe(shown);
  });

  it('[G18] leaves letters of all scripts, their marks, digits, punctuation and emoji readable', () => {
    const text = 'çğıİöşü ÇĞ Привет مرحبا שָׁלוֹם 日本語 한국어 हिन्दी ภาษาไทย e\u0301 «1 234» – 50 % €? 😀🎉 a  b';
    expect(escapeText(text)).toBe(text);
  });

  it('[G18] lets no character of the forbidden kinds through, alone or after a letter', () => {
    const leaked: string[] = [];
    // Of the planes that hold nothing yet, every 256th.
    for (let code = 0; code <= 0x10ffff; code += code >= 0x34000 && code < 0xe0000 ? 256 : 1) {
      const char = String.fromCodePoint(code);
      if (FORBIDDEN.test(char) && /[^\x20-\x7e]/.test(escapeText(char) + escapeText(`a${char}`))) leaked.push(char);
    }
    expect(leaked).toEqual([]);
  });

  it('[G18] shows any two texts differently, with no forbidden character, however they are made up', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = escapeText(text);
        expect(FORBIDDEN.test(shown)).toBe(false);
        expect(shown).not.toMatch(/ {17}|\p{M}{9}/u);
        expect(readEscaped(shown)).toBe(text);
        expect(escapeText(text)).toBe(shown);
      }),
      { numRuns: 2000 },
    );
  });

  it('[G18] takes time in proportion to the length of a text', () => {
    // Twenty times the text may take far more than twenty times as long here, but not four hundred times.
    for (const part of [' ', '\u0301', 'a\u0301', '\\', '\u202e', 'a']) {
      const [short = 0, long = 0] = [5_000, 100_000].map((length) => {
        const started = performance.now();
        escapeText(part.repeat(length));
        return performance.now() - started;
      });
      expect(long).toBeLessThan(Math.max(short, 5) * 200);
    }
  });
});

describe('showJson', () => {
  it('[G18] writes sorted keys, one entry a line, with readable line breaks', () => {
    const value = { b: [1, -2.5, true, null], a: { y: 'two\nlines\t"\\n"', x: {} }, c: [], A: '\u202e' };
    expect(showJson(value)).toEqual([
      '{',
      '  "A": "\\u202e",',
      '  "a": {',
      '    "x": {},',
      '    "y": "two\\nlines\\t\\"\\\\n\\""',
      '  },',
      '  "b": [',
      '    1,',
      '    -2.5,',
      '    true,',
      '    null',
      '  ],',
      '  "c": []',
      '}',
    ]);
  });

  it('[G18] stops indenting where nesting would push the content off the screen', () => {
    const deep = '['.repeat(60) + ']'.repeat(60);
    const lines = showJson(JSON.parse(deep));
    expect(lines.map((line) => line.search(/\S/)).sort((a, b) => b - a)[0]).toBe(24);
  });

  it('[G18] shows any two values differently, and every line as JSON that cannot act on the screen', () => {
    const anyValue = fc.letrec<{ value: JSONValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        anyText,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(anyValue, (value) => {
        const lines = showJson(value);
        for (const line of lines) {
          expect(FORBIDDEN.test(line)).toBe(false);
          expect(line).toMatch(/^ *(?:["[\]{}\d-]|true|false|null)/);
        }
        expect(readBack(lines)).toEqual(normal(value));
      }),
      { numRuns: 500 },
    );
  });
});

/** Parses shown JSON: inside its strings, the escapes of `escapeText` become those of JSON. */
function readBack(lines: readonly string[]): unknown {
  const json = lines.join('\n').replace(/\\\\|\\u\{([0-9a-f]+)\}/g, (found, hex?: string) => {
    if (hex === undefined) return found;
    const units = Array.from({ length: 2 }, (_, i) => String.fromCodePoint(Number.parseInt(hex, 16)).charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16)}`).join('');
  });
  return JSON.parse(json);
}

/** As JSON has it: no `-0`. */
function normal(value: JSONValue): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('[P9] JSON for a screen', () => {
  it('has the same value and nothing that acts on the screen or hides there', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.constantFrom(0, 2), (texts, indent) => {
        const value = { texts, [texts[0] ?? '']: texts.length };
        const shown = escapeJson(JSON.stringify(value, null, indent));
        expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(shown.replaceAll('\n', '').replace(/\p{Me}/gu, '')).not.toMatch(FORBIDDEN);
      }),
    );
    expect(escapeJson(JSON.stringify('a\u009b2J\u202eb\u200bc\u{e0041}\u007f é ş 🔑', null, 2))).toBe(
      '"a\\u009b2J\\u202eb\\u200bc\\udb40\\udc41\\u007f é ş 🔑"',
    );
  });
});
