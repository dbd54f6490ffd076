/** Thrown into a body that reports progress when nobody takes it any more. */
class ProgressClosedError extends Error {
  constructor() {
    super('the consumer of this call has left');
    this.name = 'ProgressClosedError';
  }
}

/**
 * Hands progress from a running body to the stream that drives it, one item at a time, and its result in the end. The
 * body goes on when its item was taken, and is stopped when the stream is left.
 */
export class Progress<T, Result> {
  readonly #watch: (leave: () => void) => () => void;
  #forget: (() => void) | undefined;
  #item: { readonly value: T; readonly taken: PromiseWithResolvers<void> } | undefined;
  /** Whether the item was handed over, so that it counts as taken when the next one is asked for. */
  #shown = false;
  #end: IteratorReturnResult<Result> | Promise<never> | undefined;
  #reader: ((step: IteratorResult<T, Result> | Promise<never>) => void) | undefined;
  #left = false;

  /**
   * @param watch - Calls what it is given, at once or later, when nobody will take anything any more; returns its undo.
   *   Only a body that offers something needs it.
   */
  constructor(watch: (leave: () => void) => () => void) {
    this.#watch = watch;
  }

  /** Offers one item; resolves when it was taken, rejects with ProgressClosedError when nobody will. */
  async offer(value: T): Promise<void> {
    this.#forget ??= this.#watch(() => this.leave());
    if (this.#left) throw new ProgressClosedError();
    const taken = Promise.withResolvers<void>();
    this.#item = { value, taken };
    this.#handOver();
    await taken.promise;
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
