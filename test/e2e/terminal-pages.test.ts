import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TerminalProgram } from './fixtures/terminal-program.ts';

const LARGE = { script: 'echo "line"; '.repeat(5042) };
const SCREEN = { columns: 200, rows: 120 };
const ASKED = 'Approve? [y/N]';
const REFUSED = [{ outcome: 'refused' }, { event: 'done' }];

const pagePrompt = (page: number, pages: number): string => `Page ${page} of ${pages}. Enter for the next page`;

/** The arguments, put together again from the marked lines on the screen. */
function shownArguments(text: string): unknown {
  const lines = text.split('\n').flatMap((line) => /^ {2}([│┆]) (.*)$/.exec(line)?.slice(1, 3).join('') ?? []);
  return JSON.parse(lines.join('').replaceAll('┆', '').replaceAll('│', ''));
}

it('[G18, P8] shows an argument of 64 kB page by page and runs the call only after a yes behind the last', async () => {
  const program = new TerminalProgram({ steps: [{ ask: LARGE }] }, SCREEN);
  await program.sees(pagePrompt(1, 4));
  for (const page of [2, 3]) {
    program.type('\r');
    await program.sees(pagePrompt(page, 4));
  }
  expect(program.text).not.toContain(ASKED);
  program.type('\r');
  await program.sees(ASKED);
  program.type('y\r');
  await program.ended();
  expect(shownArguments(program.text)).toEqual(LARGE);
  expect(program.log()).toEqual([{ ran: LARGE }, { outcome: 'success' }, { event: 'done' }]);
});

it('[G18, P8] does not count a yes on an earlier page: nothing runs, and the page is shown again', async () => {
  const program = new TerminalProgram({ steps: [{ ask: LARGE }] }, SCREEN);
  await program.sees(pagePrompt(1, 4));
  program.type('y\r');
  await program.sees('Not counted');
  await program.sees(pagePrompt(1, 4));
  program.type('\r');
  await program.sees(pagePrompt(2, 4));
  program.type('evet\r');
  await program.sees('Not counted');
  await program.sees(pagePrompt(2, 4));
  expect(program.log()).toEqual([]);
  program.type('n\r');
  await program.sees('Not approved.');
  await program.ended();
  expect(program.log()).toEqual(REFUSED);
});

it.each(['n', 'stop', '\u0003', '\u0004'])('[G18, G19] rejects at once for %j on an earlier page', async (keys) => {
  const program = new TerminalProgram({ steps: [{ ask: LARGE }] }, SCREEN);
  await program.sees(pagePrompt(1, 4));
  program.type(keys < ' ' ? keys : `${keys}\r`);
  await program.sees('Not approved.');
  await program.ended();
  expect(program.log()).toEqual(REFUSED);
});

it('[G18, P11] does not turn pages that were not on the screen: a burst of keys runs nothing', async () => {
  const program = new TerminalProgram({ steps: [{ ask: LARGE }, { chat: 'You: ' }] }, SCREEN);
  await program.sees(pagePrompt(1, 4));
  program.type('\r\r\r\ry\ry');
  await program.sees(pagePrompt(2, 4));
  await delay(250);
  expect(program.fresh).not.toContain('Page');
  expect(program.log()).toEqual([]);
  program.type('n\r');
  await program.sees('You: ');
  program.type('hi\r');
  await program.ended();
  expect(program.log()).toEqual([{ outcome: 'refused' }, { chat: 'hi' }, { event: 'done' }]);
});

it('[G18] shows a question again when the screen changes its size, and a yes on what no longer fits does not count', async () => {
  const steps = [{ ask: { list: Array.from({ length: 10 }, (_, i) => `entry ${i}`) } }];
  const program = new TerminalProgram({ steps }, { columns: 80, rows: 40 });
  await program.sees(ASKED);
  program.type('y');
  program.resize(40, 14);
  await program.sees('1/3 · Enter');
  await program.sees('y');
  program.type('\r');
  await program.sees('Not counted');
  await program.sees('1/3 · Enter');
  program.type('\r');
  await program.sees('2/3 · Enter');
  program.resize(80, 40);
  await program.sees('entry 9');
  await program.sees(ASKED);
  program.type('y\r');
  await program.sees('Approved.');
  await program.ended();
  expect(program.log().map((entry) => Object.keys(entry)[0])).toEqual(['ran', 'outcome', 'event']);
});

it('[G18] counts no yes that was pressed while the screen was changing its size', async () => {
  const steps = [{ ask: { list: Array.from({ length: 10 }, (_, i) => `entry ${i}`) } }];
  const program = new TerminalProgram({ steps }, { columns: 80, rows: 40 });
  await program.sees(ASKED);
  program.resize(40, 14);
  await delay(40);
  program.type('y\r');
  await program.sees('1/3 · Enter');
  await delay(250);
  expect(program.log()).toEqual([]);
  program.type('n\r');
  await program.ended();
  expect(program.log()).toEqual(REFUSED);
});
