import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What was compiled once need not be compiled by each of hundreds of processes. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'tau-chaos-compiled') };

/** A process that says lines, and can be killed at any time. */
export class Mortal {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #errors = '';

  /** @param onLine - Gets every line that it says, also those it had said when it was killed. */
  constructor(program: string, args: readonly string[], onLine: (line: string) => void) {
    const file = fileURLToPath(new URL(program, import.meta.url));
    this.#child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    const { stdout, stderr } = this.#child;
    if (stdout === null || stderr === null) throw new Error('a process without pipes');
    stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errors += chunk;
    });
    const lines = createInterface({ input: stdout }).on('line', onLine);
    this.#ended = Promise.all([once(this.#child, 'close'), once(lines, 'close')]);
  }

  /** Stops it where it is, until `goOn`. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  /** Kills it, and resolves once everything that it said was read. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Waits for its own end; what it complained about when it failed. */
  async end(): Promise<string | undefined> {
    await this.#ended;
    return this.#child.exitCode === 0 ? undefined : this.#errors.slice(0, 2000) || `exit code ${this.#child.exitCode}`;
  }
}
