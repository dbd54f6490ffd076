import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program, as it stands among the sources. */
export const CLI: string = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

/** The program that users start; it runs the build. */
export const BIN: string = fileURLToPath(new URL('../../../bin/tau.mjs', import.meta.url));

/** A folder to run the command line in, with whatever it leaves there. */
export class CliFolder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), 'tau-cli-'));

  /** Writes a file into the folder. */
  write(name: string, text: string): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    // Files of the data folder are only believed when they are their user's own.
    writeFileSync(path, text, { mode: 0o600 });
  }

  /** Reads a file of the folder; an empty text when there is none. */
  read(name: string): string {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** What really ran in the demo house: one `tool arguments` for each body that started. */
  ran(): readonly string[] {
    const lines = this.read('.tau/demo/world.log').split('\n');
    return lines.filter((line) => line !== '').map((line) => describeStart(JSON.parse(line)));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

function describeStart(entry: { tool: string; arguments: unknown }): string {
  return `${entry.tool} ${JSON.stringify(entry.arguments)}`;
}

/** How a run ended. */
export interface CliRun {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** The environment of every run: plain English, no colours, nothing of the developer's own. */
export function cliEnv(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: tmpdir(), LC_ALL: 'C', ...more };
}

/**
 * Runs the command line with a pipe for input.
 *
 * @param input - Written at once, before the input ends; or a function that is called with everything that was
 *   printed so far, whenever more is, and says what to write next (`undefined`: nothing yet, `null`: end).
 */
export function runCli(
  folder: CliFolder,
  argv: readonly string[],
  input: string | ((printed: string) => string | null | undefined) = '',
  env: Readonly<Record<string, string>> = {},
  program: string = CLI,
): Promise<CliRun> {
  const child = spawn(process.execPath, [program, ...argv], { cwd: folder.path, env: cliEnv(env) });
  let out = '';
  let err = '';
  const feed = (): void => {
    if (typeof input === 'string' || child.stdin.writableEnded) return;
    const next = input(out);
    if (next === null) child.stdin.end();
    else if (next !== undefined) child.stdin.write(next);
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
    feed();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  child.stdin.on('error', () => undefined);
  if (typeof input === 'string') child.stdin.end(input);
  else feed();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ out, err, code }));
  });
}
