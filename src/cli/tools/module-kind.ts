import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Whether the nearest package.json says that `.ts` and `.js` files of a folder are CommonJS, as `npm init` writes it. */
export function isCommonJs(folder: string): boolean {
  return nearestType(folder) === 'commonjs';
}

/** Whether a `.ts` file of a folder is a module for certain, so that Node has not to guess, nor to warn that it did. */
export function isModuleFolder(folder: string): boolean {
  return (nearestType(folder) ?? 'module') === 'module';
}

/** What the nearest package.json says; `''` when it says nothing, `undefined` when there is none. */
export function nearestType(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const type = typeIn(join(at, 'package.json'));
    if (type !== undefined || dirname(at) === at) return type;
  }
}

/** What a package.json says; `''` when it says nothing, `undefined` when there is none. */
function typeIn(path: string): string | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const isObject = typeof content === 'object' && content !== null;
    return isObject && 'type' in content ? String(content.type) : '';
  } catch {
    return undefined;
  }
}
