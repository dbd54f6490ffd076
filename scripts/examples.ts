// Runs every program in examples/: each asserts what it shows and exits non-zero when that is not so.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { root } from './entries.ts';
import { countLine, reportCounts } from './tally.ts';

const secondsAllowed = 60;
const wanted = process.argv.slice(2);
const all = globSync('examples/*.ts', { cwd: root }).sort();
const chosen = wanted.length > 0 ? all.filter((file) => wanted.some((name) => file.includes(name))) : all;

/** Runs one example, prints its line and, when it failed, its output. */
function passes(file: string): boolean {
  const started = performance.now();
  const result = spawnSync(process.execPath, [file], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: secondsAllowed * 1000,
    killSignal: 'SIGKILL',
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const ok = result.status === 0;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${file} (${seconds} s)`);
  if (!ok) console.log([result.stdout, result.stderr, result.error?.message].filter(Boolean).join('\n').trimEnd());
  return ok;
}

const failed = chosen.filter((file) => !passes(file));
const counts = { passed: chosen.length - failed.length, failed: failed.length, skipped: 0 };

reportCounts(counts);
console.log(countLine(counts));
process.exitCode = failed.length === 0 ? 0 : 1;
