import type { BaseEvent } from '@ag-ui/core';
import type { StrandsAgent } from '../ag-ui/strands-agent.ts';
import { readThreadKey, threadKey } from '../ag-ui/thread/thread-key.ts';
import type { ApprovalRecord } from '../core/approval-record.ts';
import type { Principal } from '../core/call.ts';
import { errorText } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import type { Clock, Logger } from '../core/platform.ts';
import { loadParkedTurn } from '../strands/parked-turn.ts';
import type { Principals } from './auth/principals.ts';
import { LOOKED_AT_ONCE, letOthers } from './bounded.ts';
import type { ActiveRuns } from './runs.ts';
import type { ThreadIndex } from './threads.ts';

/** What waking threads needs. */
export interface ResumerParts {
  readonly gate: TierGate;
  readonly bridge: StrandsAgent;
  readonly principals: Principals;
  /** Whether the embedder knows principals that the hub does not. */
  readonly hasOwnAuth: boolean;
  readonly runs: ActiveRuns;
  readonly threads: ThreadIndex;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Waits between two attempts, in milliseconds: while a client's own run is on the thread, and after a failure. */
const FIRST_WAIT = 20;
const LONGEST_WAIT = 2000;

/** The longest wait after failures, in milliseconds: what was decided is tried for as long as it waits. */
const LONGEST_REST = 30_000;

/** Failures after which somebody is told. */
const MANY_FAILURES = 5;

/** How an attempt ended. */
type Attempt = 'done' | 'busy' | 'failed';

/**
 * Lets parked runs go on once everything that they wait for is decided, wherever it was decided and whether or not a
 * client is connected.
 */
export class Resumer {
  readonly #parts: ResumerParts;
  /** Threads that are being woken now. */
  readonly #waking = new Map<string, Promise<void>>();
  readonly #works = new Set<Promise<void>>();
  /** Threads on which a run of the hub itself is under way. */
  readonly #atWork = new Set<string>();
  /** Threads about which something was decided while they were being woken. */
  readonly #again = new Set<string>();
  /** Fires when the hub stops. */
  readonly #stop = new AbortController();

  constructor(parts: ResumerParts) {
    this.#parts = parts;
  }

  /** An approval was created or changed. */
  async approvalChanged(id: string): Promise<void> {
    const record = await this.#recordOf(id);
    const conversation = record?.request.origin.conversation;
    if (record === undefined || record.status === 'pending' || conversation === undefined) return;
    this.wake(conversation);
  }

  /** A decision that cannot be read now must not be forgotten, or its calls would wait for ever. */
  async #recordOf(id: string): Promise<ApprovalRecord | undefined> {
    for (let wait = FIRST_WAIT; !this.#stop.signal.aborted; wait = Math.min(wait * 2, LONGEST_REST)) {
      try {
        return await this.#parts.gate.store.get(id);
      } catch (error) {
        this.#parts.log.warn('A decision could not be followed', { id, error: errorText(error) });
        await this.#pause(wait);
      }
    }
    return undefined;
  }

  /** Looks through all conversations that are parked, as after a restart. */
  async wakeAll(): Promise<void> {
    const keys = await this.#parts.gate.store.parkedConversations();
    for (const [at, key] of keys.entries()) {
      if (at > 0 && at % LOOKED_AT_ONCE === 0) await letOthers();
      this.wake(key);
    }
  }

