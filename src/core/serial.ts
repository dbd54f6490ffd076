/**
 * Runs tasks one at a time per key, in the order they came. A task that is aborted while it waits leaves the line.
 */
export class KeyedQueue {
  readonly #lines = new Map<string, Promise<void>>();

  /** Takes the turn of `key` if nobody has it or waits for it; what it returns passes the turn on, once. */
  tryAcquire(key: string): (() => void) | undefined {
    if (this.#lines.has(key)) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lines.set(key, promise);
    return () => {
      resolve();
      if (this.#lines.get(key) === promise) this.#lines.delete(key);
    };
  }

  /**
   * Waits for the turn of `key`.
   *
   * @returns The function that passes the turn on (call it exactly once), or `undefined` when `signal` fired first.
   */
  async acquire(key: string, signal?: AbortSignal): Promise<(() => void) | undefined> {
    if (signal?.aborted) return undefined;
    const ahead = this.#lines.get(key);
    if (ahead === undefined) return this.tryAcquire(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = ahead.then(() => promise);
    this.#lines.set(key, line);
    const release = (): void => {
      resolve();
      if (this.#lines.get(key) === line) this.#lines.delete(key);
    };
    if (await settledBeforeAbort(ahead, signal)) return release;
    void ahead.then(release);
    return undefined;
  }
}

/** Whether `promise` settled before `signal` fired. */
async function settledBeforeAbort(promise: Promise<void>, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal === undefined) {
    await promise;
    return true;
  }
  const { promise: aborted, resolve } = Promise.withResolvers<'aborted'>();
  const onAbort = (): void => resolve('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return (await Promise.race([promise, aborted])) !== 'aborted' && !signal.aborted;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
