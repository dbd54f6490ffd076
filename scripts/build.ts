// Builds dist/. With `--if-stale` it does nothing when no input is newer than the last build.
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'tsdown';
import { buildPage } from './build-page.ts';
import { buildSources, root } from './entries.ts';

const stamp = `${root}dist/.built`;
const inputs = [
  'src/**/*.{ts,tsx,json}',
  'src/channels/web/page/**/*.{html,css,svg}',
  'scripts/{entries,build-page}.ts',
  'tsdown.config.ts',
  'tsconfig.json',
  'package.json',
];

function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

/** The inputs as one text: their names (a deleted file counts too) and when each was last changed. */
function fingerprint(): string {
  return inputs
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => !isTest(path))
    .sort()
    .map((path) => `${path} ${statSync(root + path).mtimeMs}`)
    .join('\n');
}

function lastFingerprint(): string | undefined {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return undefined;
  }
}

const current = fingerprint();
if (process.argv.includes('--if-stale') && lastFingerprint() === current) {
  console.log('build: dist/ is up to date');
} else {
  if (buildSources.length > 0) await build({ logLevel: 'warn' });
  await buildPage();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, current);
  console.log('build: done');
}
