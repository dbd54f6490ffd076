import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { request, StreamTerminal } from '../../../test/e2e/fixtures/terminal-streams.ts';
import type { Principal } from '../../core/call.ts';
import { messageTable } from '../../core/i18n.ts';

const ALL_HIDDEN =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|(?! )\p{White_Space}/u;

/** Every control, format, invisible and unusual blank character that can stand in a well-formed text. */
const hostileCharacters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0x3000 || (code > 0xd7ff && code < 0x11000) || (code >= 0xe0000 && code < 0xe0200))
  .map((code) => String.fromCodePoint(code))
  .filter((char) => ALL_HIDDEN.test(char) && char.isWellFormed());

/** Feeds a pipe with everything at once. */
function piped(input: string | Buffer): StreamTerminal {
  const terminal = new StreamTerminal();
  terminal.input.end(input);
  return terminal;
}

describe('what a question shows', () => {
  it('[G18, P9, P12] shows tool, tier, effect, requester and digest, and the arguments in an area of their own', async () => {
    const terminal = piped('no\n');
    await terminal.ask();
    const width = 79;
    expect(terminal.printed).toBe(
      [
        '',
        `━━ Approval needed ${'━'.repeat(width - 19)}`,
        '  Tool          front_door',
        '  Tier          2 · physical action or self-written code',
        '  Effect        Unlocks the front door',
        '  Requested by  anonymous, through the model',
        '  Digest        0123 4567 89ab cdef',
        '  Arguments',
        '  │ {',
        '  │   "door": "front",',
        '  │   "seconds": 30',
        '  │ }',
        '━'.repeat(width),
        'Approve? [y/N] ',
        'Not approved.',
        '',
      ].join('\n'),
    );
  });

  it('[P6, P7] is nothing where the yes of the requester would not count: nobody here can answer', async () => {
    const terminal = piped('yes\n');
    const { signal } = new AbortController();
    const mayDecide = ({ id }: Principal): boolean => id === 'grace';
    expect(await terminal.approver.decide(request(), { signal, mayDecide })).toEqual({ unreachable: true });
    expect(terminal.printed).toBe('');
    const origin = { kind: 'model', principal: { id: 'grace', kind: 'person' } } as const;
    expect(await terminal.approver.decide(request({ origin }), { signal, mayDecide })).toBe('approved');
  });

  it('[G18] asks in Turkish', async () => {
    const terminal = new StreamTerminal({ language: 'tr' });
    terminal.input.end('evet\n');
    expect(await terminal.ask()).toBe('approved');
    for (const key of ['title', 'tool', 'tier.2', 'effect', 'arguments', 'question', 'approved'] as const) {
      expect(terminal.printed).toContain(messageTable('tr')[`approval.${key}`]);
    }
  });

  it('[G18, P9] lets no text in arguments, effect, tool or requester act on the screen or leave its area', async () => {
    const forged = '\n━━ Approval needed ━━\n  Tool          harmless\nApprove? [y/N] y\nApproved.\n';
    const text = fc
      .array(
        fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom(...hostileCharacters) },
          { weight: 1, arbitrary: fc.constantFrom(forged, ' '.repeat(100), '\u001b[2J\u001b[H', 'abc', '│ ', '\\') },
          { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
        ),
        { maxLength: 200 },
      )
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (value, key, effect) => {
        const terminal = piped('no\n');
        const origin = { kind: 'mcp', principal: { id: key, kind: 'person' } } as const;
        expect(await terminal.ask({ arguments: { [`k${key}`]: value }, effect, tool: value, origin })).toBe('rejected');
        const lines = terminal.printed.split('\n');
        expect(lines.filter((line) => ALL_HIDDEN.test(line))).toEqual([]);
        expect(
          lines.filter((line) => !/^ {2,14}[│┆] | {2}(?:Tool|Tier|Effect|Requested by|Digest|Arguments)/.test(line)),
        ).toEqual(['', `━━ Approval needed ${'━'.repeat(60)}`, '━'.repeat(79), 'Approve? [y/N] ', 'Not approved.', '']);
        expect(lines.filter((line) => line.startsWith('  T'))).toHaveLength(2);
      }),
      { numRuns: 150 },
    );
  });

  it('[G18] shows every hostile character of an argument and of the effect as its escape', async () => {
    const all = hostileCharacters.join('');
    const terminal = piped('no\n');
    await terminal.ask({ arguments: { all }, effect: all });
    const shown = terminal.printed.replace(/\n {2,14}(?:│|┆) /g, '');
    const escapes = hostileCharacters.map((char) => {
      const hex = (char.codePointAt(0) ?? 0).toString(16);
      return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
    });
    expect(shown).toContain(escapes.join(''));
    expect(shown).toContain(
      escapes.join('').replace('\\u0009', '\\t').replace('\\u000a', '\\n').replace('\\u000d', '\\r'),
    );
  });

  it('[G18] breaks lines at the width of the screen, so that no text of the model starts a line', async () => {
    const terminal = new StreamTerminal({ columns: 40 });
    terminal.input.end('no\n');
    await terminal.ask({ arguments: { text: 'x'.repeat(100), wide: '漢'.repeat(40) }, effect: 'word '.repeat(20) });
    const lines = terminal.printed.split('\n');
    const widths = lines.map((line) => Array.from(line).length + (line.match(/漢/g)?.length ?? 0));
    expect(Math.max(...widths)).toBe(39);
    expect(lines.filter((line) => /^[x漢w]/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('  ┆ '))).toHaveLength(5);
  });
});

