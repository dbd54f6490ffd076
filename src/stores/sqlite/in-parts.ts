import { setTimeout as sleep } from 'node:timers/promises';

/** How many rows one transaction removes. */
export const PART = 1000;

/** How long others have the file, and this process for themselves, after each part, in milliseconds. */
const PAUSE = 10;

/**
 * Removes rows a part at a time, so that nobody waits long for the file or for this process.
 *
 * @param remove - Removes at most `PART` rows in one transaction; returns how many.
 * @returns How many there were. When a part fails, those before it are removed.
 */
export async function inParts(remove: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const part = await remove();
    removed += part;
    if (part < PART) return removed;
    await sleep(PAUSE);
  }
}
