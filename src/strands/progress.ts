/** Thrown into a body that reports progress when nobody takes it any more. */
class ProgressClosedError extends Error {
  constructor() {
    super('the consumer of this call has left');
    this.name = 'ProgressClosedError';
  }
}

/**
 * Hands progress from a running body to the stream that drives it, one item at a time: the body goes on when its
 * item was taken, and is stopped when the stream is left.
 */
export class Progress<T> {
  #item: { readonly value: T; readonly taken: PromiseWithResolvers<void> } | undefined;
  #shown: PromiseWithResolvers<void> | undefined;
  #wake: (() => void) | undefined;
  #finished = false;
  #left = false;

  /** Offers one item; resolves when it was taken, rejects with ProgressClosedError when nobody will. */
  async offer(value: T): Promise<void> {
    if (this.#left) throw new ProgressClosedError();
    const taken = Promise.withResolvers<void>();
    this.#item = { value, taken };
    this.#wake?.();
    await taken.promise;
  }

  /** Stops whoever offers: nobody will take anything any more. */
  leave(): void {
    this.#left = true;
    this.#item?.taken.reject(new ProgressClosedError());
  }

  /** Ends the items when `work` has settled. */
  until(work: Promise<unknown>): void {
    void work.then(() => {
      this.#finished = true;
      this.#wake?.();
    });
  }

  /** The next item, once the one before counts as taken; `undefined` when there will be none. */
  async next(): Promise<T | undefined> {
    const taken = this.#shown;
    this.#shown = undefined;
    if (taken !== undefined) {
      this.#item = undefined;
      taken.resolve();
    }
    while (this.#item === undefined && !this.#finished) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    this.#shown = this.#item?.taken;
    return this.#item?.value;
  }
}
