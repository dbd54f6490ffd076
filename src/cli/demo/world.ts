import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorText } from '../../core/errors.ts';
import type { JSONValue } from '../../core/json.ts';
import { isLink, openOwnFile, readOwnFile } from '../own-file.ts';
import { INITIAL_WORLD, type WorldState, worldSchema } from './world-state.ts';

/** A `world.json` that could not be read was set aside. */
export interface Recovered {
  /** Where the unreadable file is now. */
  readonly backup: string;
  readonly problem: string;
}

/** The files of a demo world, whether they are there or not. */
export function worldFiles(directory: string): readonly string[] {
  return [join(directory, 'world.json'), join(directory, 'world.log')];
}

/**
 * The demo world on disk: `world.json` holds its state, `world.log` one JSON line for every tool body that started.
 * The state is read anew for every use, so that several programs can look at the same folder. Neither file is followed
 * when it is a symbolic link.
 */
export class DemoWorld {
  /** The folder of both files. */
  readonly directory: string;
  readonly #onRecovered: (recovered: Recovered) => void;
  readonly #now: () => Date;

  /**
   * The folder is made when something is written.
   *
   * @param onRecovered - Told when an unreadable `world.json` was set aside and the world starts over.
   */
  constructor(
    directory: string,
    options: { readonly onRecovered?: (recovered: Recovered) => void; readonly now?: () => Date } = {},
  ) {
    this.directory = directory;
    this.#onRecovered = options.onRecovered ?? (() => undefined);
    this.#now = options.now ?? (() => new Date());
  }

  /** The state as it is now. */
  read(): WorldState {
    const file = join(this.directory, 'world.json');
    if (!existsSync(file) && !isLink(file)) return INITIAL_WORLD;
    try {
      return worldSchema.parse(JSON.parse(readOwnFile(file)));
    } catch (error) {
      if (isLink(file)) throw error;
      const backup = unusedBackupName(file);
      renameSync(file, backup);
      this.#onRecovered({ backup, problem: briefProblem(error) });
      return INITIAL_WORLD;
    }
  }

  /** Replaces the state; a reader sees the old or the new one, never half of it. */
  change(step: (state: WorldState) => WorldState): WorldState {
    const next = worldSchema.parse(step(this.read()));
    const file = join(this.directory, 'world.json');
    const temporary = `${file}.${randomUUID()}.tmp`;
    writeDurably(temporary, 'create', `${JSON.stringify(next, null, 2)}\n`);
    renameSync(temporary, file);
    return next;
  }

  /** Records, before any effect and safely on disk, that a tool body started. */
  started(tool: string, args: JSONValue): void {
    const line = JSON.stringify({ at: this.#now().toISOString(), tool, arguments: args });
    writeDurably(join(this.directory, 'world.log'), 'append', `${line}\n`);
  }

  /** The time in the demo world, which is the real one. */
  now(): Date {
    return this.#now();
  }
}

function writeDurably(file: string, how: 'append' | 'create', text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openOwnFile(file, how);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unusedBackupName(file: string): string {
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? `${file}.bak` : `${file}.${number}.bak`;
    if (!existsSync(candidate)) return candidate;
  }
}

function briefProblem(error: unknown): string {
  return error instanceof SyntaxError ? errorText(error) : 'it does not describe a demo world';
}
