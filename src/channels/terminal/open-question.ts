import { styleText } from 'node:util';
import type { LineSource } from './line-source.ts';
import { isGone, print } from './printer.ts';
import type { LineRequest, QuestionScreen, Reply, Style } from './question-screen.ts';
import type { Received } from './received.ts';
import { type ScreenSize, screenSize, type TerminalOutput } from './streams.ts';

/** A resize is a burst of events; the question is shown again when the burst is over. */
const RESIZE_MS = 120;

/** What a question leaves to whoever reads next. */
export interface Remains {
  /** Half a line that was typed for the chat. */
  readonly draft: string;
  /** What arrived after the answer. */
  readonly late: readonly Received[];
}

interface Waiting {
  readonly request: LineRequest;
  readonly resolve: (reply: Reply) => void;
  resizing: NodeJS.Timeout | undefined;
}

/** The question that owns the terminal now: decides which input answers it and which belongs to somebody else. */
export class OpenQuestion implements QuestionScreen {
  readonly #source: LineSource;
  readonly #output: TerminalOutput;
  /** The next line that a pipe has delivered and nobody has read, or the end of the input. */
  readonly #nextUnread: () => Received | undefined;
  #waiting: Waiting | undefined;
  #shown = false;
  #draft = '';
  #typed = '';
  #late: Received[] = [];

  constructor(source: LineSource, output: TerminalOutput, nextUnread: () => Received | undefined) {
    this.#source = source;
    this.#output = output;
    this.#nextUnread = nextUnread;
  }

  async ask(request: LineRequest): Promise<Reply> {
    const problem = await this.#show(request);
    if (problem !== undefined) return problem;
    request.onShown?.();
    const unread = this.#nextUnread();
    const reply = unread === undefined ? await this.#read(request) : this.#readUnread(request, unread);
    const cursorMoved = reply.type === 'line' && this.#source.interactive;
    if (!cursorMoved) this.print('\n');
    return reply;
  }

  get shown(): boolean {
    return this.#shown;
  }

  get paged(): boolean {
    return this.#source.interactive;
  }

  get size(): ScreenSize {
    return screenSize(this.#output);
  }

  readonly style = (format: Style, text: string): string =>
    text === '' ? '' : styleText(format, text, { stream: this.#output });

  print(text: string): void {
    print(this.#output, text).catch(() => undefined);
  }

  /** Takes what the input delivered, if it is for this question; the chat gets what came before it was shown. */
  receive(item: Received): boolean {
    if (!this.#shown) return false;
    if (this.#waiting === undefined && !this.#source.interactive) return false;
    if (this.#waiting === undefined) this.#late.push(item);
    else this.#settle(this.#waiting, item);
    return true;
  }

  /** The program was stopped and goes on: what other programs printed meanwhile may have pushed the question away. */
  wake(): void {
    if (this.#waiting !== undefined) this.#reply(this.#waiting, { type: 'stale' });
  }

  /** Lets go of the terminal. */
  finish(): Remains {
    return { draft: this.#draft + this.#source.take(), late: this.#late };
  }

  async #show(request: LineRequest): Promise<Reply | undefined> {
    const { signal } = request;
    if (await abortedBefore(this.#source.settle(), signal)) return { type: 'abort' };
    const special = this.#late.find(({ type }) => type !== 'line');
    this.#dropTypedAhead();
    if (special !== undefined) return { type: special.type === 'interrupt' ? 'interrupt' : 'end' };
    try {
      if (await abortedBefore(print(this.#output, this.#plain() + request.text), signal)) return { type: 'abort' };
    } catch {
      return { type: 'end' };
    }
    this.#dropTypedAhead();
    this.#shown = true;
    return undefined;
  }

  /** Ends colours and hidden text that earlier output may have left switched on. */
  #plain(): string {
    return this.#output.isTTY === true ? '\u001b[0m' : '';
  }

  /** What was typed before the question is kept for the chat; what was typed before a later page is for nobody. */
  #dropTypedAhead(): void {
    const typed = this.#source.take();
    if (!this.#shown) this.#draft += typed;
    this.#late = [];
  }

  #readUnread(request: LineRequest, unread: Received): Reply {
    this.print(request.prompt);
    return this.#replyTo(unread);
  }

  async #read(request: LineRequest): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const waiting: Waiting = { request, resolve, resizing: undefined };
    const onAbort = (): void => this.#reply(waiting, { type: 'abort' });
    const onGone = (): void => this.#reply(waiting, { type: 'end' });
    const onResize = (): void => this.#onResize(waiting);
    this.#waiting = waiting;
    request.signal.addEventListener('abort', onAbort, { once: true });
    this.#output.on('close', onGone);
    this.#output.on('resize', onResize);
    try {
      this.#source.prompt(request.prompt, this.#typed, false);
      this.#typed = '';
      return await promise;
    } finally {
      clearTimeout(waiting.resizing);
      request.signal.removeEventListener('abort', onAbort);
      this.#output.off('close', onGone);
      this.#output.off('resize', onResize);
    }
  }

  #settle(waiting: Waiting, item: Received): void {
    const unseen = waiting.resizing !== undefined && waiting.request.stale();
    this.#reply(waiting, item.type === 'line' && unseen ? { type: 'stale' } : this.#replyTo(item));
  }

  /** Nobody answers a question that cannot be seen any more. */
  #replyTo(item: Received): Reply {
    if (item.type === 'interrupt') return { type: 'interrupt' };
    if (item.type === 'end' || isGone(this.#output)) return { type: 'end' };
    return { type: 'line', text: item.text };
  }

  #onResize(waiting: Waiting): void {
    clearTimeout(waiting.resizing);
    waiting.resizing = setTimeout(() => {
      waiting.resizing = undefined;
      if (waiting.request.stale()) this.#reply(waiting, { type: 'stale' });
    }, RESIZE_MS);
  }

  /** Ends the wait at once, so that what follows in the same burst of input is not taken for part of the answer. */
  #reply(waiting: Waiting, reply: Reply): void {
    if (this.#waiting !== waiting) return;
    this.#waiting = undefined;
    const typed = this.#source.take();
    if (reply.type === 'abort') this.#draft += typed;
    if (reply.type === 'stale') this.#typed = typed;
    waiting.resolve(reply);
  }
}

/** Waits for `work`; `true` when the signal fired first. */
async function abortedBefore(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return true;
  }
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, aborted]);
    return signal.aborted;
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
}
