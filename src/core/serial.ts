/**
 * Runs tasks one at a time per key, in the order they came. A task that is aborted while it waits leaves the line.
 */
export class KeyedQueue {
  readonly #lines = new Map<string, Promise<void>>();

  /** Whether somebody has, or waits for, the turn of `key`. */
  isBusy(key: string): boolean {
    return this.#lines.has(key);
  }

  /**
   * Waits for the turn of `key`.
   *
   * @returns The function that passes the turn on (call it exactly once), or `undefined` when `signal` fired first.
   */
  async acquire(key: string, signal?: AbortSignal): Promise<(() => void) | undefined> {
    if (signal?.aborted) return undefined;
    const ahead = this.#lines.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = ahead === undefined ? promise : ahead.then(() => promise);
    this.#lines.set(key, line);
    const release = (): void => {
      resolve();
      if (this.#lines.get(key) === line) this.#lines.delete(key);
    };
    if (ahead === undefined) return release;
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
