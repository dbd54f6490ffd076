import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file system of its own, of a few megabytes. */
export interface SmallDisk {
  readonly path: string;
  /** Takes every byte that is left. */
  fill(): void;
  /** Gives them back. */
  free(): void;
}

/** A disk that can be filled; `undefined` where this user may not mount one. Gone after the test. */
export function smallDisk(megabytes = 2): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'tau-disk-'));
  const args = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path];
  const isMounted = spawnSync('mount', args).status === 0;
  onTestFinished(() => {
    if (isMounted) spawnSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true, force: true });
  });
  const ballast = join(path, 'ballast');
  return isMounted ? { path, fill: () => fill(ballast), free: () => rmSync(ballast) } : undefined;
}

function fill(path: string): void {
  const descriptor = openSync(path, 'a');
  for (const size of [65_536, 512, 1]) {
    try {
      while (writeSync(descriptor, Buffer.alloc(size)) > 0);
    } catch {
      // Nothing of this size fits any more.
    }
  }
  closeSync(descriptor);
}
