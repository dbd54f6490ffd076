import { systemClock } from '../../core/platform.ts';
import type { Lease } from './threads.ts';

/** How long an agent that was left has to let go of its run, in milliseconds. */
export const LET_GO_MS = 150;

/** How long a run that was left has to put its thread in order before the thread is taken from it, in milliseconds. */
const GRACE_MS = 300;

/** How long until the stream of such a run ends, in milliseconds: when it has ended, the thread is free. */
const CUT_MS = 350;

/**
 * Frees a thread some time after its client has left, whatever the run still waits for: a provider, a store, a tool
 * that does not stop. Its agent is forgotten then, since nobody knows what it still does.
 *
 * @returns Stops watching.
 */
export function freeWhenLeft(lease: Lease, signal: AbortSignal): () => void {
  return afterLeaving(signal, GRACE_MS, () => {
    lease.discard();
    lease.release();
  });
}

/**
 * The events of a run for a consumer that can leave at any moment. A plain async generator queues `return()` behind
 * whatever it waits for; here leaving aborts the run, and if it does not end soon, its stream does.
 *
 * @param leave - Aborts the run; makes `signal` fire.
 */
export function leavable<T>(
  source: AsyncGenerator<T, void, undefined>,
  leave: () => void,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const waiting = new Set<() => void>();
  let cut = false;
  const unwatch = afterLeaving(signal, CUT_MS, () => {
    cut = true;
    for (const end of waiting) end();
  });
  const orCut = (work: Promise<IteratorResult<T, void>>): Promise<IteratorResult<T, void>> =>
    new Promise((resolve, reject) => {
      const end = (): void => resolve({ done: true, value: undefined });
      if (cut) end();
      waiting.add(end);
      const settled = (): void => {
        waiting.delete(end);
      };
      work.then(
        (next) => {
          settled();
          if (next.done === true) unwatch();
          resolve(next);
        },
        (error: unknown) => {
          settled();
          reject(error);
        },
      );
    });
  const left = (work: () => Promise<IteratorResult<T, void>>): Promise<IteratorResult<T, void>> => {
    leave();
    return orCut(work());
  };
  return {
    next: () => orCut(source.next()),
    return: (value) => left(() => source.return(value)),
    throw: (error: unknown) => left(() => source.throw(error)),
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await left(() => source.return(undefined));
    },
  };
}

function afterLeaving(signal: AbortSignal, milliseconds: number, act: () => void): () => void {
  let cancel = (): void => undefined;
  const onLeft = (): void => {
    cancel = systemClock.after(milliseconds, act);
  };
  if (signal.aborted) onLeft();
  else signal.addEventListener('abort', onLeft, { once: true });
  return () => {
    signal.removeEventListener('abort', onLeft);
    cancel();
  };
}
