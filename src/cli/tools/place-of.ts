import { dirname, isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A line of a file, as Node puts it before the name of a syntax error, or into a frame of a stack. */
const HEAD = /^(?<file>(?:file:\/\/|\/|[A-Za-z]:[\\/]).+):(?<line>\d+)$/;
const FRAME = /^\s+at (?:.*\()?(?<file>(?:file:\/\/|\/|[A-Za-z]:[\\/]).+?):(?<line>\d+):\d+\)?$/;

/** Where something is. */
interface Place {
  readonly path: string;
  readonly line: string;
}

/**
 * Where an error of loading a module came from, as `file:line`; `undefined` when it does not say, as a syntax error in plain
 * JavaScript. Of what it called, only the files in its own folder count: the rest is not for its author to mend.
 *
 * @param module - Absolute path of the module.
 * @param cwd - What the answer is relative to.
 */
export function placeOf(error: unknown, module: string, cwd: string): string | undefined {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const frames = lines.map((line) => readPlace(FRAME.exec(line)));
  const place = readPlace(HEAD.exec(lines[0] ?? '')) ?? frames.find((each) => each && isBeside(each.path, module));
  return place === undefined ? undefined : `${relative(cwd, place.path) || place.path}:${place.line}`;
}

function readPlace(match: RegExpExecArray | null): Place | undefined {
  const { file, line } = match?.groups ?? {};
  if (file === undefined || line === undefined) return undefined;
  return { path: file.startsWith('file:') ? fileURLToPath(file) : file, line };
}

function isBeside(path: string, module: string): boolean {
  const way = relative(dirname(module), path);
  return !(way.startsWith('..') || isAbsolute(way) || /(?:^|[\\/])node_modules[\\/]/.test(way));
}
