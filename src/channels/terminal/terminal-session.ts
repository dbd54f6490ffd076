import type { TauError } from '../../core/errors.ts';
import { escapeText } from '../../core/escape.ts';
import { KeyedQueue } from '../../core/serial.ts';
import type { LineEvents, LineSource } from './line-source.ts';
import { OpenQuestion } from './open-question.ts';
import { PipedLines } from './piped-lines.ts';
import { isGone, survive } from './printer.ts';
import type { QuestionScreen } from './question-screen.ts';
import type { Received } from './received.ts';
import type { TerminalInput, TerminalOutput } from './streams.ts';
import { TypedLines } from './typed-lines.ts';

/** The streams of one terminal. */
export interface TerminalStreams {
  /** Default `process.stdin`. */
  readonly input?: TerminalInput;
  /** Default `process.stdout`. */
  readonly output?: TerminalOutput;
}

/** How one line is read. */
export interface ReadLineOptions {
  /** Shown before what the person types. */
  readonly prompt?: string;
  /** Stops reading; what was half typed stays for whoever reads next. */
  readonly signal?: AbortSignal;
}

interface Reader {
  readonly prompt: string;
  readonly resolve: (line: string | undefined) => void;
  readonly reject: (error: TauError) => void;
}

/**
 * The one reader of a terminal: the chat loop and the approver read through the same session, so that no line is lost
 * between them and each line goes to the one it was typed for.
 *
 * Nothing is read before the first `readLine` or question. On a terminal the keys are then read in raw mode until
 * `close`: what is typed while nobody reads is kept, unseen, and shown by the next `readLine`. An idle session does
 * not keep the process alive.
 */
export class TerminalSession {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  readonly #questions = new KeyedQueue();
  readonly #interruptListeners = new Set<() => void>();
  readonly #unread: Received[] = [];
  readonly #readers: Reader[] = [];
  #held = '';
  #source: LineSource | undefined;
  #question: OpenQuestion | undefined;
  #prompted: Reader | undefined;
  #ended = false;
  /** Why nothing more is read, where the input has not ended. */
  #failure: TauError | undefined;

  constructor(streams: TerminalStreams = {}) {
    this.input = streams.input ?? process.stdin;
    this.output = streams.output ?? process.stdout;
  }

  /** The session of an input, made when there is none: two sessions over one input would steal each other's lines. */
  static shared(streams: TerminalStreams = {}): TerminalSession {
    const input = streams.input ?? process.stdin;
    const session = sessions.get(input) ?? new TerminalSession(streams);
    sessions.set(input, session);
    return session;
  }

  /** Whether a person types at a terminal, rather than a pipe or a file that delivers lines. */
  get interactive(): boolean {
    return this.input.isTTY === true;
  }

