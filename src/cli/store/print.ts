import { once } from 'node:events';
import type { TerminalOutput } from '../../channels/terminal/index.ts';

/** Writes a text, and waits for a slow reader rather than keeping what it has not read in memory. */
export async function print(output: TerminalOutput, text: string): Promise<void> {
  if (output.write(text) || output.destroyed || output.closed) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(output, 'drain', { signal }), once(output, 'close', { signal })]).catch(() => undefined);
  // Takes back the listener of what did not happen.
  over.abort();
}
