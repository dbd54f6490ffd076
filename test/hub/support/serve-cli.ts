import { spawn } from 'node:child_process';
import { CLI, type CliFolder, cliEnv } from '../../e2e/cli-fixtures/run-cli.ts';

/** `tau serve` in a process of its own. */
export class ServeCli implements AsyncDisposable {
  readonly #folder: CliFolder;
  readonly #child: ReturnType<typeof spawn>;
  readonly #ended: Promise<number | null>;
  out = '';
  err = '';

  constructor(
    folder: CliFolder,
    argv: readonly string[] = ['--demo'],
    env: Readonly<Record<string, string>> = {},
    program: string = CLI,
  ) {
    this.#folder = folder;
    this.#child = spawn(process.execPath, [program, 'serve', '--port', '0', ...argv], {
      cwd: folder.path,
      env: cliEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (data) => {
      this.out += String(data);
    });
    this.#child.stderr?.on('data', (data) => {
      this.err += String(data);
    });
    this.#ended = new Promise((resolve) => this.#child.on('exit', (code) => resolve(code)));
  }

  /** The one-time link that it prints. */
  async link(): Promise<string> {
    for (;;) {
      const link = /http\S+\/login#\S+(?=\n)/.exec(this.out)?.[0];
      if (link !== undefined) return link;
      if (this.#child.exitCode !== null) throw new Error(`tau serve ended: ${this.err}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Where it listens, once it says so. */
  async url(): Promise<string> {
    await this.link();
    const address: { readonly url: string } = JSON.parse(this.#folder.read('.tau/hub.json'));
    return address.url;
  }

  async stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return this.#ended;
  }

  /** Its exit code, when it ends by itself. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
