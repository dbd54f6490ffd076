import { chmodSync, closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorText, TauError } from '../../core/errors.ts';
import { storeError } from './errors.ts';
import { migrate } from './migrations.ts';
import { type FileIdentity, OpenFile } from './open-file.ts';

/** How long SQLite itself waits for a lock, in milliseconds. It blocks the process, so the store waits on its own for longer. */
const BLOCKING_WAIT = 25;

/** A database that lives in this process only. */
const IN_MEMORY = ':memory:';

/** A database that is open. */
export interface OpenDatabase {
  readonly database: DatabaseSync;
  /** `undefined` for one in memory. */
  readonly file: OpenFile | undefined;
}

/**
 * Opens the database of a store and brings it to the newest version; makes it, readable by this user only, where there is
 * none.
 *
 * @param patience - How long to wait for another process that opens or repairs it, in milliseconds.
 * @throws TauError as `storeError` says; `store_link` for a path that is a symbolic link, `store_replaced` when another file
 *   takes its place meanwhile.
 */
export function openDatabase(path: string, patience: number): OpenDatabase {
  const file = path === IN_MEMORY ? undefined : new OpenFile(path, claimFile(path));
  const until = Date.now() + patience;
  for (;;) {
    try {
      return { database: tryOpen(path, file), file };
    } catch (error) {
      const failure = storeError(error, path);
      if (failure.code !== 'store_locked' || Date.now() >= until) throw failure;
      // There is nothing else to do for a process that has no store yet.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKING_WAIT);
    }
  }
}

function tryOpen(path: string, file: OpenFile | undefined): DatabaseSync {
  const database = new DatabaseSync(path, { allowExtension: false, enableDoubleQuotedStringLiterals: false });
  try {
    file?.check();
    database.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT}`);
    database.exec('PRAGMA journal_mode = WAL');
    // A decision that was told must outlive a power failure, not only the process.
    database.exec('PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    migrate(database, path);
    // By now SQLite has made the files that belong to it.
    file?.check();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite gives its other files the mode of the database, so it is set before SQLite sees it. */
function claimFile(path: string): FileIdentity {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw linked(path);
    const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
    const found = fstatSync(descriptor);
    closeSync(descriptor);
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
    return found;
  } catch (error) {
    if (error instanceof TauError) throw error;
    throw new TauError(
      'store_readonly',
      `the store ${path} cannot be opened or written (${errorText(error)}). Give this user write access to the file and its folder`,
      { cause: error },
    );
  }
}

function linked(path: string): TauError {
  return new TauError(
    'store_link',
    `the store ${path} is a symbolic link; tau does not write through it. Name the file itself`,
  );
}
