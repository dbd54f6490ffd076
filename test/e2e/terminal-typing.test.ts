import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TerminalProgram } from './fixtures/terminal-program.ts';

const ASKED = 'Approve? [y/N]';
const DOOR = { door: 'front' };
const RAN = { ran: DOOR };
const SUCCESS = { outcome: 'success' };
const REFUSED = { outcome: 'refused' };
const DONE = { event: 'done' } as const;

/** Long enough for a program to do what it must not do. */
const A_WHILE = 250;

describe('an answer', () => {
  it('[G19, P12] runs the call after EVET and Enter, and the program ends by itself', async () => {
    const program = new TerminalProgram({ steps: [{ ask: DOOR }] });
    await program.sees(ASKED);
    program.type('EVET\r');
    await program.sees('Approved.');
    expect(await program.ended()).toBe(0);
    expect(program.log()).toEqual([RAN, SUCCESS, DONE]);
  });

  it('[G19] runs nothing after "yes please"', async () => {
    const program = new TerminalProgram({ steps: [{ ask: DOOR }] });
    await program.sees(ASKED);
    program.type('yes please\r');
    await program.sees('Not approved.');
    await program.ended();
    expect(program.log()).toEqual([REFUSED, DONE]);
  });

  it('[P11] is nothing until Enter: a stray y waits, and can be taken back', async () => {
    const program = new TerminalProgram({ steps: [{ ask: DOOR }] });
    await program.sees(ASKED);
    program.type('y');
    await delay(A_WHILE);
    expect(program.log()).toEqual([]);
    program.type('\u007f\r');
    await program.ended();
    expect(program.log()).toEqual([REFUSED, DONE]);
  });

  it('[G19] is no for Ctrl-D, and the chat goes on', async () => {
    const program = new TerminalProgram({ steps: [{ ask: DOOR }, { chat: 'You: ' }] });
    await program.sees(ASKED);
    program.type('\u0004');
    await program.sees('Not approved.');
    await program.sees('You: ');
    program.type('still here\r');
    await program.ended();
    expect(program.log()).toEqual([REFUSED, { chat: 'still here' }, DONE]);
  });

  it('[G19] is no for Ctrl-C, which ends nothing else; outside of questions the chat is told', async () => {
    const program = new TerminalProgram({ steps: [{ ask: DOOR }, { chat: 'You: ' }] });
    await program.sees(ASKED);
    program.type('y\u0003');
    await program.sees('Not approved.');
    await program.sees('You: ');
    expect(program.log()).toEqual([REFUSED]);
    program.type('\u0003');
    await program.logs({ event: 'interrupt' });
    program.type('go on\r');
    await program.ended();
    expect(program.log()).toEqual([REFUSED, { event: 'interrupt' }, { chat: 'go on' }, DONE]);
  });

  it('[G19] is no when the window is closed behind a half-typed y', async () => {
    const program = new TerminalProgram({ survivesHangup: true, steps: [{ ask: DOOR }, { chat: 'You: ' }] });
    await program.sees(ASKED);
    program.type('y');
    await delay(A_WHILE);
    program.hangUp();
    await program.logs(DONE);
    expect(program.log()).toEqual([REFUSED, { chat: null }, DONE]);
  });
});

