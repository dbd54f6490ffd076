import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { request, StreamTerminal } from '../../../test/e2e/fixtures/terminal-streams.ts';
import { TerminalApprover } from './terminal-approver.ts';

/** Feeds a pipe with everything at once. */
function piped(input: string | Buffer): StreamTerminal {
  const terminal = new StreamTerminal();
  terminal.input.end(input);
  return terminal;
}

describe('lines of a pipe', () => {
  it('[P11] gives each question and each reader the next unread line, however fast they came', async () => {
    const terminal = piped('first\ny\nsecond\nno\nthird\n');
    const { session } = terminal.approver;
    expect(await session.readLine()).toBe('first');
    expect(await terminal.ask()).toBe('approved');
    expect(await session.readLine()).toBe('second');
    expect(await terminal.ask()).toBe('rejected');
    expect(await session.readLine()).toBe('third');
    expect(await session.readLine()).toBeUndefined();
  });

  it('[P11] never breaks a line but at a line break, so that no separator smuggles in an answer', async () => {
    const terminal = piped('chat\u2028y\u2029y\u0085y\vy\fy\ry\nno\n');
    const { session } = terminal.approver;
    expect(await session.readLine()).toBe('chat\u2028y\u2029y\u0085y\vy\fy\ry');
    expect(await terminal.ask()).toBe('rejected');
  });

  it('[P12] reads CRLF and input that is cut anywhere, even inside a character', async () => {
    const bytes = Buffer.from('güneşli\r\nEVET\r\nçok 😀\r\n');
    for (let size = 1; size <= bytes.length; size++) {
      const terminal = new StreamTerminal();
      const { session } = terminal.approver;
      for (let at = 0; at < bytes.length; at += size) terminal.input.write(bytes.subarray(at, at + size));
      terminal.input.end();
      expect([await session.readLine(), await terminal.ask(), await session.readLine()]).toEqual([
        'güneşli',
        'approved',
        'çok 😀',
      ]);
    }
  });

  it('[P12] shows a long question all at once', async () => {
    const terminal = piped('y\n');
    const text = 'abc '.repeat(16_384);
    expect(await terminal.ask({ arguments: { text } })).toBe('approved');
    expect(terminal.printed.replace(/\n {2}┆ /g, '')).toContain(`"text": "${text}"`);
  });

  it('[P12] reads no line of more than 1 MiB, says so, and takes nothing behind it for an answer', async () => {
    const longest = 'x'.repeat(1024 * 1024);
    const terminal = new StreamTerminal();
    const { session } = terminal.approver;
    for (const text of [longest, '\n', `${longest}\ny\n`]) terminal.input.write(text);
    expect(await session.readLine()).toBe(longest);
    expect(await session.readLine()).toBe(longest);
    expect(await terminal.ask()).toBe('approved');
    const asked = terminal.ask();
    terminal.input.write(`${longest}x\ny\ny\n`);
    expect(await asked).toBe('rejected');
    const text =
      'a line of the input is longer than 1048576 characters; nothing from there on was read. Break it into lines';
    expect(terminal.printed).toContain(text);
    const failure = expect.objectContaining({ code: 'line_too_long', message: text });
    await expect(session.readLine()).rejects.toEqual(failure);
    expect(await terminal.ask()).toBe('rejected');
    await expect(session.readLine()).rejects.toEqual(failure);
  });

  it('[P12] reads the lines before one that is too long, and stops an endless one early', async () => {
    const terminal = new StreamTerminal();
    const { session } = terminal.approver;
    let sent = 0;
    const endless = setInterval(() => {
      if (terminal.input.writableNeedDrain) return;
      terminal.input.write(sent === 0 ? 'first\nsecond\n' : 'x'.repeat(16_384));
      sent += 1;
    }, 0);
    onTestFinished(() => clearInterval(endless));
    expect(await session.readLine()).toBe('first');
    expect(await session.readLine()).toBe('second');
    await expect(session.readLine()).rejects.toMatchObject({ code: 'line_too_long' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(sent).toBeLessThan(80);
    expect(terminal.input.isPaused()).toBe(true);
  });

  it('[P12] stops reading while nobody waits for a line', async () => {
    const terminal = new StreamTerminal();
    const { session } = terminal.approver;
    terminal.input.write('one\ntwo\n');
    expect(await session.readLine()).toBe('one');
    for (let i = 0; i < 100; i++) terminal.input.write('x'.repeat(1000));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(terminal.input.isPaused()).toBe(true);
    expect(terminal.input.readableLength).toBeGreaterThan(0);
  });

  it('[G20] leaves half a line to the next reader when a question is withdrawn', async () => {
    const terminal = new StreamTerminal();
    const { session } = terminal.approver;
    const timeout = new AbortController();
    const asked = terminal.ask({}, timeout.signal);
    await terminal.prints('Approve?');
    terminal.input.write('turn on the ');
    timeout.abort(new DOMException('too late', 'TimeoutError'));
    expect(await asked).toBe('timeout');
    expect(terminal.printed).toMatch(/Approve\? \[y\/N\] \nNo answer in time; not approved\.\n$/);
    terminal.input.write('light\n');
    expect(await session.readLine()).toBe('turn on the light');
  });

  it('[G20] returns promptly from a question whose output is stuck', async () => {
    const stuck = new PassThrough({ highWaterMark: 10 });
    const approver = new TerminalApprover({ input: new PassThrough(), output: stuck });
    const withdrawn = new AbortController();
    const asked = approver.decide(request(), { signal: withdrawn.signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    withdrawn.abort();
    expect(await asked).toBe('rejected');
  });

  it('[G20] leaves the next line alone when a read is aborted', async () => {
    const terminal = new StreamTerminal();
    const { session } = terminal.approver;
    const stop = new AbortController();
    const read = session.readLine({ prompt: 'You: ', signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(read).rejects.toThrow('stopped');
    terminal.input.write('y\n');
    expect(await terminal.ask()).toBe('approved');
  });

  it('[G20] returns promptly from a question that is withdrawn before its turn, and asks nothing', async () => {
    const terminal = new StreamTerminal();
    const first = terminal.ask();
    const withdrawn = new AbortController();
    const second = terminal.ask({ effect: 'another one' }, withdrawn.signal);
    withdrawn.abort();
    expect(await second).toBe('rejected');
    expect(await terminal.ask({}, withdrawn.signal)).toBe('rejected');
    terminal.input.write('y\n');
    expect(await first).toBe('approved');
    expect(terminal.printed).not.toContain('another one');
  });
});

describe('several at one terminal', () => {
  it('[P12] asks one question after the other, and the second only when the first is closed', async () => {
    const terminal = new StreamTerminal();
    const both = [terminal.ask({ effect: 'first' }), terminal.ask({ effect: 'another one' })];
    await terminal.prints('Approve?');
    expect(terminal.printed).not.toContain('another one');
    terminal.input.write('no\ny\n');
    expect(await Promise.all(both)).toEqual(['rejected', 'approved']);
    expect(terminal.printed).toMatch(/first[\s\S]*Not approved\.\n\n━━[\s\S]*another one[\s\S]*Approved\.\n$/);
  });

  it('[P12] lets a question go before a chat that waits, and keeps what is printed meanwhile for after it', async () => {
    const terminal = new StreamTerminal();
    const { session } = terminal.approver;
    const line = session.readLine({ prompt: 'You: ' });
    const asked = terminal.ask();
    await terminal.prints('Approve?');
    session.write('Done so far.\n');
    expect(terminal.printed).not.toContain('Done');
    terminal.input.write('y\n');
    expect(await asked).toBe('approved');
    terminal.input.write('hello\n');
    expect(await line).toBe('hello');
    expect(terminal.printed).toMatch(/Approved\.\nDone so far\.\nYou: \n$/);
  });

  it('[P11] shares one reader among all who read the same input', () => {
    const { input, output, approver } = new StreamTerminal();
    const other = new StreamTerminal();
    expect(approver.session).not.toBe(other.approver.session);
    expect(new TerminalApprover({ input, output }).session).toBe(approver.session);
  });
});
