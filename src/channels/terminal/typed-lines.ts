import { createInterface, type Interface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Echo } from './echo.ts';
import type { LineEvents, LineSource } from './line-source.ts';
import type { TerminalInput, TerminalOutput } from './streams.ts';

/** Input counts as settled when nothing came for this long … */
const QUIET_MS = 60;

/** … and at the latest after this long, or somebody who leans on a key would hold up every question. */
const SETTLE_MS = 1000;

/**
 * Lines typed at a terminal, with editing and history.
 *
 * The terminal stays in raw mode for the whole session: only then is half a line known before Enter, so that it can
 * be taken out of the way of a question and put back afterwards.
 */
export class TypedLines implements LineSource {
  readonly interactive: boolean = true;
  readonly #input: TerminalInput;
  readonly #events: LineEvents;
  readonly #echo: Echo;
  #readline: Interface | undefined;
  #history: string[] = [];
  #remember = true;
  #ended = false;

  constructor(input: TerminalInput, output: TerminalOutput, events: LineEvents) {
    this.#input = input;
    this.#events = events;
    this.#echo = new Echo(output);
    input.on('error', this.#onGone);
    input.on('close', this.#onGone);
    if (this.#gone()) queueMicrotask(this.#onGone);
    else this.#open();
  }

  prompt(text: string, draft: string, remember: boolean): void {
    if (this.#readline === undefined) return;
    this.take();
    this.#remember = remember;
    this.#input.ref?.();
    this.#echo.visible = true;
    this.#readline.setPrompt(text);
    this.#readline.prompt();
    if (draft !== '') this.#readline.write(draft);
  }

  take(): string {
    const readline = this.#readline;
    if (readline === undefined) return '';
    const draft = readline.line;
    readline.write(null, { ctrl: true, name: 'e' });
    this.#echo.visible = false;
    readline.setPrompt('');
    readline.write(null, { ctrl: true, name: 'u' });
    return draft;
  }

  rest(draft: string): void {
    this.take();
    this.#remember = true;
    if (draft !== '') this.#readline?.write(draft);
    this.#input.unref?.();
  }

  async settle(): Promise<void> {
    let last = performance.now();
    const onData = (): void => {
      last = performance.now();
    };
    const latest = last + SETTLE_MS;
    this.#input.on('data', onData);
    try {
      do await delay(QUIET_MS);
      while (performance.now() - last < QUIET_MS - 5 && performance.now() < latest);
    } finally {
      this.#input.off('data', onData);
    }
  }

  close(): void {
    const readline = this.#readline;
    this.#readline = undefined;
    this.#ended = true;
    this.#input.off('error', this.#onGone);
    this.#input.off('close', this.#onGone);
    readline?.close();
    this.#echo.detach();
  }

  #open(): void {
    const readline = createInterface({
      input: this.#input,
      output: this.#echo,
      terminal: true,
      history: [...this.#history],
      prompt: '',
    });
    this.#readline = readline;
    readline.on('line', (line) => this.#onLine(line));
    readline.on('error', this.#onGone);
    readline.on('SIGINT', () => this.#events.interrupt());
    readline.on('SIGCONT', () => this.#onWake(readline));
    readline.on('history', (history) => this.#onHistory(history));
    readline.on('close', () => this.#onClose(readline));
  }

  /** At the end of input `readline` passes off half a line as a whole one: "y" and a closed window are no yes. */
  #onLine(line: string): void {
    if (this.#gone()) this.#onGone();
    else this.#events.line(line);
  }

  /** `readline` is paused after Ctrl-Z and comes back to its prompt by itself. */
  #onWake(readline: Interface): void {
    readline.resume();
    setImmediate(() => this.#events.wake());
  }

  /** An answer to a question is not something to offer again with the arrow keys. */
  #onHistory(history: string[]): void {
    if (this.#remember) this.#history = [...history];
    else history.splice(0, history.length, ...this.#history);
  }

  /** `readline` ends for good on Ctrl-D; the terminal does not. */
  #onClose(readline: Interface): void {
    if (this.#readline !== readline) return;
    this.#readline = undefined;
    if (this.#gone()) return this.#onGone();
    this.#open();
    this.#events.end(false, '');
  }

  #gone(): boolean {
    return this.#input.readableEnded || this.#input.destroyed;
  }

  readonly #onGone = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.end(true, '');
  };
}