  /**
   * Reads the next line: one that was typed before, or the next one. A question that comes up meanwhile goes first;
   * the prompt and what was half typed come back after it.
   *
   * @returns The line without its line break, or `undefined` at the end of input (and for Ctrl-D on an empty line,
   * after which a terminal can still be read).
   * @throws The reason of `signal`, when it fires first. TauError with code `line_too_long` where a pipe or a file has a
   *   line of more than 1 MiB: nothing from there on is read, and a question that waits is rejected.
   */
  async readLine(options: ReadLineOptions = {}): Promise<string | undefined> {
    const { prompt = '', signal } = options;
    signal?.throwIfAborted();
    this.#open();
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const reader: Reader = { prompt, resolve, reject };
    const onAbort = (): void => {
      this.#leave(reader);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#readers.push(reader);
    this.#serve();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Prints without getting into a question: while one is open, the text waits until it is closed. */
  write(text: string): void {
    if (this.#question !== undefined) {
      this.#held += text;
      return;
    }
    this.#hidePrompt();
    if (!isGone(this.output)) this.output.write(text);
    this.#serve();
  }

  /**
   * Calls `listener` for Ctrl-C outside of questions (inside one it rejects the question). With no listener, Ctrl-C
   * sends SIGINT to this process, as it does without a session.
   *
   * @returns Undoes it.
   */
  onInterrupt(listener: () => void): () => void {
    const own = (): void => listener();
    this.#interruptListeners.add(own);
    return () => void this.#interruptListeners.delete(own);
  }

  /** Does what Ctrl-C does; for a SIGINT that came another way, as it does when the input is a pipe. */
  interrupt(): void {
    this.#receive({ type: 'interrupt' });
  }

  /**
   * Owns the terminal until `use` settles; questions wait for each other. For approvers.
   *
   * @returns What `use` returned, or `undefined` when `signal` fired before its turn came.
   */
  async question<T>(signal: AbortSignal, use: (screen: QuestionScreen) => Promise<T>): Promise<T | undefined> {
    const release = await this.#questions.acquire('', signal);
    if (release === undefined) return undefined;
    try {
      const source = this.#open();
      this.#question = new OpenQuestion(source, this.output, () => this.#nextUnread());
      return await use(this.#question);
    } finally {
      this.#closeQuestion();
      release();
    }
  }

  /** Gives the terminal back as it was. Readers get `undefined`, an open question is rejected. */
  close(): void {
    this.#source?.close();
    this.#events.end(true, '');
    if (sessions.get(this.input) === this) sessions.delete(this.input);
  }

  readonly #events: LineEvents = {
    line: (text) => this.#receive({ type: 'line', text, whole: true }),
    interrupt: () => this.#receive({ type: 'interrupt' }),
    wake: () => this.#question?.wake(),
    end: (final, rest, failure) => {
      this.#ended ||= final;
      this.#failure ??= failure;
      if (failure !== undefined && this.#question !== undefined) this.#held += `${failure.message}\n`;
      if (rest !== '') this.#unread.push({ type: 'line', text: rest, whole: false });
      if (!final) this.#receive({ type: 'end' });
      else this.#question?.receive({ type: 'end' });
      this.#serve();
    },
  };

  #open(): LineSource {
    if (this.#source !== undefined) return this.#source;
    survive(this.output);
    this.#source = this.interactive
      ? new TypedLines(this.input, this.output, this.#events)
      : new PipedLines(this.input, this.output, this.#events);
    this.#source.rest('');
    return this.#source;
  }

  #receive(item: Received): void {
    if (this.#question?.receive(item) === true) return;
    if (item.type === 'interrupt') return this.#interrupt();
    this.#unread.push(item);
    this.#serve();
  }

  #interrupt(): void {
    if (this.#interruptListeners.size === 0) process.kill(process.pid, 'SIGINT');
    for (const listener of this.#interruptListeners) listener();
  }

  /** Gives the readers what there is, and shows the prompt of the first one that has to wait. */
  #serve(): void {
    if (this.#question !== undefined) return;
    while (this.#readers.length > 0 && (this.#unread.length > 0 || this.#ended || isGone(this.output))) this.#deliver();
    const [reader] = this.#readers;
    if (reader !== undefined && reader === this.#prompted) return;
    this.#prompted = reader;
    const draft = this.#source?.take() ?? '';
    if (reader === undefined) this.#source?.rest(draft);
    else this.#source?.prompt(reader.prompt, draft, true);
  }

  #deliver(): void {
    const reader = this.#readers.shift();
    const item = this.#unread.shift();
    const wasPrompted = reader === this.#prompted;
    if (wasPrompted) this.#prompted = undefined;
    const line = item?.type === 'line' ? item.text : undefined;
    this.output.write(this.#transcript(reader?.prompt ?? '', line, wasPrompted));
    if (item === undefined && this.#failure !== undefined) reader?.reject(this.#failure);
    else reader?.resolve(line);
  }

  /** What is still to be printed of prompt, line and line break, so that the screen reads as if it had been typed now. */
  #transcript(prompt: string, line: string | undefined, wasPrompted: boolean): string {
    if (wasPrompted) return this.interactive && line !== undefined ? '' : '\n';
    if (line === undefined) return '';
    return this.interactive ? `${prompt}${escapeText(line)}\n` : `${prompt}\n`;
  }

  #leave(reader: Reader): void {
    const index = this.#readers.indexOf(reader);
    if (index >= 0) this.#readers.splice(index, 1);
    if (reader === this.#prompted) this.#hidePrompt();
    this.#serve();
  }

  /** Leaves the line of a visible prompt; what was half typed there stays in the input. */
  #hidePrompt(): void {
    if (this.#prompted === undefined) return;
    this.#prompted = undefined;
    this.#source?.rest(this.#source.take());
    this.output.write('\n');
  }

  /** What a question finds in the input already: of a pipe the next line, and nothing of what was typed before it. */
  #nextUnread(): Received | undefined {
    const [next] = this.#unread;
    if (!this.interactive && next?.type === 'line' && next.whole) return this.#unread.shift();
    return this.#ended ? { type: 'end' } : undefined;
  }

  #closeQuestion(): void {
    const remains = this.#question?.finish();
    this.#question = undefined;
    this.#prompted = undefined;
    this.#source?.rest(remains?.draft ?? '');
    if (this.#held !== '' && !isGone(this.output)) this.output.write(this.#held);
    this.#held = '';
    for (const item of remains?.late ?? []) this.#receive(item);
    this.#serve();
  }
}

const sessions = new WeakMap<TerminalInput, TerminalSession>();
