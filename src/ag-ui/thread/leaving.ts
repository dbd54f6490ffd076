import type { TierGate } from '../../core/gate.ts';
import { systemClock } from '../../core/platform.ts';
import { RunStopped } from '../run-stopped.ts';
import type { Lease } from './threads.ts';

/** How long an agent that was left has to let go of its run, in milliseconds; and once its tools were waited for. */
const LET_GO_MS = { atOnce: 150, afterTools: 2000 };

/** How much longer the run has to put its thread in order before the thread is taken from it, in milliseconds. */
const TIDY_MS = 150;

/** How long until the stream of such a run ends, in milliseconds: nobody who has left is kept waiting. */
export const CUT_MS = 350;

/** How long the tools of a run may be at work after its client has left, in seconds, where nothing else is set. */
export const FINISH_TOOLS_SECONDS = 30;

/** How long a store may take to record the answers of a client that has left, in seconds. */
const RECORD_SECONDS = 30;

/**
 * What a run still waits for when its client has left: its tools, for some time, so that what they did gets into the
 * conversation; the store that is recording its answers, so that nobody acts on half of them; anything else, a provider,
 * a store that is only read, for a moment.
 */
export class Leaving {
  readonly #signal: AbortSignal;
  readonly #toolSeconds: number;
  #tools: { readonly gate: TierGate; readonly run: string } | undefined;
  /** What is being recorded. */
  readonly #recording: Set<Promise<unknown>> = new Set();
  #undo: (() => Promise<void>) | undefined;

  constructor(signal: AbortSignal, toolSeconds: number) {
    this.#signal = signal;
    this.#toolSeconds = toolSeconds;
  }

  /** Says which tools there are to wait for, once a run has begun. Those of an agent without a gate cannot be seen. */
  watch(gate: TierGate, run: string): void {
    this.#tools = { gate, run };
  }

  /** Keeps the thread while something is recorded that is not to be cut in two by whoever comes next. */
  async during<T>(record: () => Promise<T>): Promise<T> {
    const recording = record();
    this.#recording.add(recording);
    try {
      return await recording;
    } finally {
      this.#recording.delete(recording);
    }
  }

  /**
   * Says what a stop undoes, for as long as there is no run that would end with it. It is undone at once, whatever the
   * request waits for, and the thread is kept meanwhile.
   *
   * @returns To be called when there is a run, or will be none. Resolves when what a stop has undone is undone.
   */
  undoWhenStopped(undo: (() => Promise<void>) | undefined): () => Promise<void> {
    this.#undo = undo;
    return async () => {
      this.#undo = undefined;
      await Promise.allSettled(this.#recording);
    };
  }

  /** What is still being recorded may be what has to be undone. */
  #undoIfStopped(): void {
    const undo = this.#undo;
    if (!(this.#signal.reason instanceof RunStopped) || undo === undefined) return;
    const recorded = Promise.allSettled(this.#recording);
    void this.during(() => recorded.then(undo));
  }

  /** Whether something is under way that is worth waiting for. */
  get #isAtWork(): boolean {
    if (this.#recording.size > 0) return true;
    return this.#toolSeconds > 0 && this.#tools?.gate.isAtWork(this.#tools.run) === true;
  }

  /** Resolves as `closed` when the agent has let go, as `late` when it had time to and has not. */
  async letGo(closed: Promise<void>): Promise<'closed' | 'late'> {
    const late = Promise.withResolvers<'late'>();
    const cancel = this.#afterTools(0, () => late.resolve('late'));
    const ended = closed.then(
      () => 'closed' as const,
      () => 'closed' as const,
    );
    try {
      return await Promise.race([ended, late.promise]);
    } finally {
      cancel();
    }
  }

  /**
   * Frees a thread some time after its client has left and its tools have ended, whatever the run still waits for. Its
   * agent is forgotten then, since nobody knows what it still does.
   *
   * @returns Stops watching.
   */
  freeWhenLeft(lease: Lease): () => void {
    let cancel = (): void => undefined;
    const unwatch = whenAborted(this.#signal, () => {
      this.#undoIfStopped();
      cancel = this.#afterTools(TIDY_MS, () => {
        lease.discard();
        lease.release();
      });
    });
    return () => {
      unwatch();
      cancel();
    };
  }

  /**
   * Does something once the tools are done and the agent had time to let go.
   *
   * @param more - Further milliseconds.
   * @returns Cancels it.
   */
  #afterTools(more: number, act: () => void): () => void {
    let isOff = false;
    let cancel = (): void => undefined;
    const wait = (milliseconds: number): void => {
      if (!isOff) cancel = systemClock.after(milliseconds + more, act);
    };
    if (this.#isAtWork) void this.#workIsDone().then(() => wait(LET_GO_MS.afterTools));
    else wait(LET_GO_MS.atOnce);
    return () => {
      isOff = true;
      cancel();
    };
  }

  /** Resolves once the answers are recorded and no tool of the run is at work, or when they had their time. */
  async #workIsDone(): Promise<void> {
    if (this.#recording.size > 0) await within(RECORD_SECONDS, Promise.allSettled(this.#recording));
    if (this.#tools !== undefined) await within(this.#toolSeconds, this.#tools.gate.idle(this.#tools.run));
  }
}

/** Resolves when some work has settled, or after so many seconds. */
async function within(seconds: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = Number.isFinite(seconds) ? systemClock.after(seconds * 1000, resolve) : undefined;
  await Promise.race([work.catch(() => undefined), late]);
  cancel?.();
}

/**
 * Does something some time after a signal has fired.
 *
 * @returns Stops watching.
 */
export function afterLeaving(signal: AbortSignal, milliseconds: number, act: () => void): () => void {
  let cancel = (): void => undefined;
  const unwatch = whenAborted(signal, () => {
    cancel = systemClock.after(milliseconds, act);
  });
  return () => {
    unwatch();
    cancel();
  };
}

function whenAborted(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}
