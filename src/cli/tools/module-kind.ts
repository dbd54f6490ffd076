import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Whether the nearest package.json says that `.ts` and `.js` files of a folder are CommonJS, as `npm init` writes it. */
export function isCommonJs(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const type = typeIn(join(at, 'package.json'));
    if (type !== undefined) return type === 'commonjs';
    if (dirname(at) === at) return false;
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
