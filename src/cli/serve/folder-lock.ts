import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError, errorText } from '../../core/errors.ts';
import { readHubAddress } from '../hub/hub-files.ts';
import { openOwnFile } from '../own-file.ts';
import type { Setting } from '../setting.ts';

/** Locks of this process; what nobody refers to is closed. */
const held: DatabaseSync[] = [];

/** SQLite's own code for a file that another process holds. */
const SQLITE_BUSY = 5;

/**
 * Takes a data folder for one hub, for as long as the process lives: a lock of the operating system, which goes with the
 * process however that ends, and not before: a body that did not stop may still be at work. A second hub would take it
 * for lost, and run calls beside it.
 *
 * @throws ConfigError when another hub has it.
 */
export function lockFolder({ dataDir, say }: Pick<Setting, 'dataDir' | 'say'>): void {
  const path = join(dataDir, 'hub.lock');
  try {
    closeSync(openOwnFile(path, 'append'));
    const database = new DatabaseSync(path, { timeout: 0, allowExtension: false });
    try {
      // Nothing is ever written: the open transaction is the lock.
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      throw error;
    }
    held.push(database);
  } catch (error) {
    const isTaken = typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY;
    if (!isTaken) throw new ConfigError(say('error.own_file', { path, problem: errorText(error) }), { cause: error });
    throw new ConfigError(taken({ dataDir, say }), { cause: error });
  }
}

function taken({ dataDir, say }: Pick<Setting, 'dataDir' | 'say'>): string {
  const known = readHubAddress({ dataDir, say });
  // One that is only starting, or stopping, has said no address.
  return known === undefined ? say('serve.locked', { path: dataDir }) : say('serve.running', { ...known });
}