  /** Lets a thread go on if it can. */
  wake(key: string): void {
    if (this.#stop.signal.aborted) return;
    if (this.#waking.has(key)) return void this.#again.add(key);
    const { promise: tired, resolve: tire } = Promise.withResolvers<void>();
    const work = this.#wake(key, tire)
      .catch((error: unknown) => this.#parts.log.error('A thread could not be woken', { key, error: errorText(error) }))
      .finally(() => {
        this.#waking.delete(key);
        this.#works.delete(work);
        if (this.#again.delete(key)) this.wake(key);
      });
    this.#works.add(work);
    // A client does not wait for a thread that fails again and again.
    this.#waking.set(key, Promise.race([work, tired]));
  }

  /** Resolves once the hub itself is not at work on a thread, so that a client's request is not refused for it. */
  async settled(key: string, left: AbortSignal): Promise<void> {
    let before: Promise<void> | undefined;
    while (!left.aborted) {
      const work = this.#waking.get(key);
      if (work === undefined || work === before) return;
      // Waking waits itself while a client's own run is on the thread; who comes second then is told that it is busy.
      if (this.#parts.runs.isBusy(key) && !this.#atWork.has(key)) return;
      await firstOf(work, left);
      before = work;
    }
  }

  /** Wakes nothing any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#works);
  }

  async #wake(key: string, tire: () => void): Promise<void> {
    let failures = 0;
    for (let wait = FIRST_WAIT; !this.#stop.signal.aborted; ) {
      const attempt = await this.#tried(key);
      if (attempt === 'done') return;
      if (attempt === 'failed' && ++failures === MANY_FAILURES) {
        tire();
        this.#parts.log.error('A thread still waits, because it could not be woken; it is tried again', {
          key,
          failures,
        });
      }
      await this.#pause(wait);
      wait = Math.min(wait * 2, failures === 0 ? LONGEST_WAIT : LONGEST_REST);
    }
  }

  /** One attempt. A store that cannot be read for a moment is a failure like any other. */
  async #tried(key: string): Promise<Attempt> {
    try {
      const principal = await this.#whoseTurn(key);
      if (principal === undefined) return 'done';
      return this.#parts.runs.isBusy(key) ? 'busy' : await this.#attempt(key, principal);
    } catch (error) {
      this.#parts.log.warn('A thread could not be woken', { key, error: errorText(error) });
      return 'failed';
    }
  }

  /** Whose parked turn can go on; `undefined` when there is none, or when it still waits for an answer. */
  async #whoseTurn(key: string): Promise<Principal | undefined> {
    const { gate, principals, hasOwnAuth, log, threads } = this.#parts;
    // What is parked beside the hub is none of its business, not even where it cannot be read.
    if ((await threads.get(key)) === undefined) return undefined;
    const parked = await loadParkedTurn(gate.store, key);
    if (parked === undefined) return undefined;
    const open = await gate.store.list({ conversation: key, status: 'pending', limit: 1 });
    if (open.records.length > 0) return undefined;
    const { principal: owner } = readThreadKey(key);
    const account = principals.get(owner);
    if (account !== undefined) return account.principal;
    if (hasOwnAuth && parked.principal?.id === owner) return parked.principal;
    log.warn('A thread is left waiting, because its principal is no longer known', { key });
    return undefined;
  }

  async #attempt(key: string, principal: Principal): Promise<Attempt> {
    const { threadId } = readThreadKey(key);
    // Nobody else's thread may be woken under this name.
    if (threadKey(threadId, principal) !== key) return 'done';
    let end: BaseEvent | undefined;
    const { runs, bridge, threads } = this.#parts;
    const run = (signal: AbortSignal) => bridge.resumeThread(threadId, { principal, signal });
    const settled = (): Promise<void> => bridge.idle({ threadId, principal });
    this.#atWork.add(key);
    try {
      for await (const event of runs.follow({ key, resumes: true, settled, lastWords: async () => [] }, run))
        end = event;
    } finally {
      this.#atWork.delete(key);
    }
    if (end?.type === 'RUN_FINISHED') {
      await threads.touch(key);
      return 'done';
    }
    return end !== undefined && 'code' in end && end.code === 'THREAD_BUSY' ? 'busy' : 'failed';
  }

  #pause(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#parts.clock.after(milliseconds, resolve);
    return firstOf(promise, this.#stop.signal).finally(cancel);
  }
}

/** Waits for work, or until a signal fires. Leaves nothing on the signal, which may live as long as the process. */
async function firstOf(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: fired, resolve } = Promise.withResolvers<void>();
  const fire = (): void => resolve();
  signal.addEventListener('abort', fire, { once: true });
  try {
    await Promise.race([work, fired]);
  } finally {
    signal.removeEventListener('abort', fire);
  }
}
