import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { CLI, type CliFolder, cliEnv } from './run-cli.ts';

/** The command line in a terminal of its own, with a person who types. */
export class PtyCli implements Disposable {
  readonly #pty: IPty;
  readonly #ended: Promise<number>;
  #raw = '';
  #listeners: (() => void)[] = [];

  constructor(folder: CliFolder, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#pty = spawn(process.execPath, [CLI, ...argv], {
      name: 'xterm-256color',
      cols: 100,
      rows: 40,
      cwd: folder.path,
      env: cliEnv({ TERM: 'xterm-256color', ...env }),
    });
    this.#ended = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
    this.#pty.onData((data) => {
      this.#raw += data;
      for (const listener of this.#listeners) listener();
    });
  }

  /** Everything that was printed, with colours and cursor movements. */
  get raw(): string {
    return this.#raw;
  }

  /** Everything that was printed, without colours and cursor movements. */
  get text(): string {
    return stripVTControlCharacters(this.#raw);
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  /** Waits until a text was printed, after the first `from` characters of `text`; returns where it ends. */
  async sees(wanted: string, from = 0): Promise<number> {
    const find = (): number => this.text.indexOf(wanted, from);
    if (find() === -1) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`'${wanted}' was not printed; this was:\n${this.text}`)),
          20_000,
        );
        const listener = (): void => {
          if (find() === -1) return;
          clearTimeout(timer);
          this.#listeners = this.#listeners.filter((other) => other !== listener);
          resolve();
        };
        this.#listeners.push(listener);
      });
    }
    return find() + wanted.length;
  }

  /** The exit code, once the program has ended. */
  ended(): Promise<number> {
    return this.#ended;
  }

  [Symbol.dispose](): void {
    try {
      this.#pty.kill('SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}
