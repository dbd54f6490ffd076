import type { Clock } from './platform.ts';

/** Waits between two attempts, in milliseconds. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/**
 * Ends of bodies that the store could not take when they came. They are offered again until it does, or the process ends:
 * what is known must not become unknown because a file was locked or a disk full for a while.
 */
export class LateOutcomes {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #waiting = new Map<string, () => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /**
   * Keeps one.
   *
   * @param id - The approval.
   * @param store - Offers it to the store; rejects when that cannot take it.
   * @param done - Called once the store has it.
   */
  keep(id: string, store: () => Promise<unknown>, done: () => void): void {
    const after = (wait: number): void => {
      let cancel = (): void => undefined;
      const offer = (): void => {
        cancel();
        void store().then(
          () => {
            this.#waiting.delete(id);
            done();
          },
          () => after(Math.min(wait * 2, LONGEST_WAIT)),
        );
      };
      cancel = this.#clock.after(wait, offer);
    };
    this.#waiting.set(id, done);
    after(FIRST_WAIT);
  }

  /** Whether the end of an approval's body waits for the store. */
  has(id: string): boolean {
    return this.#waiting.has(id);
  }
}
