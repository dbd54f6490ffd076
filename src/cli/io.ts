import type { TerminalInput, TerminalOutput } from '../channels/terminal/index.ts';

/** Everything of the outside that the command line touches, so that a test can hand it another outside. */
export interface CliIo {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
}

/** The outside of this process. A reader that leaves early, such as `head`, is no reason to fail. */
export function processIo(): CliIo {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount('error') === 0) stream.on('error', () => undefined);
  }
  return { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: process.env, cwd: process.cwd() };
}
