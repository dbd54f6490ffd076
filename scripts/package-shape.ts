// Looks at the package as a user would get it: what is in the tarball, and whether every entry resolves with its types.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { publicEntries, root } from './entries.ts';
import { pack, unwanted } from './pack.ts';

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
}

function contents(files: readonly string[]): string[] {
  const missing = [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'bin/tau.mjs',
    'dist/cli/main.js',
    'dist/page/index.html',
  ].filter((file) => !files.includes(file));
  return [
    ...unwanted(files).map((file) => `contents: ${file} must not be shipped`),
    ...missing.map((file) => `contents: ${file} is missing`),
  ];
}

/** `exports` in package.json and the list that the build works from name the same subpaths. */
function subpaths(manifest: Manifest): string[] {
  const built = new Set(publicEntries.map(([subpath]) => subpath));
  const exported = Object.keys(manifest.exports).filter((subpath) => subpath !== './package.json');
  return [
    ...exported.filter((each) => !built.has(each)).map((each) => `exports: '${each}' has no source`),
    ...[...built].filter((each) => !exported.includes(each)).map((each) => `exports: '${each}' is not exported`),
  ];
}

async function lintManifest(tarball: ArrayBuffer): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball }, level: 'warning', strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

/** This package is ESM only: `require` and resolvers that do not read `exports` are not supported. */
function concernsUs(problem: Problem): boolean {
  if (problem.kind === 'CJSResolvesToESM') return false;
  return (
    !('resolutionKind' in problem) || problem.resolutionKind === 'node16-esm' || problem.resolutionKind === 'bundler'
  );
}

async function checkTypes(tarball: ArrayBuffer): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  if (!result.types) return ['types: the package has none'];
  return result.problems.filter(concernsUs).map((problem) => `types: ${JSON.stringify(problem)}`);
}

const folder = mkdtempSync(join(tmpdir(), 'strands-tau-pack-'));
try {
  execFileSync('node', ['scripts/build.ts', '--if-stale'], { cwd: root, stdio: 'inherit' });
  const { filename, files } = pack(folder);
  const bytes = readFileSync(join(folder, filename));
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const manifest: Manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const problems = [
    ...contents(files),
    ...subpaths(manifest),
    ...(await lintManifest(tarball)),
    ...(await checkTypes(tarball)),
  ];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
