import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { prepare, type Run } from './fixtures/terminal-program.ts';
import type { Entry, Plan } from './fixtures/terminal-question.ts';

const DOOR = { door: 'front' };
const REFUSED = { outcome: 'refused' };
const SUCCESS = { outcome: 'success' };
const DONE = { event: 'done' };

interface Piped extends Run {
  readonly child: ChildProcess;
}

function start(plan: Plan): Piped {
  const run = prepare(plan);
  return { ...run, child: spawn(process.execPath, run.args, { env: run.env, stdio: ['pipe', 'pipe', 'inherit'] }) };
}

/** Runs a plan with this on its standard input, and answers what was written down and printed. */
async function pipe(plan: Plan, input: string): Promise<{ log: readonly Entry[]; printed: string }> {
  const { child, log } = start(plan);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stdin?.end(input);
  await once(child, 'close');
  return { log: log(), printed };
}

it('[P11, P12] gives a chat and questions the lines of a pipe in their order, all sent at once', async () => {
  const steps = [{ chat: 'You: ' }, { ask: DOOR }, { chat: 'You: ' }, { ask: DOOR }, { chat: 'You: ' }, { ask: DOOR }];
  const { log, printed } = await pipe({ steps }, 'open it\r\nEVET\r\nagain\r\nyes please\r\n');
  expect(log).toEqual([
    { chat: 'open it' },
    { ran: DOOR },
    SUCCESS,
    { chat: 'again' },
    REFUSED,
    { chat: null },
    REFUSED,
    DONE,
  ]);
  expect(printed).not.toContain('\u001b');
});

it('[G19, P12] runs nothing when the input is empty or ends in the middle of a line', async () => {
  expect((await pipe({ steps: [{ ask: DOOR }] }, '')).log).toEqual([REFUSED, DONE]);
  expect((await pipe({ steps: [{ ask: DOOR }] }, 'y')).log).toEqual([REFUSED, DONE]);
});

it('[G19, P12] runs nothing when the output is closed, and does not fall over', async () => {
  const { child, log } = start({ steps: [{ wait: 300 }, { ask: DOOR }, { ask: DOOR }] });
  child.stdout?.destroy();
  child.stdin?.end('y\ny\n');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(log()).toEqual([REFUSED, REFUSED, DONE]);
});

it('[G20, P12] leaves the line that comes after a timeout to the chat', async () => {
  const { child, log } = start({ timeoutSeconds: 0.5, steps: [{ ask: DOOR }, { chat: 'You: ' }] });
  child.stdin?.write('y');
  await once(child.stdout ?? child, 'data');
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes('You: ')) child.stdin?.end('es\n');
  }
  expect(log()).toEqual([REFUSED, { chat: 'yes' }, DONE]);
});
