import type { BaseEvent } from '@ag-ui/core';
import { EventStream, type EventTaker } from '../translate/event-stream.ts';
import { afterLeaving, CUT_MS } from './leaving.ts';

/** What the steps of a run yield: an event, or a stream, all of whose events come next. */
export type Part = BaseEvent | EventStream;

/** The steps of a run. */
export type Parts = AsyncGenerator<Part, void, undefined>;

type Step = IteratorResult<Part, void>;
type Next = IteratorResult<BaseEvent, void>;
type Answer = (next: Next | Promise<Next>) => void;

/**
 * The events of a run for a consumer that can leave at any moment. It is an async generator, except for two things:
 *
 * - A plain one queues `return()` behind whatever it waits for; here leaving aborts the run, and if it does not end soon,
 *   its stream does.
 * - Of a stream that a step yields, the consumer is given the events at first hand. Passed on by each step they would
 *   cost half of what the agent itself does for them.
 */
export class RunStream implements AsyncGenerator<BaseEvent, void, undefined> {
  readonly #steps: Parts;
  readonly #leave: () => void;
  readonly #unwatch: () => void;
  readonly #cut: PromiseWithResolvers<Next> = Promise.withResolvers();
  #isCut = false;
  /** The stream that was yielded last, while it has events. */
  #stream: EventStream | undefined;
  /** Who waits for the event that is being made. */
  #answer: Answer | undefined;
  /** Who waits for the events after it. */
  readonly #queue: Answer[] = [];

  /** @param leave - Aborts the run; makes `signal` fire. */
  constructor(steps: Parts, leave: () => void, signal: AbortSignal) {
    this.#steps = steps;
    this.#leave = leave;
    this.#unwatch = afterLeaving(signal, CUT_MS, () => this.#cutOff());
  }

  next(): Promise<Next> {
    return new Promise((answer) => {
      if (this.#isCut) answer(over());
      else if (this.#answer !== undefined) this.#queue.push(answer);
      else {
        this.#answer = answer;
        this.#ask();
      }
    });
  }

  return(): Promise<Next> {
    return this.#close(() => this.#steps.return());
  }

  throw(error: unknown): Promise<Next> {
    return this.#close(() => this.#steps.throw(error));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #ask(): void {
    if (this.#stream !== undefined) this.#stream.pull(this.#taker);
    else this.#steps.next().then(this.#take, this.#fail);
  }

  #give(next: Next | Promise<Next>): void {
    const answer = this.#answer;
    this.#answer = this.#queue.length === 0 ? undefined : this.#queue.shift();
    answer?.(next);
    if (this.#answer !== undefined) this.#ask();
  }

  #close(steps: () => Promise<Step>): Promise<Next> {
    this.#leave();
    this.#stream = undefined;
    return Promise.race([steps().then((step) => this.#nextOf(step)), this.#cut.promise]);
  }

  /** No more is waited for; what the steps still have to put in order they do by themselves. */
  #cutOff(): void {
    this.#isCut = true;
    this.#steps.return().catch(() => undefined);
    this.#cut.resolve(over());
    this.#answer?.(over());
    this.#answer = undefined;
    for (const answer of this.#queue.splice(0)) answer(over());
  }

  /** A step that is not a stream, for the consumer. */
  #nextOf(step: Step): Next {
    if (step.done !== true && !(step.value instanceof EventStream)) return { done: false, value: step.value };
    this.#unwatch();
    return over();
  }

  // The same functions for every event: a run has thousands of them.
  readonly #take = (step: Step): void => {
    if (step.done === true || !(step.value instanceof EventStream)) return this.#give(this.#nextOf(step));
    this.#stream = step.value;
    this.#ask();
  };
  readonly #fail = (error: unknown): void => {
    if (this.#answer !== undefined) this.#give(Promise.reject(error));
  };
  readonly #taker: EventTaker = {
    take: (event) => this.#give({ done: false, value: event }),
    over: () => {
      this.#stream = undefined;
      this.#ask();
    },
  };
}

function over(): Next {
  return { done: true, value: undefined };
}
