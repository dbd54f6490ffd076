import type { WorldState } from './world-state.ts';

/** What a command of the made-up shell did. */
export interface ShellResult {
  readonly state: WorldState;
  readonly output: string;
  readonly exitCode: number;
}

const HOME = '/home/demo';

type Program = (words: readonly string[], state: WorldState, now: Date) => ShellResult;

/**
 * Runs one line in the made-up shell: a pure function over the demo world's made-up files. It starts no process and
 * touches no real file, whatever the line says.
 */
export function runInWorld(line: string, state: WorldState, now: Date): ShellResult {
  const [command = '', target] = splitRedirection(line);
  const [name = '', ...words] = splitWords(command);
  const program = PROGRAMS.get(name);
  if (program === undefined) return failed(state, name === '' ? 'nothing to run' : `${name}: command not found`, 127);
  const result = program(words, state, now);
  if (target === undefined || result.exitCode !== 0) return result;
  return { ...succeeded({ ...result.state, files: { ...result.state.files, [resolvePath(target)]: result.output } }) };
}

const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['ls', list],
  ['cat', concatenate],
  ['echo', (words, state) => succeeded(state, `${words.join(' ')}\n`)],
  ['date', (_words, state, now) => succeeded(state, `${now.toISOString()}\n`)],
  ['pwd', (_words, state) => succeeded(state, `${HOME}\n`)],
  ['whoami', (_words, state) => succeeded(state, 'demo\n')],
  ['rm', remove],
  ['help', (_words, state) => succeeded(state, `${[...PROGRAMS.keys()].join('  ')}\n`)],
]);

function list(words: readonly string[], state: WorldState): ShellResult {
  const folder = resolvePath(words.find((word) => !word.startsWith('-')) ?? HOME);
  if (Object.hasOwn(state.files, folder)) return succeeded(state, `${folder}\n`);
  const names = new Set(
    pathsUnder(folder, state).map((path) => {
      const [first = '', ...deeper] = path.slice(folder === '/' ? 1 : folder.length + 1).split('/');
      return deeper.length > 0 ? `${first}/` : first;
    }),
  );
  if (names.size === 0 && folder !== '/' && folder !== HOME)
    return failed(state, `ls: ${folder}: no such file or folder`);
  return succeeded(
    state,
    [...names]
      .sort()
      .map((name) => `${name}\n`)
      .join(''),
  );
}

function concatenate(words: readonly string[], state: WorldState): ShellResult {
  const paths = words.map(resolvePath);
  const missing = paths.find((path) => !Object.hasOwn(state.files, path));
  if (missing !== undefined) return failed(state, `cat: ${missing}: no such file`);
  return succeeded(state, paths.map((path) => state.files[path]).join(''));
}

function remove(words: readonly string[], state: WorldState): ShellResult {
  const recursive = words.some((word) => /^-\w*[rR]/.test(word));
  const targets = words.filter((word) => !word.startsWith('-')).map(resolvePath);
  const doomed = targets.flatMap((path) =>
    Object.hasOwn(state.files, path) ? [path] : recursive ? pathsUnder(path, state) : [],
  );
  if (doomed.length === 0) return failed(state, `rm: ${targets.join(' ')}: nothing there that could be removed`);
  const left = Object.entries(state.files).filter(([path]) => !doomed.includes(path));
  return succeeded({ ...state, files: Object.fromEntries(left) }, `removed ${doomed.length} file(s)\n`);
}

function pathsUnder(folder: string, state: WorldState): string[] {
  const prefix = folder === '/' ? '/' : `${folder}/`;
  return Object.keys(state.files).filter((path) => path.startsWith(prefix));
}

function resolvePath(word: string): string {
  const absolute = word.startsWith('/') ? word : `${HOME}/${word.replace(/^~\/?/, '')}`;
  const parts: string[] = [];
  for (const part of absolute.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function splitRedirection(line: string): [command: string, target?: string] {
  const match = /^(?<command>[^>]*)>\s*(?<target>\S+)\s*$/.exec(line);
  return match?.groups === undefined ? [line] : [match.groups.command ?? '', match.groups.target ?? ''];
}

function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function succeeded(state: WorldState, output = ''): ShellResult {
  return { state, output, exitCode: 0 };
}

function failed(state: WorldState, output: string, exitCode = 1): ShellResult {
  return { state, output: `${output}\n`, exitCode };
}
