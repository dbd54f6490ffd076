import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Say } from '../messages.ts';
import { nearestType } from '../tools/module-kind.ts';
import { packageFolder, packageVersion } from '../version.ts';

/**
 * How the package gets into a folder from which it is not found: out of this copy, since no registry has it. Types in an
 * editor and `npx` need it there; `''` where it is there already.
 */
export function installText(folder: string, say: Say): string {
  if (isFoundFrom(folder)) return '';
  const values = { path: JSON.stringify(packageFolder()), version: packageVersion() };
  // The package.json that npm makes says nothing of modules, and Node would warn of each start.
  const type = nearestType(folder) === undefined ? '  npm pkg set type=module\n' : '';
  return `${say('init.install', values)}\n${type}`;
}

function isFoundFrom(folder: string): boolean {
  try {
    createRequire(join(folder, 'tools.ts')).resolve('strands-tau/package.json');
    return true;
  } catch {
    return false;
  }
}