describe('what answers it', () => {
  it.each(['y', 'yes', 'e', 'evet', 'Y', 'YES', 'E', 'EVET', 'EvEt', '  yes\t ', 'y\r'])(
    '[G19] approves for %j',
    async (line) => {
      expect(await piped(`${line}\n`).ask()).toBe('approved');
    },
  );

  it.each([
    '',
    ' ',
    'n',
    'no',
    'h',
    'hayır',
    'yes please',
    'y y',
    'yy',
    'ye',
    'eve',
    'true',
    '1',
    'ok',
    'approved',
    '"y"',
    'y.',
    'ｙ',
    'ｙｅｓ',
    'еvet',
    'EVЕT',
    'yeſ',
    'y\u0301',
    'y\u200b',
    '\u00a0y',
    '\u3000evet',
    'y\u2028',
    '\u0000y',
    'y\u001b[D',
  ])('[G19] rejects for %j', async (line) => {
    expect(await piped(`${line}\n`).ask()).toBe('rejected');
  });

  it('[G19] rejects for any line but the four words', async () => {
    const words = fc.constantFrom('y', 'yes', 'e', 'evet', 'Y', ' ', 'n', '\t', 'E', 'İ', 'ı');
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words).map((all) => all.join('')),
        ),
        async (text) => {
          const line = text.replaceAll('\n', ' ');
          const approves = /^[ \t]*(?:y|yes|e|evet)[ \t]*\r?$/i.test(line) && !/[ıİſ]/.test(line);
          expect(await piped(`${line}\n`).ask()).toBe(approves ? 'approved' : 'rejected');
        },
      ),
      { numRuns: 200 },
    );
  });

  it('[G19, P12] rejects at the end of input', async () => {
    const terminal = piped('');
    expect(await terminal.ask()).toBe('rejected');
    expect(await terminal.ask()).toBe('rejected');
    expect(await terminal.approver.session.readLine()).toBeUndefined();
  });

  it('[G19, P12] rejects half a line that the end of input cut off, and leaves it to the chat', async () => {
    const terminal = piped('y');
    expect(await terminal.ask()).toBe('rejected');
    expect(await terminal.ask()).toBe('rejected');
    expect(await terminal.approver.session.readLine()).toBe('y');
    expect(await terminal.approver.session.readLine()).toBeUndefined();
  });

  it('[G19] rejects when the session is interrupted, and again when it is closed', async () => {
    const terminal = new StreamTerminal();
    const first = terminal.ask();
    await terminal.prints('Approve?');
    terminal.approver.session.interrupt();
    expect(await first).toBe('rejected');
    const second = terminal.ask();
    await terminal.prints('Approve?');
    terminal.approver.session.close();
    expect(await second).toBe('rejected');
  });

  it('[G19] rejects when nobody can see the question', async () => {
    const silent = new StreamTerminal();
    silent.output.destroy();
    await new Promise((resolve) => silent.output.once('close', resolve));
    expect(await silent.ask()).toBe('rejected');
    const closed = piped('y\n');
    closed.output.destroy();
    expect(await closed.ask()).toBe('rejected');
    const ended = piped('y\n');
    ended.output.end();
    expect(await ended.ask()).toBe('rejected');
    const breaking = new StreamTerminal();
    const asked = breaking.ask();
    await breaking.prints('Approve?');
    breaking.output.destroy(new Error('broken pipe'));
    breaking.input.write('y\n');
    expect(await asked).toBe('rejected');
  });

  it('[G19] rejects when the input breaks', async () => {
    const terminal = new StreamTerminal();
    const asked = terminal.ask();
    await terminal.prints('Approve?');
    terminal.input.destroy(new Error('gone'));
    expect(await asked).toBe('rejected');
  });

  it('[G19] rejects a request that cannot be shown', async () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const hostile = { ...request(), arguments: cyclic };
    const terminal = piped('y\n');
    const decide = Reflect.apply(terminal.approver.decide, terminal.approver, [
      hostile,
      { signal: new AbortController().signal },
    ]);
    expect(await decide).toBe('rejected');
    expect(await terminal.ask()).toBe('approved');
  });
});
