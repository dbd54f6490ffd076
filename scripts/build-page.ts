import { readFileSync } from 'node:fs';
import { build } from 'vite';
import { root } from './entries.ts';

/** Packages whose code ends up in the page; their licences ask to be named there. */
const bundled = ['preact', 'zod', 'canonicalize', '@noble/hashes'] as const;

function credit(name: string): string {
  const manifest: { version: string; license: string } = JSON.parse(
    readFileSync(`${root}node_modules/${name}/package.json`, 'utf8'),
  );
  return `${name} ${manifest.version} (${manifest.license})`;
}

/**
 * Builds the hub's page into dist/page: one document, and assets whose names hold a hash of what is in them. Nothing is
 * inlined, since the hub allows no inline script, style or `data:` address.
 */
export async function buildPage(): Promise<void> {
  await build({
    configFile: false,
    root: `${root}src/channels/web/page`,
    base: '/',
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: `${root}dist/page`,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: { output: { postBanner: `/*! strands-tau, with ${bundled.map(credit).join(', ')} */` } },
    },
  });
}
