import type { Clock } from '../../core/platform.ts';

/** Failures from one address, within the window, after which it has to wait. */
const LIMIT = 10;

const WINDOW_MS = 60_000;

/** Addresses that are remembered; beyond it the oldest are forgotten. */
const MAX_ADDRESSES = 10_000;

/** Counts failed logins, so that nobody can try codes as fast as the machine answers. */
export class FailedAttempts {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Seconds that this address has to wait; 0 when it may try. */
  waitSeconds(address: string): number {
    const recent = this.#recent(address);
    const [first] = recent.slice(-LIMIT);
    if (recent.length < LIMIT || first === undefined) return 0;
    return Math.max(1, Math.ceil((first + WINDOW_MS - this.#clock.now()) / 1000));
  }

  /** Notes a failure. */
  failed(address: string): void {
    const recent = [...this.#recent(address), this.#clock.now()].slice(-LIMIT);
    this.#failures.delete(address);
    this.#failures.set(address, recent);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_ADDRESSES && oldest !== undefined) this.#failures.delete(oldest);
  }

  #recent(address: string): readonly number[] {
    const since = this.#clock.now() - WINDOW_MS;
    return (this.#failures.get(address) ?? []).filter((at) => at > since);
  }
}
