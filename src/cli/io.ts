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

/** The outside of this process. */
export function processIo(): CliIo {
  return { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: process.env, cwd: process.cwd() };
}
