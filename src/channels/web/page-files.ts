import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../core/errors.ts';

/** One file of the page, as it is sent. */
export interface PageFile {
  readonly body: Uint8Array;
  /** For `Content-Type`. */
  readonly type: string;
  /** Whether its name holds a hash of its content, so that it may be cached for ever. */
  readonly immutable: boolean;
}

const types: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['svg', 'image/svg+xml'],
]);

/**
 * The files of the hub's page, by the path that they are served at: `/` and `/login`, which are the same file,
 * `/favicon.ico`, and `/assets/…`. They are read once; only what is in the map may be served.
 *
 * @throws ConfigError when the page was not built.
 */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const folder = builtPage();
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, PageFile>();
  for (const entry of names) {
    const type = types.get(entry.name.split('.').at(-1) ?? '');
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const served = `/${path.slice(folder.length + 1).replaceAll('\\', '/')}`;
    files.set(served, { body: await readFile(path), type, immutable: served.startsWith('/assets/') });
  }
  return withEntrances(files);
}

/** The one document answers for every address that a person can open. */
function withEntrances(files: Map<string, PageFile>): ReadonlyMap<string, PageFile> {
  const index = files.get('/index.html');
  if (index === undefined) throw new ConfigError('The page of the hub is incomplete: run `npm run build`.');
  files.delete('/index.html');
  // Some browsers ask for it whatever the document says.
  const icon = [...files].find(([path]) => path.endsWith('.svg'))?.[1];
  if (icon !== undefined) files.set('/favicon.ico', { ...icon, immutable: false });
  return files.set('/', index).set('/login', index);
}

/** `dist/page`, from wherever the build put this module, or from the sources. */
function builtPage(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const candidate of [join(folder, 'page'), join(folder, 'dist', 'page')]) {
      if (existsSync(join(candidate, 'index.html')) && existsSync(join(candidate, 'assets'))) return candidate;
    }
    const parent = dirname(folder);
    if (parent === folder) throw new ConfigError('The page of the hub was not built: run `npm run build`.');
    folder = parent;
  }
}
