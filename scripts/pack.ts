import { execFileSync } from 'node:child_process';
import { root } from './entries.ts';

/** What `npm pack` made, or would make. */
export interface Pack {
  /** Name of the tarball. */
  readonly filename: string;
  /** Paths inside the package, such as `dist/index.js`. */
  readonly files: readonly string[];
}

/**
 * Packs the package as it is on disk; build first. With a folder the tarball is written there, without one nothing
 * is written.
 */
export function pack(destination?: string): Pack {
  const where = destination === undefined ? ['--dry-run'] : ['--pack-destination', destination];
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', ...where], { cwd: root, encoding: 'utf8' });
  const [packed]: { filename: string; files: { path: string }[] }[] = JSON.parse(output);
  if (packed === undefined) throw new Error(`npm pack printed no package: ${output}`);
  return { filename: packed.filename, files: packed.files.map((file) => file.path) };
}

const shipped = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md)$/,
  /^docs\/.+\.(md|png)$/,
  // What README and guides lead to.
  /^examples\/[^/]+\.ts$/,
  /^examples\/copilotkit-page\/(README\.md|package\.json|index\.html|tsconfig\.json|vite\.config\.ts)$/,
  /^examples\/copilotkit-page\/(src|server)\/[^/]+\.(tsx?|css)$/,
  /^bin\/tau\.mjs$/,
  /^dist\/.+(\.js|\.d\.ts)$/,
  /^dist\/page\/(index\.html|assets\/.+\.(css|svg))$/,
];

/** The files of a package that a user has no use for: sources, tests, source maps, leftovers. */
export function unwanted(files: readonly string[]): readonly string[] {
  return files.filter((file) => /\.test\./.test(file) || !shipped.some((pattern) => pattern.test(file)));
}
