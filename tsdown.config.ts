import type { UserConfig } from 'tsdown';
import { buildSources } from './scripts/entries.ts';

function entryName(source: string): string {
  return source.replace(/^src\//, '').replace(/\.ts$/, '');
}

// Shared modules go to chunks that every entry imports, so a class or a private WeakMap exists once however many
// subpaths a user imports. Nothing is minified: people read the code of a security tool.
const config: UserConfig = {
  entry: Object.fromEntries(buildSources.map((source) => [entryName(source), source])),
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  fixedExtension: false,
  dts: true,
  sourcemap: false,
  minify: false,
  clean: true,
  report: false,
  deps: { skipNodeModulesBundle: true },
  outputOptions: { chunkFileNames: 'shared/[name]-[hash].js' },
};

export default config;