describe('typing meant for something else', () => {
  it('[P11] answers nothing when it came before the question, and stays for the chat', async () => {
    const steps = [
      { chat: 'You: ' },
      { wait: 600, busy: true },
      { ask: DOOR },
      { chat: 'You: ' },
      { chat: 'You: ' },
    ] as const;
    const program = new TerminalProgram({ steps });
    await program.sees('You: ');
    program.type('hi\r');
    await program.logs({ chat: 'hi' });
    program.type('yes\ry\r');
    await program.sees(ASKED);
    await delay(A_WHILE);
    expect(program.log()).toEqual([{ chat: 'hi' }]);
    program.type('n\r');
    await program.ended();
    expect(program.log()).toEqual([{ chat: 'hi' }, REFUSED, { chat: 'yes' }, { chat: 'y' }, DONE]);
    expect(program.text).toContain('You: yes\nYou: y\n');
  });

  it('[P11] answers nothing when it came before the program had read anything', async () => {
    const program = new TerminalProgram({ steps: [{ ask: DOOR }, { chat: 'You: ' }] });
    program.type('y\r');
    await program.sees(ASKED);
    await delay(A_WHILE);
    expect(program.log()).toEqual([]);
    program.type('\r');
    await program.ended();
    expect(program.log()).toEqual([REFUSED, { chat: 'y' }, DONE]);
  });

  it('[P11, G20] keeps half a line out of the answer and gives it back to the chat', async () => {
    const steps = [{ chat: 'You: ' }, { wait: 400 }, { ask: DOOR }, { chat: 'You: ' }] as const;
    const program = new TerminalProgram({ steps });
    await program.sees('You: ');
    program.type('hi\r');
    await program.logs({ chat: 'hi' });
    program.type('ye');
    await program.sees(ASKED);
    program.type('s\r');
    await program.sees('Not approved.');
    await program.sees('You: ye');
    program.type('llow\r');
    await program.ended();
    expect(program.log()).toEqual([{ chat: 'hi' }, REFUSED, { chat: 'yellow' }, DONE]);
  });

  it('[P11] answers only the question that is on the screen: the rest of a burst goes to the chat', async () => {
    const program = new TerminalProgram({ steps: [{ askTogether: [{ n: 1 }, { n: 2 }] }, { chat: 'You: ' }] });
    await program.sees(ASKED);
    program.type('y\ry\rye');
    await program.sees('Approved.');
    await program.sees(ASKED);
    await delay(A_WHILE);
    expect(program.log()).toEqual([{ ran: { n: 1 } }, SUCCESS]);
    program.type('s\r');
    await program.sees('Not approved.');
    await program.ended();
    expect(program.log()).toEqual([{ ran: { n: 1 } }, SUCCESS, REFUSED, { chat: 'y' }, DONE]);
  });

  it('[G20] goes on in the chat when time runs out in the middle of it', async () => {
    const steps = [{ ask: DOOR }, { chat: 'You: ' }] as const;
    const program = new TerminalProgram({ timeoutSeconds: 1.5, steps });
    await program.sees(ASKED);
    program.type('turn on the lamp');
    await program.sees('You: turn on the lamp');
    program.type('\u007f\u007f\u007f\u007flight\r');
    await program.ended();
    expect(program.log()).toEqual([REFUSED, { chat: 'turn on the light' }, DONE]);
    expect(program.text).toContain(`${ASKED} turn on the lamp\n`);
  });

  it('[G20] is not lost when a question comes up in the middle of a chat line', async () => {
    const program = new TerminalProgram({ steps: [{ chat: 'You: ', asking: DOOR }] });
    await program.sees('You: ');
    program.type('hel');
    await program.sees(ASKED);
    program.type('y\r');
    await program.sees('Approved.');
    await program.sees('You: hel');
    program.type('lo\r');
    await program.ended();
    expect(program.log()).toEqual([RAN, SUCCESS, { chat: 'hello' }, DONE]);
  });
});

it('[P12] asks two questions of one terminal one after the other', async () => {
  const program = new TerminalProgram({ steps: [{ askTogether: [{ n: 1 }, { n: 2 }] }] });
  await program.sees(ASKED);
  await delay(A_WHILE);
  expect(program.text).toContain('"n": 1');
  expect(program.text).not.toContain('"n": 2');
  program.type('n\r');
  await program.sees('Not approved.');
  await program.sees('"n": 2');
  await program.sees(ASKED);
  program.type('y\r');
  await program.ended();
  expect(program.log()).toEqual([REFUSED, { ran: { n: 2 } }, SUCCESS, DONE]);
});
