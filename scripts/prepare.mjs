// Builds after `npm ci` in a clone, so that the command line works at once. Without the development packages there is
// nothing to build with, and nothing to do.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync(new URL('../node_modules/tsdown', import.meta.url))) {
  const { status } = spawnSync('npm', ['run', 'build', '--', '--if-stale'], { stdio: 'inherit', shell: false });
  process.exitCode = status ?? 1;
}
