import { errorText } from '../../core/errors.ts';
import { readCheckpoint } from '../../strands/checkpoint.ts';
import { endDamagedTurn } from '../../strands/damaged-turn.ts';
import type { Logger } from '../config.ts';
import { dropStop } from './agent-run.ts';
import type { ThreadAgent } from './thread-agent.ts';
import type { ThreadKey } from './thread-key.ts';

/**
 * Ends what a thread waits at and nobody can read, in the store or in its agent. It could never go on, and no request would
 * get past it: its questions are void, and the thread is free again.
 */
export async function endUnreadable(thread: ThreadAgent, key: ThreadKey, log: Logger): Promise<void> {
  if (thread.guarded !== undefined) await endDamagedTurn(thread.guarded.gate, key);
  try {
    readCheckpoint(thread.agent);
  } catch (error) {
    log.error(`What a thread waits at cannot be read; it is dropped: ${errorText(error)}`);
    await dropStop(thread, key);
  }
}
