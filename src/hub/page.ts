import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ConfigError, errorText } from '../core/errors.ts';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.json', 'application/json'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.woff2', 'font/woff2'],
]);

/** A name that a build made from the content: what it holds never changes. */
const HASHED = /[-.][A-Za-z0-9_-]{8,}\.\w+$/;

interface File {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The page's files, read once: what is not among them cannot be asked for, however a path is written.
 *
 * @throws ConfigError when the folder cannot be read or has no `index.html`.
 */
export class PageFiles {
  readonly #files = new Map<string, File>();

  constructor(folder: string) {
    try {
      this.#add(folder, '');
    } catch (error) {
      throw new ConfigError(`The page in ${folder} cannot be read: ${errorText(error)}`, { cause: error });
    }
    if (!this.#files.has('/index.html')) throw new ConfigError(`There is no page in ${folder}`);
  }

  /** The answer for a path; `undefined` when there is no such file. */
  serve(path: string): Response | undefined {
    const file = this.#files.get(path === '/' || path === '/login' ? '/index.html' : path);
    return file === undefined ? undefined : new Response(file.bytes, { headers: { ...file.headers } });
  }

  #add(folder: string, path: string): void {
    for (const name of readdirSync(join(folder, path))) {
      const below = `${path}/${name}`;
      const full = join(folder, below);
      if (statSync(full).isDirectory()) this.#add(folder, below);
      else this.#files.set(below, { bytes: new Uint8Array(readFileSync(full)), headers: headersOf(name) });
    }
  }
}

function headersOf(name: string): File['headers'] {
  return {
    'Content-Type': TYPES.get(extname(name)) ?? 'application/octet-stream',
    'Cache-Control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}
