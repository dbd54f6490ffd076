import { lstatSync } from 'node:fs';
import { TauError } from '../../core/errors.ts';

/** What the system knows a file by, whatever it is called. */
export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

/** The files beside a database that hold what is not in it yet, and who reads and writes it. SQLite makes them. */
const BESIDE = ['-wal', '-shm'];

/**
 * The files that a store was opened from. SQLite goes on with a file that lost its name, and all that it is told then is
 * gone at the end of the process, or unknown to the others; so each name must lead to the same file for as long as the store
 * is used.
 */
export class OpenFile {
  readonly #path: string;
  /** By name; those beside the database are noted once they are there. */
  readonly #identities = new Map<string, FileIdentity>();
  /** The first that was missed. */
  #lost: string | undefined;

  constructor(path: string, { dev, ino }: FileIdentity) {
    this.#path = path;
    this.#identities.set(path, { dev, ino });
  }

  /**
   * Looks at what the names lead to; costs some microseconds.
   *
   * @throws TauError `store_replaced` when one is not the file any more, and from then on whatever comes back.
   */
  check(): void {
    this.#lost ??= [this.#path, ...BESIDE.map((end) => this.#path + end)].find((name) => !this.#isThere(name));
    if (this.#lost !== undefined) throw replaced(this.#path, this.#lost);
  }

  #isThere(name: string): boolean {
    const there = lstatSync(name, { throwIfNoEntry: false });
    const known = this.#identities.get(name);
    if (known !== undefined) return there?.ino === known.ino && there.dev === known.dev;
    if (there !== undefined) this.#identities.set(name, { dev: there.dev, ino: there.ino });
    return true;
  }
}

function replaced(path: string, lost: string): TauError {
  const what = lost === path ? `the store ${path}` : `the file ${lost}, which is a part of the store ${path},`;
  const cure =
    lost === path
      ? 'End this process, put the right file in its place, and start again'
      : 'Stop this process in good order, so that it can still save what the file held (a kill loses it), and start again';
  return new TauError(
    'store_replaced',
    `${what} was removed or replaced while it was open; nothing more is written to it. ${cure}`,
  );
}
