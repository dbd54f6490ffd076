import type { Clock } from '../../core/platform.ts';
import { forgetSession } from './held-session.ts';
import type { ThreadAgent } from './thread-agent.ts';
import type { ThreadKey } from './thread-key.ts';

/** One thread as the cache holds it. */
interface Slot {
  agent: ThreadAgent | undefined;
  busy: boolean;
  /** Milliseconds since the epoch. */
  usedAt: number;
  /** How often it was taken. */
  uses: number;
  /** When it was last looked up whether anybody owes it an answer, in milliseconds since the epoch. */
  lookedAt: number;
}

/** How long until that is looked up again, at most, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/** The right to run on a thread, until `release`. */
export interface Lease {
  /**
   * The thread's agent, made on first use. A failure is not kept.
   *
   * @param isCurrent - Whether the agent that is there may still be used; default yes.
   */
  agent(make: () => Promise<ThreadAgent>, isCurrent?: (thread: ThreadAgent) => boolean): Promise<ThreadAgent>;
  /** Forgets the thread's agent, because it does not let go of a run that was left; once released it saves nothing. */
  discard(): void;
  /** Gives the thread back; only the first call counts. */
  release(): void;
  /** Whether the thread has not been given back, or taken away because its client left. */
  isHeld(): boolean;
}

/**
 * The threads of one bridge. Taking a thread is one synchronous step, so of two requests one gets it. Idle threads are
 * dropped, the longest unused first; a busy one never, nor one that waits for an answer that can still come and has
 * nothing it could be restored from.
 */
export class Threads {
  readonly #slots = new Map<ThreadKey, Slot>();
  readonly #waiting = new Set<() => void>();
  readonly #maxThreads: number;
  readonly #idleMs: number;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(options: {
    readonly maxThreads: number;
    readonly idleSeconds: number;
    readonly clock: Pick<Clock, 'now'>;
  }) {
    this.#maxThreads = options.maxThreads;
    this.#idleMs = options.idleSeconds * 1000;
    this.#clock = options.clock;
  }

  /** How many threads are held. */
  get size(): number {
    return this.#slots.size;
  }

  /** The agent of a thread, whoever runs it now; `undefined` when none is held. */
  peek(key: ThreadKey): ThreadAgent | undefined {
    return this.#slots.get(key)?.agent;
  }

  /** Resolves once no run is in progress, or none on a thread; those included whose client has left. */
  idle(key?: ThreadKey): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.#isBusy(key)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Takes a thread; `undefined` when a run is in progress on it. */
  take(key: ThreadKey): Lease | undefined {
    const slot = this.#slots.get(key) ?? {
      agent: undefined,
      busy: false,
      usedAt: 0,
      uses: 0,
      lookedAt: Number.NEGATIVE_INFINITY,
    };
    if (slot.busy) return undefined;
    slot.busy = true;
    slot.uses += 1;
    this.#slots.set(key, slot);
    let held = true;
    let discarded: ThreadAgent | undefined;
    return {
      agent: async (make, isCurrent = () => true) => {
        if (slot.agent !== undefined && !isCurrent(slot.agent)) slot.agent = undefined;
        slot.agent ??= await make();
        return slot.agent;
      },
      discard: () => {
        discarded ??= slot.agent;
        slot.agent = undefined;
      },
      release: () => {
        if (held && discarded !== undefined) forgetSession(discarded.agent);
        if (held) this.#release(key, slot);
        held = false;
      },
      isHeld: () => held,
    };
  }

  #release(key: ThreadKey, slot: Slot): void {
    slot.busy = false;
    slot.usedAt = this.#clock.now();
    this.#slots.delete(key);
    if (slot.agent !== undefined) this.#slots.set(key, slot);
    this.#evict();
    for (const look of this.#waiting) look();
  }

  #isBusy(key: ThreadKey | undefined): boolean {
    if (key !== undefined) return this.#slots.get(key)?.busy === true;
    return [...this.#slots.values()].some(({ busy }) => busy);
  }

  /** The map is in order of release, save those that are busy: whoever was used last is at its end. */
  #evict(): void {
    const tooOld = this.#clock.now() - this.#idleMs;
    for (const [key, slot] of this.#slots) {
      const over = this.#slots.size > this.#maxThreads;
      if (slot.busy) continue;
      if (!over && slot.usedAt > tooOld) return;
      if (slot.agent?.mustStay() === true) void this.#dropUnlessOwed(key, slot, slot.agent);
      else this.#slots.delete(key);
    }
  }

  /** Drops a thread that waits once nobody can answer it any more. */
  async #dropUnlessOwed(key: ThreadKey, slot: Slot, agent: ThreadAgent): Promise<void> {
    const now = this.#clock.now();
    if (now - slot.lookedAt < Math.min(this.#idleMs, LOOK_AGAIN_MS)) return;
    slot.lookedAt = now;
    const { uses } = slot;
    // A store that cannot be read now is asked again later.
    const isOwed = await agent.isOwed(key).catch(() => true);
    const isSame = this.#slots.get(key) === slot && !slot.busy && slot.uses === uses;
    if (!isOwed && isSame) this.#slots.delete(key);
  }
}
