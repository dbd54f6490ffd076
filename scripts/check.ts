// Runs the checks that are not tests, one line for each: `npm run check`, or `npm run check -- lint types` for some.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { root } from './entries.ts';
import { reportCounts } from './tally.ts';

const sourceFolders = ['src', 'test', 'scripts', 'bench'].filter((folder) => existsSync(root + folder));

/** Each check by name: the command, and what it protects. */
const steps: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  // One way to write things down; imports sorted.
  format: ['biome', 'check', '--linter-enabled=false', '.'],
  // Short files and functions, no forgotten promise, no open switch.
  lint: ['biome', 'lint', '--error-on-warnings', '.'],
  // Who may import whom.
  layers: ['depcruise', '--config', '.dependency-cruiser.cjs', ...sourceFolders],
  // Everything compiles …
  types: ['tsc', '--project', 'tsconfig.json'],
  // … the core without any Node type …
  'core-types': ['tsc', '--project', 'tsconfig.core.json'],
  // … the hub's page with the DOM and JSX …
  'page-types': ['tsc', '--project', 'tsconfig.page.json'],
  // … and the Strands adapter on the oldest SDK that is supported.
  'sdk-types': ['tsc', '--project', 'tsconfig.sdk-1-16.json'],
  // No file, export or dependency that nobody uses.
  'dead-code': ['knip', '--no-progress', '--no-config-hints'],
  // What a user would get from the registry.
  package: ['node', 'scripts/package-shape.ts'],
  // Everything that a user can import has a doc comment.
  docs: ['typedoc', '--emit', 'none', '--logLevel', 'Warn'],
};

function choose(wanted: readonly string[]): readonly string[] {
  const unknown = wanted.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length > 0) {
    console.error(`No such check: ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`);
    process.exit(2);
  }
  return wanted.length > 0 ? wanted : Object.keys(steps);
}

/** Runs one step, prints its line and, when it failed, its output. */
function passes(name: string): boolean {
  const [command = '', ...args] = steps[name] ?? [];
  const started = performance.now();
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH ?? ''}` },
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const ok = result.status === 0;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(12)} ${seconds.padStart(5)} s`);
  if (!ok) console.log([result.stdout, result.stderr, result.error?.message].filter(Boolean).join('\n').trimEnd());
  return ok;
}

const chosen = choose(process.argv.slice(2));
const failed = chosen.filter((name) => !passes(name));

reportCounts({ passed: chosen.length - failed.length, failed: failed.length, skipped: 0 });
console.log(failed.length === 0 ? `All ${chosen.length} checks passed.` : `Failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
