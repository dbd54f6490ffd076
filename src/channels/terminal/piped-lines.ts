import { TauError } from '../../core/errors.ts';
import type { LineEvents, LineSource } from './line-source.ts';
import type { TerminalInput, TerminalOutput } from './streams.ts';

/** The longest line that is read, in characters. */
const MAX_LINE = 1024 * 1024;

const TOO_LONG = `a line of the input is longer than ${MAX_LINE} characters; nothing from there on was read. Break it into lines`;

/**
 * Lines of a pipe or a file. Reads only while somebody waits for a line, and no line of more than 1 MiB, so that an
 * endless pipe fills no memory.
 */
export class PipedLines implements LineSource {
  readonly interactive: boolean = false;
  readonly #input: TerminalInput;
  readonly #output: TerminalOutput;
  readonly #events: LineEvents;
  readonly #decoder = new TextDecoder();
  #buffer = '';
  #ended = false;

  constructor(input: TerminalInput, output: TerminalOutput, events: LineEvents) {
    this.#input = input;
    this.#output = output;
    this.#events = events;
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    input.on('error', this.#onEnd);
    input.pause();
  }

  prompt(text: string): void {
    this.#output.write(text);
    if (this.#input.readableEnded || this.#input.destroyed) this.#onEnd();
    else if (!this.#ended) this.#input.resume();
  }

  take(): string {
    return '';
  }

  rest(): void {
    this.#input.pause();
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    this.#ended = true;
    this.#input.pause();
    this.#input.off('data', this.#onData);
    this.#input.off('end', this.#onEnd);
    this.#input.off('close', this.#onEnd);
    this.#input.off('error', this.#onEnd);
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const lines = (typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true })).split('\n');
    lines[0] = this.#buffer + lines[0];
    const tooLong = lines.findIndex(({ length }) => length > MAX_LINE);
    this.#buffer = tooLong === -1 ? (lines.pop() ?? '') : '';
    const whole = tooLong === -1 ? lines : lines.slice(0, tooLong);
    for (const line of whole) this.#events.line(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (tooLong !== -1) this.#fail();
  };

  /** What comes behind a line that nobody has read must not be taken for something else. */
  #fail(): void {
    this.close();
    this.#events.end(true, '', new TauError('line_too_long', TOO_LONG));
  }

  readonly #onEnd = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    const rest = this.#buffer + this.#decoder.decode();
    this.#buffer = '';
    this.#events.end(true, rest);
  };
}
