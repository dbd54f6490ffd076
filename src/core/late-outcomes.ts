import { TauError } from './errors.ts';
import { offerAgain } from './offer-again.ts';
import type { Clock } from './platform.ts';

/**
 * Ends of bodies that the store could not take when they came. They are offered again until it does, or the process ends:
 * what is known must not become unknown because a file was locked or a disk full for a while.
 */
export class LateOutcomes {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #waiting = new Map<string, Late>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /**
   * Keeps one.
   *
   * @param id - The approval.
   * @param store - Offers it to the store; rejects when that cannot take it.
   * @param done - Called once the store has it, or never will.
   */
  keep(id: string, store: () => Promise<unknown>, done: () => void): void {
    const late: Late = { store, done, cancel: () => undefined, offer: undefined };
    this.#waiting.set(id, late);
    late.cancel = offerAgain(this.#clock, () => this.#offer(id, late));
  }

  /** Whether the end of an approval's body waits for the store. */
  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  /** Offers all of them now; before a store is closed. */
  async flush(): Promise<void> {
    await Promise.all([...this.#waiting].map(([id, late]) => this.#offer(id, late)));
  }

  /** Whether there is nothing more to do. Two that offer at the same time share one attempt. */
  #offer(id: string, late: Late): Promise<boolean> {
    late.offer ??= late
      .store()
      .then(
        () => true,
        // What was closed will not open again.
        (error: unknown) => error instanceof TauError && error.code === 'store_closed',
      )
      .then((isOver) => {
        late.offer = undefined;
        if (isOver && this.#waiting.delete(id)) {
          late.cancel();
          late.done();
        }
        return isOver;
      });
    return late.offer;
  }
}

/** One end that waits. */
interface Late {
  readonly store: () => Promise<unknown>;
  readonly done: () => void;
  cancel: () => void;
  /** The attempt that is under way: whether it was the last. */
  offer: Promise<boolean> | undefined;
}
