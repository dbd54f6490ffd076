import type { Clock } from './platform.ts';

/** Waits between two offers, in milliseconds. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

/**
 * Offers something to a store that was away, again and again at growing intervals, until it is taken.
 *
 * @param offer - Resolves to whether there is nothing more to offer; must not reject.
 * @returns Ends it.
 */
export function offerAgain(clock: Pick<Clock, 'after'>, offer: () => Promise<boolean>): () => void {
  let isOff = false;
  let cancel = (): void => undefined;
  const after = (wait: number): void => {
    cancel = clock.after(wait, () => {
      void offer().then((isOver) => {
        if (!isOver && !isOff) after(Math.min(wait * 2, LONGEST_WAIT));
      });
    });
  };
  after(FIRST_WAIT);
  return () => {
    isOff = true;
    cancel();
  };
}
