import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TauError } from '../../core/errors.ts';
import { SqliteStore } from '../../stores/sqlite/index.ts';
import { isLink } from '../own-file.ts';
import type { Setting } from '../setting.ts';

/** The file that holds the whole state of a data folder. */
function storeFile({ dataDir }: Pick<Setting, 'dataDir'>): string {
  return join(dataDir, 'tau.db');
}

/**
 * Opens the store of a data folder that has one already.
 *
 * @throws TauError `no_store` when there is none, `store_link` for a symbolic link, and what `SqliteStore.open` throws.
 */
export function openExistingStore(setting: Pick<Setting, 'dataDir' | 'say'>): SqliteStore {
  const path = storeFile(setting);
  if (isLink(path)) throw new TauError('store_link', setting.say('error.link', { path }));
  if (!existsSync(path)) throw new TauError('no_store', setting.say('error.no_store', { path }));
  return SqliteStore.open(path);
}
