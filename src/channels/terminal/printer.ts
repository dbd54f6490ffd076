import type { TerminalOutput } from './streams.ts';

/** Whether nobody can see the output any more. */
export function isGone(output: TerminalOutput): boolean {
  return output.destroyed || output.writableEnded || output.errored !== null;
}

/** Writes and waits until it is out. Rejects when it did not get there. */
export function print(output: TerminalOutput, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (isGone(output)) reject(new Error('the output is closed'));
    else output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Keeps a broken output from ending the process; whoever prints learns of it from `print`. */
export function survive(output: TerminalOutput): void {
  if (!survivors.has(output)) output.on('error', () => undefined);
  survivors.add(output);
}

const survivors = new WeakSet<TerminalOutput>();
