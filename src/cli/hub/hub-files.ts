import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, errorText } from '../../core/errors.ts';
import { OPEN_TO_OTHERS, readTrustedFile, replaceOwnFile, WRITABLE_BY_OTHERS } from '../own-file.ts';
import type { Setting } from '../setting.ts';

type Place = Pick<Setting, 'dataDir' | 'say'>;

/** Where a hub runs. */
export interface HubAddress {
  readonly url: string;
  readonly pid: number;
  /** By which it proves that it is the one. */
  readonly key: string;
}

const address: z.ZodType<HubAddress> = z.object({
  url: z.url({ protocol: /^https?$/ }),
  pid: z.int().positive(),
  key: z.string().min(32),
});

/**
 * Where the hub of a data folder runs; `undefined` when none has said so. What another user can have written does not
 * count, nor what came with a copied folder: a hub keeps it from everybody else's eyes.
 */
export function readHubAddress(place: Place): HubAddress | undefined {
  try {
    return address.parse(JSON.parse(readTrustedFile(join(place.dataDir, 'hub.json'), OPEN_TO_OTHERS)));
  } catch {
    return undefined;
  }
}

/** Says where the hub runs, for the command line. */
export function writeHubAddress(place: Place, hub: HubAddress): void {
  write(place, 'hub.json', JSON.stringify(hub));
}

/** Takes the note away when it is still this process's. */
export function removeHubAddress(place: Place): void {
  if (readHubAddress(place)?.pid === process.pid) rmSync(join(place.dataDir, 'hub.json'), { force: true });
}

/** The token of the local command line; `undefined` when there is none. */
export function readLocalToken(place: Place): string | undefined {
  try {
    return readTrustedFile(join(place.dataDir, 'token'), WRITABLE_BY_OTHERS).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the token of the local command line, for this user only. */
export function writeLocalToken(place: Place, token: string): void {
  write(place, 'token', token);
}

function write({ dataDir, say }: Place, name: string, text: string): void {
  const path = join(dataDir, name);
  try {
    replaceOwnFile(path, `${text}\n`);
  } catch (error) {
    throw new ConfigError(say('error.own_file', { path, problem: errorText(error) }), { cause: error });
  }
}
