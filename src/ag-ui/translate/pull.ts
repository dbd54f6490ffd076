/** Nobody waits for the stream any more. */
export class LeftError extends Error {
  constructor() {
    super('the run was left');
    this.name = 'LeftError';
  }
}

/**
 * Asks a stream for its events and stops waiting when a signal fires: a model or a tool that hangs does not hold the
 * one who listens.
 */
export class Pull<T, R> {
  readonly #stream: AsyncGenerator<T, R, undefined>;
  readonly #signal: AbortSignal;
  #leave: ((error: LeftError) => void) | undefined;
  #ended = false;

  constructor(stream: AsyncGenerator<T, R, undefined>, signal: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The next event. Rejects with LeftError when the signal fires first, and with whatever the stream throws. */
  next(): Promise<IteratorResult<T, R>> {
    if (this.#signal.aborted) return Promise.reject(new LeftError());
    return new Promise((resolve, reject) => {
      this.#leave = reject;
      this.#stream.next().then(resolve, reject);
    });
  }

  /** The stream has ended or thrown: there is nothing to close. */
  ended(): void {
    this.#ended = true;
  }

  /**
   * Closes the stream, through whatever it still has to yield on the way; never rejects. Settles when it is closed,
   * which a tool that hangs can put off for ever.
   */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#onAbort);
    if (this.#ended) return;
    this.#ended = true;
    try {
      let left = await this.#stream.return(undefined as R);
      while (!left.done) left = await this.#stream.next();
    } catch {
      // It was on its way out: its error is of no use to anybody.
    }
  }

  readonly #onAbort = (): void => this.#leave?.(new LeftError());
}
