import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { build } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtFile, root } from '../../scripts/entries.ts';

const entry = root + builtFile('src/index.ts');
const isNodeModule = (id: string): boolean => id.startsWith('node:') || builtinModules.includes(id);

interface Bundle {
  /** Packages whose code ended up in the bundle. */
  readonly packages: readonly string[];
  /** Node's own modules that it imports. */
  readonly nodeModules: readonly string[];
  readonly code: string;
}

/** Bundles the built root entry with everything it imports, as a site for browsers would. */
async function bundleForBrowser(): Promise<Bundle> {
  const result = await build({
    configFile: false,
    root,
    logLevel: 'silent',
    publicDir: false,
    build: { write: false, lib: { entry, formats: ['es'] }, rolldownOptions: { external: isNodeModule } },
  });
  const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []));
  const chunks = outputs.filter((part) => part.type === 'chunk');
  const packages = chunks.flatMap((chunk) => chunk.moduleIds.map(packageOf)).filter((name) => name !== undefined);
  return {
    packages: [...new Set(packages)].sort(),
    nodeModules: chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]).filter(isNodeModule),
    code: chunks.map((chunk) => chunk.code).join('\n'),
  };
}

function packageOf(moduleId: string): string | undefined {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(moduleId)?.[1];
}

describe('the built root entry', () => {
  let bundle: Bundle;
  beforeAll(async () => {
    if (!existsSync(entry)) throw new Error('There is no build: run `npm run build` first.');
    bundle = await bundleForBrowser();
  });

  test('needs none of the modules of Node', () => {
    expect(bundle.nodeModules).toEqual([]);
  });

  test('brings canonical JSON and SHA-256 along, not Strands, zod, ajv or anything else', () => {
    expect(bundle.packages).toEqual(['@noble/hashes', 'canonicalize']);
  });

  test('names no global that only Node has', () => {
    expect(bundle.code.match(/\b(?:process\.|Buffer\.|require\(|__dirname)/g)).toBeNull();
  });
});
