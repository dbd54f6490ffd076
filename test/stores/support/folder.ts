import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone after the test. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tau-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Where a new store can be made, until the end of the test. */
export function temporaryFile(): string {
  return join(temporaryFolder(), 'tau.db');
}
