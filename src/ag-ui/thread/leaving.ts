import { systemClock } from '../../core/platform.ts';
import type { Lease } from './threads.ts';

/** How long an agent that was left has to let go of its run, in milliseconds. */
export const LET_GO_MS = 150;

/** How long a run that was left has to put its thread in order before the thread is taken from it, in milliseconds. */
const GRACE_MS = 300;

/** How long until the stream of such a run ends, in milliseconds: when it has ended, the thread is free. */
export const CUT_MS = 350;

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
 * Does something some time after the client has left.
 *
 * @returns Stops watching.
 */
export function afterLeaving(signal: AbortSignal, milliseconds: number, act: () => void): () => void {
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
