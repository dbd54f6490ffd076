import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's root folder, with a trailing slash. */
export const root: string = fileURLToPath(new URL('../', import.meta.url));

/** What users can import, by subpath: the source file behind each key of `exports` in package.json. */
const publicSources: Readonly<Record<string, string>> = {
  '.': 'src/index.ts',
  './strands': 'src/strands/index.ts',
  './ag-ui': 'src/ag-ui/index.ts',
  './ag-ui/server': 'src/ag-ui/http/index.ts',
  './hub': 'src/hub/index.ts',
  './channels/terminal': 'src/channels/terminal/index.ts',
  './channels/web': 'src/channels/web/index.ts',
  './stores/memory': 'src/stores/memory/index.ts',
  './stores/sqlite': 'src/stores/sqlite/index.ts',
  './testing': 'src/testing/index.ts',
};

/** The program that `bin/tau.mjs` starts: built like an entry, importable by nobody. */
const cliSource = 'src/cli/main.ts';

function exists(path: string): boolean {
  return existsSync(root + path);
}

/** Every public subpath with its source file, e.g. `['./strands', 'src/strands/index.ts']`. */
export const publicEntries: readonly (readonly [subpath: string, source: string])[] = Object.entries(
  publicSources,
).filter(([, source]) => exists(source));

/** The sources that the build starts from. */
export const buildSources: readonly string[] = [...publicEntries.map(([, source]) => source), cliSource].filter(exists);

/** Where the build puts what it made of a source: `src/strands/index.ts` becomes `dist/strands/index.js`. */
export function builtFile(source: string): string {
  return source.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js');
}
