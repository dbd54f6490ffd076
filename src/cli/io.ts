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

/** Variables that hold a secret of tau's own. */
const SECRETS = ['TAU_TOKEN'] as const;

/**
 * The outside of this process. A reader that leaves early, such as `head`, is no reason to fail. Secrets are taken out of
 * the environment of the process, where tools and what they start could read them; they are only in what is returned.
 */
export function processIo(): CliIo {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount('error') === 0) stream.on('error', () => undefined);
  }
  const env = { ...process.env };
  for (const name of SECRETS) delete process.env[name];
  return { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env, cwd: process.cwd() };
}
