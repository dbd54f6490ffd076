import type { BaseEvent } from '@ag-ui/core';
import { closeStream } from './close-stream.ts';
import type { Output } from './output.ts';
import type { StrandsEvent, StrandsResult, StrandsStream } from './sdk-events.ts';
import type { Translation } from './translation.ts';
import type { StreamEnd, TranslationEnd } from './translation-end.ts';

type Next = IteratorResult<BaseEvent, TranslationEnd>;
type Detour = AsyncGenerator<BaseEvent, void, undefined>;

const NOTHING: readonly Output[] = [];

/**
 * The events of one translation. Behaves as an async generator and is written by hand, because each generator on the
 * way of an event costs a twentieth of what the whole agent does for it. Ask for one event at a time.
 *
 * It never waits for what hangs: when the signal fires, the pending `next()` goes on to the closing events.
 */
export class EventStream implements AsyncGenerator<BaseEvent, TranslationEnd, undefined> {
  readonly #stream: StrandsStream;
  readonly #translation: Translation;
  readonly #signal: AbortSignal;
  #resolve: (next: Next) => void = () => undefined;
  /** What the last event of the agent asked for, and how much of it is done. */
  #outputs: readonly Output[] = NOTHING;
  #done = 0;
  #source: StrandsEvent | undefined;
  /** The hook that runs. */
  #detour: Detour | undefined;
  #end: StreamEnd | undefined;
  #closing: Iterator<BaseEvent, void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(stream: StrandsStream, translation: Translation, signal: AbortSignal) {
    this.#stream = stream;
    this.#translation = translation;
    this.#signal = signal;
    if (signal.aborted) this.#stop({ type: 'left' });
    else signal.addEventListener('abort', this.#leave, { once: true });
  }

  next(): Promise<Next> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#advance();
    });
  }

  /** Leaves the run: nothing more is sent, and the agent's stream is closed. */
  return(value: TranslationEnd | PromiseLike<TranslationEnd>): Promise<Next> {
    this.#abandon({ type: 'left' });
    return Promise.resolve(value).then((end) => ({ done: true, value: end }));
  }

  throw(error: unknown): Promise<Next> {
    this.#abandon({ type: 'failed', error });
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abandon({ type: 'left' });
    await this.#closed;
  }

  #advance(): void {
    if (this.#end !== undefined) return this.#close(this.#end);
    if (this.#detour !== undefined) return this.#follow(this.#detour);
    try {
      this.#work();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Goes through the outputs to the next event or hook; when none is left, asks the agent. */
  #work(): void {
    while (this.#done < this.#outputs.length) {
      const output = this.#outputs[this.#done++];
      if (output === undefined) continue;
      if (output.type === 'hook') {
        this.#detour = this.#translation.runHook(output);
        return this.#follow(this.#detour);
      }
      const event = this.#translation.perform(output, this.#source);
      if (event !== undefined) return this.#resolve({ done: false, value: event });
    }
    this.#stream.next().then(this.#take, this.#fail);
  }

  #follow(detour: Detour): void {
    detour.next().then((next) => {
      if (this.#end !== undefined) return;
      if (next.done !== true) return this.#resolve(next);
      this.#detour = undefined;
      this.#advance();
    }, this.#fail);
  }

  /** Gives the closing events, then the end. */
  #close(end: StreamEnd): void {
    this.#closing ??= this.#translation.close(end, this.#outputs.slice(this.#done));
    const next = this.#closing.next();
    const over = next.done === true;
    this.#resolve(over ? { done: true, value: this.#summary(end) } : next);
  }

  #summary(end: StreamEnd): TranslationEnd {
    return this.#translation.summary(end, this.#closed ?? Promise.resolve());
  }

  #abandon(end: StreamEnd): void {
    this.#stop(end);
    this.#closing = [].values();
    this.#close(end);
  }

  #stop(end: StreamEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#signal.removeEventListener('abort', this.#leave);
    if (this.#detour !== undefined) void closeStream(this.#detour);
    this.#closed = closeStream(this.#stream);
  }

  // The same functions for every event: a stream has thousands of them.
  readonly #take = (next: IteratorResult<StrandsEvent, StrandsResult>): void => {
    if (this.#end !== undefined) return;
    if (next.done === true) return this.#endWith({ type: 'result', result: next.value });
    try {
      const text = this.#translation.continueText(next.value);
      if (text !== undefined) return this.#resolve({ done: false, value: text });
      this.#source = next.value;
      this.#outputs = this.#translation.outputsOf(next.value);
      this.#done = 0;
      this.#work();
    } catch (error) {
      this.#fail(error);
    }
  };
  readonly #fail = (error: unknown): void => this.#endWith({ type: 'failed', error });
  readonly #leave = (): void => this.#endWith({ type: 'left' });
  readonly #endWith = (end: StreamEnd): void => {
    if (this.#end !== undefined) return;
    this.#stop(end);
    this.#close(end);
  };
}
