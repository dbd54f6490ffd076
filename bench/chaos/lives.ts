import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../soak/random.ts';
import { Mortal } from './mortal.ts';

/** How many conversations go on at the same time. */
const AT_ONCE = 4;

/** How long after it is up a worker is killed at the latest, in milliseconds. */
const LIFE = 400;

/** How long the last worker may take, in milliseconds; one that takes longer hangs. */
const PATIENCE = 120_000;

/** Conversations that one worker after another goes on with. */
export class Lives {
  readonly #folder: string;
  readonly #fault: string;
  readonly #random: SeededRandom;
  readonly #open = new Set<string>();
  readonly #ended = new Set<string>();
  #begun = 0;

  constructor(folder: string, fault: string, random: SeededRandom) {
    this.#folder = folder;
    this.#fault = fault;
    this.#random = random;
  }

  /** Conversations that have ended. */
  get ended(): ReadonlySet<string> {
    return this.#ended;
  }

  /** Starts a worker and kills it: some time after it is up, or just after one of its bodies has started. */
  async cutShort(): Promise<void> {
    while (this.#open.size < AT_ONCE) this.#open.add(`c${this.#begun++}`);
    const moment = Promise.withResolvers<void>();
    const bodies = this.#random.chance(0.5) ? 1 + this.#random.below(4) : 0;
    let left = bodies;
    const worker = this.#worker((what) => {
      if (what === 'up') setTimeout(() => moment.resolve(), bodies === 0 ? this.#random.next() * LIFE : 4 * LIFE);
      if (what === 'body' && --left === 0) moment.resolve();
    });
    await Promise.race([moment.promise, worker.end()]);
    if (bodies > 0) await sleep(this.#random.next() * 20);
    await worker.kill();
  }

  /** Lets a worker bring everything to its end; why it did not, where it did not. */
  async liveOn(): Promise<string | undefined> {
    const worker = this.#worker(() => undefined);
    const timer = setTimeout(() => void worker.kill(), PATIENCE);
    const problem = await worker.end();
    clearTimeout(timer);
    return problem ?? (this.#open.size === 0 ? undefined : `${this.#open.size} conversations have not ended`);
  }

  #worker(onWord: (what: string) => void): Mortal {
    return new Mortal('./worker.ts', [this.#folder, this.#fault, ...this.#open], (line) => {
      const [what = '', subject = ''] = line.split(' ');
      if (what === 'ended') {
        this.#open.delete(subject);
        this.#ended.add(subject);
      }
      onWord(what);
    });
  }
}
