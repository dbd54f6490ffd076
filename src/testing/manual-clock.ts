import type { Clock } from '../core/platform.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until the test moves it. No real time passes and no real timer is set.
 *
 * @example
 * ```ts
 * const clock = new ManualClock();
 * const gate = new TierGate({ catalog, approver, clock, timeoutSeconds: 30 });
 * const verdict = gate.check(call);
 * await clock.advance(30_000);
 * expect((await verdict).approval).toBe('timeout');
 * ```
 */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  /** @param start - Milliseconds since the epoch; default 2026-01-01T00:00:00Z. */
  constructor(start: number = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  /** How many timers wait; zero when everything that set one has cleaned up. */
  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + Math.max(milliseconds, 0), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /**
   * Moves the time forward. Timers that become due fire in order, each at its own time; between them, and before and
   * after all of them, everything that promises have set in motion comes to rest.
   *
   * @param milliseconds - How far; 0 only lets promises come to rest and fires what is due now.
   */
  async advance(milliseconds: number): Promise<void> {
    const target = this.#now + milliseconds;
    await settle();
    for (let due = this.#nextDue(target); due !== undefined; due = this.#nextDue(target)) {
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
      await settle();
    }
    this.#now = Math.max(this.#now, target);
  }

  #nextDue(target: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= target && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }
}

/** Resolves when all promise jobs, and those that they make, have run: a message comes only after them. */
function settle(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { port1, port2 } = new MessageChannel();
  const onMessage = (): void => {
    port1.close();
    resolve();
  };
  port1.addEventListener('message', onMessage, { once: true });
  port1.start();
  port2.postMessage(undefined);
  return promise;
}
