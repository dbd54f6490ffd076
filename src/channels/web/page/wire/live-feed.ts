import type { Clock } from '../../../../core/platform.ts';

/** The part of `EventSource` that the feed uses. */
export interface EventSourceLike {
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
}

/** Whether the page hears of changes. */
export type Connection = 'connecting' | 'live' | 'lost';

/** What a feed is made of. */
export interface FeedParts {
  readonly open: () => EventSourceLike;
  readonly clock: Clock;
  /** From 0 to 1, by chance: `Math.random`. */
  readonly chance: () => number;
  readonly names: readonly string[];
  readonly onEvent: (name: string, data: unknown) => void;
  readonly onConnection: (connection: Connection) => void;
}

/** How many attempts come quickly: a hub that restarts is back within the time that they take, half a minute. */
const QUICK = 10;

/**
 * Waits between attempts: half a second, then twice as long each time, at most four seconds; after ten attempts at most
 * half a minute. A quarter more or less, so that many pages do not come back in one moment.
 *
 * @param chance - From 0 to 1.
 */
export function delayAfter(failures: number, chance: number): number {
  const quick = Math.min(500 * 2 ** Math.max(0, failures - 1), 4000);
  const wait = failures <= QUICK ? quick : Math.min(4000 * 2 ** (failures - QUICK), 30_000);
  return wait * (0.75 + chance / 2);
}

/**
 * The hub's events, reconnected for ever. A browser gives up on an `EventSource` whose server answered with an error,
 * which is what a restarting hub behind a proxy does; so each source is used until its first error only.
 */
export class LiveFeed {
  readonly #parts: FeedParts;
  #source: EventSourceLike | undefined;
  #failures = 0;
  #cancelWait: () => void = () => undefined;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** Connects now, also when the next attempt would be later. */
  connect(): void {
    this.#drop();
    const source = this.#parts.open();
    this.#source = source;
    source.addEventListener('open', () => {
      if (this.#source !== source) return;
      this.#failures = 0;
      this.#parts.onConnection('live');
    });
    source.addEventListener('error', () => {
      if (this.#source === source) this.#failed();
    });
    for (const name of this.#parts.names) {
      source.addEventListener(name, (event) => {
        if (this.#source === source) this.#parts.onEvent(name, parsed(event.data));
      });
    }
  }

  /** Ends it. */
  close(): void {
    this.#drop();
  }

  #failed(): void {
    this.#drop();
    this.#failures += 1;
    this.#parts.onConnection('lost');
    const { clock, chance } = this.#parts;
    this.#cancelWait = clock.after(delayAfter(this.#failures, chance()), () => this.connect());
  }

  #drop(): void {
    this.#cancelWait();
    this.#source?.close();
    this.#source = undefined;
  }
}

function parsed(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
