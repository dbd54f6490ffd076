import { lstatSync } from 'node:fs';
import { TauError } from '../../core/errors.ts';

/** What the system knows a file by, whatever it is called. */
export interface FileIdentity {
  readonly dev: number;
  readonly ino: number;
}

/**
 * The file that a store was opened from. SQLite goes on with a file that lost its name, and all that it is told then is
 * gone at the end of the process; so the name must lead to the same file for as long as the store is used.
 */
export class OpenFile {
  readonly #path: string;
  readonly #identity: FileIdentity;
  #isReplaced = false;

  constructor(path: string, { dev, ino }: FileIdentity) {
    this.#path = path;
    this.#identity = { dev, ino };
  }

  /**
   * Looks at what the name leads to; costs some microseconds.
   *
   * @throws TauError `store_replaced` when it is not the file any more, and from then on whatever comes back.
   */
  check(): void {
    this.#isReplaced ||= !this.#isThere();
    if (this.#isReplaced) throw replaced(this.#path);
  }

  #isThere(): boolean {
    const there = lstatSync(this.#path, { throwIfNoEntry: false });
    return there?.ino === this.#identity.ino && there.dev === this.#identity.dev;
  }
}

function replaced(path: string): TauError {
  return new TauError(
    'store_replaced',
    `the store ${path} was removed or replaced while it was open; nothing more is written to it. End this process, put the right file in its place, and start again`,
  );
}
