import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../soak/random.ts';
import { Mortal } from './mortal.ts';

/** How long after it is up a decider is killed at the latest, in milliseconds. */
const LIFE = 6000;

/** Keeps somebody deciding, in one process after another that are killed at random times. */
export class Deciding {
  readonly #folder: string;
  readonly #fault: string;
  readonly #random: SeededRandom;
  readonly #told = new Map<string, string>();
  readonly #stopped = new AbortController();
  readonly #loop: Promise<void>;
  #decider: Mortal | undefined;
  #kills = 0;

  constructor(folder: string, fault: string, random: SeededRandom) {
    this.#folder = folder;
    this.#fault = fault;
    this.#random = random;
    this.#loop = this.#run();
  }

  /** Decisions that were told, by the id of their question. */
  get told(): ReadonlyMap<string, string> {
    return this.#told;
  }

  /** How many deciders were killed. */
  get kills(): number {
    return this.#kills;
  }

  /** Runs something while nobody decides. */
  async paused<T>(action: () => Promise<T>): Promise<T> {
    const decider = this.#decider;
    decider?.pause();
    try {
      return await action();
    } finally {
      decider?.goOn();
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const up = Promise.withResolvers<void>();
      this.#decider = new Mortal('./decider.ts', [this.#folder, this.#fault], (line) => {
        const [what, id = '', decision = ''] = line.split(' ');
        if (what === 'up') up.resolve();
        if (what === 'decided') this.#told.set(id, decision);
      });
      signal.addEventListener('abort', () => up.resolve(), { once: true });
      await Promise.race([up.promise, this.#decider.end()]);
      await sleep(this.#random.next() * LIFE, undefined, { signal }).catch(() => undefined);
      await this.#decider.kill();
      this.#kills++;
    }
  }
}
