import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the built page is; `undefined` when it was not built. */
export function pageFolder(): string | undefined {
  const folder = fileURLToPath(new URL('../../dist/page/', import.meta.url));
  return existsSync(`${folder}index.html`) ? folder : undefined;
}
