import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The version of this package. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '?';
}

/** The folder of this package, as it runs. */
export function packageFolder(): string {
  return fileURLToPath(new URL('../..', import.meta.url));
}
