import { describe, expect, it } from 'vitest';
import { request, StreamTerminal } from '../../../test/e2e/fixtures/terminal-streams.ts';
import { layOut } from './layout.ts';
import type { Row } from './question-rows.ts';
import { rowsWithinLimit } from './too-long.ts';

const TOO_LONG = /^Not asked, so not approved: this call of front_door is too long to show \(more than 256,000/m;

describe('what is too long to be read', () => {
  it.each([
    ['a long text', { arguments: { text: 'x'.repeat(1_000_000) } }],
    ['a text that is long once it is escaped', { arguments: { text: '\u202e'.repeat(60_000) } }],
    ['many values', { arguments: { values: Array.from({ length: 200_000 }, () => 1) } }],
    ['a long effect', { effect: 'x'.repeat(300_000) }],
  ])('[G18, G19] %s is rejected, says why and shows nothing of it, whatever is answered', async (_, change) => {
    const pipe = new StreamTerminal();
    pipe.input.end('y\nyes\n');
    expect(await pipe.ask(change)).toBe('rejected');
    expect(pipe.printed).toMatch(TOO_LONG);
    expect(pipe.printed).not.toMatch(/Approve\?|xxx|Arguments/);
  });

  it('[G19] takes the line of a pipe that was meant for it, so that the next question does not', async () => {
    const pipe = new StreamTerminal();
    pipe.input.end('y\nn\ny\n');
    expect(await pipe.ask({ effect: 'x'.repeat(300_000) })).toBe('rejected');
    expect(await pipe.ask()).toBe('rejected');
    expect(await pipe.ask()).toBe('approved');
  });

  it('[G18, G19] is rejected at once on a terminal, and the next question is asked as ever', async () => {
    const terminal = new StreamTerminal({ keys: true, columns: 80, rows: 40, language: 'tr' });
    expect(await terminal.ask({ arguments: 'x'.repeat(1_000_000) })).toBe('rejected');
    expect(terminal.printed).toContain('gösterilemeyecek kadar uzun (256.000 karakterden fazla).\n');
    expect(terminal.printed).not.toMatch(/\[e\/H\]|xxx/);
    const next = terminal.ask();
    await terminal.prints('[');
    terminal.approver.session.interrupt();
    expect(await next).toBe('rejected');
  });

  it('[G18] is only that: the longest question that is asked is asked whole', () => {
    const text = (length: number): unknown => ({ arguments: { text: 'x'.repeat(length) } });
    const shown = (length: number) => rowsWithinLimit(request(text(length) as object), 'en');
    const rows = shown(255_800) ?? [];
    expect(
      layOut(rows, 80)
        .map((line) => line.text)
        .join(''),
    ).toContain('x'.repeat(255_800));
    expect(shown(256_000)).toBeUndefined();
  });

  it('[G18] any number of rows can be laid out', () => {
    const rows = Array.from({ length: 200_000 }, (): Row => ({ type: 'argument', text: '1' }));
    expect(layOut(rows, 80)).toHaveLength(200_000);
  });
});
