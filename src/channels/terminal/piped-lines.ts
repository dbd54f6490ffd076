import type { LineEvents, LineSource } from './line-source.ts';
import type { TerminalInput, TerminalOutput } from './streams.ts';

/** Lines of a pipe or a file. Reads only while somebody waits for a line, so that an endless pipe fills no memory. */
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
    else this.#input.resume();
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
    this.#buffer += typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true });
    if (!this.#buffer.includes('\n')) return;
    const lines = this.#buffer.split('\n');
    this.#buffer = lines.pop() ?? '';
    for (const line of lines) this.#events.line(line.endsWith('\r') ? line.slice(0, -1) : line);
  };

  readonly #onEnd = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    const rest = this.#buffer + this.#decoder.decode();
    this.#buffer = '';
    this.#events.end(true, rest);
  };
}
