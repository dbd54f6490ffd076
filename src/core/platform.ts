/** Milliseconds since the epoch, and timers. `ManualClock` of `strands-tau/testing` is one too. */
export interface Clock {
  /** Now, in milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Calls `callback` once after `milliseconds`; the result cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Makes an unguessable id of at least 120 random bits. */
export type Random = () => string;

/** Where log lines go: a message and its data. */
export interface Logger {
  /** For whoever looks for a fault. */
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** What happened. */
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** What a person should look at some time. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** What a person should look at now. */
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Longest delay that one timer of the platform keeps, 24.8 days; beyond it it would fire at once. */
const MAX_DELAY = 2 ** 31 - 1;

/** The platform's own clock. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  after(milliseconds: number, callback: () => void) {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (left: number): void => {
      timer = left > MAX_DELAY ? setTimeout(() => wait(left - MAX_DELAY), MAX_DELAY) : setTimeout(callback, left);
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
});

/**
 * A clock for telling and for going on, never for deciding: where the given one fails it says the time that it last said,
 * and the platform's timers stand in.
 */
export function steadyClock(clock: Clock): Clock {
  let last: number | undefined;
  return Object.freeze({
    now() {
      try {
        last = clock.now();
      } catch {
        last ??= systemClock.now();
      }
      return last;
    },
    after(milliseconds: number, callback: () => void) {
      try {
        return clock.after(milliseconds, callback);
      } catch {
        return systemClock.after(milliseconds, callback);
      }
    },
  });
}

/** Random ids from the platform's cryptographic source. */
export const systemRandom: Random = () => globalThis.crypto.randomUUID().replaceAll('-', '');

/** Warnings and errors to the console; debug and info are dropped. */
export const consoleLogger: Logger = Object.freeze({
  debug: () => undefined,
  info: () => undefined,
  warn: (message: string, fields?: Readonly<Record<string, unknown>>) => console.warn(...line(message, fields)),
  error: (message: string, fields?: Readonly<Record<string, unknown>>) => console.error(...line(message, fields)),
});

/** A line without data ends with its message. */
function line(message: string, fields: unknown): readonly unknown[] {
  return fields === undefined ? [message] : [message, fields];
}
