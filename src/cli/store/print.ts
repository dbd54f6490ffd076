import { once } from 'node:events';
import type { TerminalOutput } from '../../channels/terminal/index.ts';

/** Writes a text, and waits for a slow reader rather than keeping what it has not read in memory. */
export async function print(output: TerminalOutput, text: string): Promise<void> {
  if (output.write(text) || output.destroyed || output.closed) return;
  await Promise.race([once(output, 'drain'), once(output, 'close')]).catch(() => undefined);
}
