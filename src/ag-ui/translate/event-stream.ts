import type { BaseEvent } from '@ag-ui/core';
import { closeStream } from './close-stream.ts';
import type { TranslateOptions } from './options.ts';
import type { Output } from './output.ts';
import type { StrandsEvent, StrandsResult, StrandsStream } from './sdk-events.ts';
import type { Translation } from './translation.ts';
import type { StreamEnd, TranslationEnd } from './translation-end.ts';

type Detour = AsyncGenerator<BaseEvent, void, undefined>;

const NOTHING: readonly Output[] = [];
const NO_EVENTS: readonly BaseEvent[] = [];

/** Who takes the events of a stream, one for each time that it pulls. */
export interface EventTaker {
  take(event: BaseEvent): void;
  /** The stream has ended. */
  over(): void;
}

/**
 * The events of one translation. Written by hand and without a promise for each event: an async generator on the way of
 * an event costs a twentieth of what the whole agent does for it.
 *
 * It never waits for what hangs: when the signal fires, it goes on to the closing events.
 */
export class EventStream {
  /** How it ended; settles when the last event has been taken. */
  readonly ended: Promise<TranslationEnd>;
  readonly #stream: StrandsStream;
  readonly #translation: Translation;
  readonly #signal: AbortSignal;
  readonly #cancel: () => void;
  readonly #leaveAgent: TranslateOptions['leave'];
  readonly #settle: (end: TranslationEnd) => void;
  /** Who waits for an event. */
  #taker: EventTaker | undefined;
  /** What the last event of the agent asked for, and how much of it is done. */
  #outputs: readonly Output[] = NOTHING;
  #done = 0;
  #source: StrandsEvent | undefined;
  /** Whether the agent has begun and not ended. One that is at work for somebody else refuses to begin. */
  #begun = false;
  /** The hook that runs. */
  #detour: Detour | undefined;
  #end: StreamEnd | undefined;
  #closing: Iterator<BaseEvent, void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    stream: StrandsStream,
    translation: Translation,
    { signal, cancel, leave }: Pick<TranslateOptions, 'signal' | 'cancel' | 'leave'>,
  ) {
    const { promise, resolve } = Promise.withResolvers<TranslationEnd>();
    this.ended = promise;
    this.#settle = resolve;
    this.#stream = stream;
    this.#translation = translation;
    this.#signal = signal;
    this.#cancel = cancel;
    this.#leaveAgent = leave;
    if (signal.aborted) this.#stop({ type: 'left' });
    else signal.addEventListener('abort', this.#leave, { once: true });
  }

  /** Asks for the next event, which is given at once or later. Pull again when it has come. */
  pull(taker: EventTaker): void {
    this.#taker = taker;
    this.#advance();
  }

  /** Leaves the run: nothing more is given. Settles when the agent's stream is closed. */
  async leave(): Promise<void> {
    this.#stop({ type: 'left' });
    this.#closing = NO_EVENTS.values();
    this.#advance();
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
      if (event !== undefined) return this.#give(event);
    }
    this.#begun = true;
    this.#stream.next().then(this.#take, this.#break);
  }

  #follow(detour: Detour): void {
    detour.next().then((next) => {
      if (this.#end !== undefined) return;
      if (next.done !== true) return this.#give(next.value);
      this.#detour = undefined;
      this.#advance();
    }, this.#fail);
  }

  #give(event: BaseEvent): void {
    const taker = this.#taker;
    this.#taker = undefined;
    taker?.take(event);
  }

  /** Gives the closing events, then the end. */
  #close(end: StreamEnd): void {
    if (this.#taker === undefined) return;
    this.#closing ??= this.#translation.close(end, this.#outputs.slice(this.#done));
    const next = this.#closing.next();
    if (next.done !== true) return this.#give(next.value);
    const taker = this.#taker;
    this.#taker = undefined;
    this.#settle(this.#translation.summary(end, this.#closed ?? Promise.resolve()));
    taker.over();
  }

  #stop(end: StreamEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#signal.removeEventListener('abort', this.#leave);
    if (this.#detour !== undefined) void closeStream(this.#detour);
    if (this.#begun) this.#cancel();
    // What was never begun must not begin now, only to be read to its end.
    this.#closed = this.#begun ? this.#leaveAgent(this.#stream) : closeStream(this.#stream);
  }

  // The same functions for every event: a stream has thousands of them.
  readonly #take = (next: IteratorResult<StrandsEvent, StrandsResult>): void => {
    if (this.#end !== undefined) return;
    if (next.done === true) {
      this.#begun = false;
      return this.#endWith({ type: 'result', result: next.value });
    }
    try {
      const more = this.#translation.continueOpen(next.value);
      if (more !== undefined) return this.#give(more);
      this.#source = next.value;
      this.#outputs = this.#translation.outputsOf(next.value);
      this.#done = 0;
      this.#work();
    } catch (error) {
      this.#fail(error);
    }
  };
  readonly #break = (error: unknown): void => {
    this.#begun = false;
    this.#fail(error);
  };
  readonly #fail = (error: unknown): void => this.#endWith({ type: 'failed', error });
  readonly #leave = (): void => this.#endWith({ type: 'left' });
  readonly #endWith = (end: StreamEnd): void => {
    if (this.#end !== undefined) return;
    this.#stop(end);
    this.#close(end);
  };
}
