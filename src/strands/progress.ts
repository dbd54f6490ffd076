/** How long a body waits for its reader to take one report, in milliseconds. It may hold what others wait for. */
export const PATIENCE_MS = 10_000;

/** Thrown into a body that reports progress when nobody takes it any more. */
class ProgressClosedError extends Error {
  constructor() {
    super('the consumer of this call has left');
    this.name = 'ProgressClosedError';
  }
}

/** Whom a body reports to. */
export interface ProgressReader {
  /**
   * Calls what it is given, at once or later, when nobody will take anything any more; returns its undo. Only a body that
   * offers something needs it.
   */
  watch(leave: () => void): () => void;
  /** Calls back once after so many milliseconds; the result cancels it. Must not fail. */
  after(milliseconds: number, callback: () => void): () => void;
  /** Called once, when reports are dropped because the reader was too slow. */
  tooSlow(): void;
}

/**
 * Hands progress from a running body to the stream that drives it, one item at a time, and its result in the end. The
 * body goes on when its item was taken, and is stopped when the stream is left. One that is not taken for `PATIENCE_MS`
 * stays for the reader, the body goes on, and what it offers is dropped until the reader takes again. The result never is.
 */
export class Progress<T, Result> {
  readonly #from: ProgressReader;
  #forget: (() => void) | undefined;
  /** What was offered and not taken yet. */
  #item: { readonly value: T; readonly taken: PromiseWithResolvers<void> } | undefined;
  /** Whether the item was handed over, so that it counts as taken when the next one is asked for. */
  #shown = false;
  #end: IteratorReturnResult<Result> | Promise<never> | undefined;
  #reader: ((step: IteratorResult<T, Result> | Promise<never>) => void) | undefined;
  #left = false;
  #warned = false;

  constructor(from: ProgressReader) {
    this.#from = from;
  }

  /** Offers one item; resolves when it was taken or dropped, rejects with ProgressClosedError when nobody will take any. */
  async offer(value: T): Promise<void> {
    this.#forget ??= this.#from.watch(() => this.leave());
    if (this.#left) throw new ProgressClosedError();
    if (this.#item !== undefined) return this.#drop();
    const taken = Promise.withResolvers<void>();
    this.#item = { value, taken };
    this.#handOver();
    const stop = this.#from.after(PATIENCE_MS, taken.resolve);
    try {
      await taken.promise;
    } finally {
      stop();
    }
  }

  /** Lets others in, so that a body which does nothing but report to nobody does not keep the process to itself. */
  async #drop(): Promise<void> {
    if (!this.#warned) this.#from.tooSlow();
    this.#warned = true;
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.#left) throw new ProgressClosedError();
  }

  /** Stops whoever offers: nobody will take anything any more. */
  leave(): void {
    this.#left = true;
    this.#item?.taken.reject(new ProgressClosedError());
  }

  /** Ends the items when `work` has settled. */
  until(work: Promise<Result>): void {
    const end = (result: IteratorReturnResult<Result> | Promise<never>): void => {
      this.#end = result;
      this.#forget?.();
      this.#handOver();
    };
    work.then(
      (value) => end({ done: true, value }),
      (error: unknown) => end(Promise.reject(error)),
    );
  }

  /** The next item, the one before then being taken, or the result. */
  next(): Promise<IteratorResult<T, Result>> {
    if (this.#shown) {
      this.#item?.taken.resolve();
      this.#item = undefined;
      this.#shown = false;
    }
    const { promise, resolve } = Promise.withResolvers<IteratorResult<T, Result>>();
    this.#reader = resolve;
    this.#handOver();
    return promise;
  }

  /** Gives the reader what there is for it. */
  #handOver(): void {
    const step = this.#item === undefined ? this.#end : { done: false as const, value: this.#item.value };
    if (this.#reader === undefined || step === undefined) return;
    this.#shown = this.#item !== undefined;
    this.#reader(step);
    this.#reader = undefined;
  }
}
