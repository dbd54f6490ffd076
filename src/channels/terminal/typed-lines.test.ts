import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { request, StreamTerminal } from '../../../test/e2e/fixtures/terminal-streams.ts';
import { TerminalApprover } from './terminal-approver.ts';

/** A screen that has a question half way up until `goOn` is called. */
class SlowScreen extends Writable {
  readonly isTTY: boolean = true;
  readonly isHalfWay: Promise<void>;
  goOn: () => void = () => undefined;
  readonly #arrive: () => void;

  constructor() {
    super();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.isHalfWay = promise;
    this.#arrive = resolve;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (!chunk.includes('Unlocks the front door')) return done();
    this.goOn = done;
    this.#arrive();
  }
}

// A real terminal is in test/e2e; this one is made of streams, for what a real one does only when it breaks.
describe('a terminal that goes away', () => {
  it('[G19, P11] takes no half line for an answer when the terminal is closed', async () => {
    const terminal = new StreamTerminal({ keys: true });
    const asked = terminal.ask();
    await terminal.prints('Approve?');
    terminal.input.write('y');
    await new Promise((resolve) => setTimeout(resolve, 20));
    terminal.input.end();
    expect(await asked).toBe('rejected');
    expect(await terminal.ask()).toBe('rejected');
    expect(await terminal.approver.session.readLine()).toBeUndefined();
  });

  it('[G19] rejects when the terminal breaks, before and during a question', async () => {
    const terminal = new StreamTerminal({ keys: true });
    const asked = terminal.ask();
    await terminal.prints('Approve?');
    terminal.input.destroy(new Error('read EIO'));
    expect(await asked).toBe('rejected');
    expect(await terminal.ask()).toBe('rejected');
  });

  it('[G19] rejects when the screen goes while somebody types', async () => {
    const terminal = new StreamTerminal({ keys: true });
    const asked = terminal.ask();
    await terminal.prints('Approve?');
    terminal.input.write('y');
    terminal.output.destroy(new Error('write EPIPE'));
    expect(await asked).toBe('rejected');
  });
});

describe('keys', () => {
  it('[P11, P12] takes a character that arrives in two pieces for one', async () => {
    const terminal = new StreamTerminal({ keys: true });
    const { session } = terminal.approver;
    const line = session.readLine({ prompt: 'You: ' });
    const bytes = Buffer.from('güneş\r');
    for (const byte of bytes) terminal.input.write(Buffer.from([byte]));
    expect(await line).toBe('güneş');
  });

  it('[G20] offers chat lines again with the arrow keys, and answers never', async () => {
    const terminal = new StreamTerminal({ keys: true });
    const { session } = terminal.approver;
    const first = session.readLine();
    terminal.input.write('hello\r');
    await first;
    const asked = terminal.ask();
    await terminal.prints('Approve?');
    terminal.input.write('yes\r');
    expect(await asked).toBe('approved');
    const again = session.readLine({ prompt: 'You: ' });
    terminal.input.write('\u001b[A\r');
    expect(await again).toBe('hello');
  });
});

describe('[P11, G20] what is typed while a question is being written', () => {
  it('is no part of the answer, and half a line of it stays for the chat', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const output = new SlowScreen();
    const approver = new TerminalApprover({ input, output });
    const asked = approver.decide(request(), { signal: new AbortController().signal });
    await output.isHalfWay;
    input.write('before\ry');
    await new Promise((resolve) => setTimeout(resolve, 20));
    output.goOn();
    await new Promise((resolve) => setTimeout(resolve, 20));
    input.write('\r');
    expect(await asked).toBe('rejected');
    const { session } = approver;
    expect(await session.readLine()).toBe('before');
    const line = session.readLine();
    input.write('ou there?\r');
    expect(await line).toBe('you there?');
    session.close();
  });
});
