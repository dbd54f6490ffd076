import type { ThreadStatus } from '../wire/shapes.ts';

/**
 * Where the conversation is.
 *
 * | phase | meaning |
 * |---|---|
 * | `idle` | the agent is done; write the next message |
 * | `running` | this page listens to a run |
 * | `elsewhere` | a run goes on that this page did not start |
 * | `waiting` | a question is open; nothing goes on before it is answered |
 * | `stopped` | the person stopped the run |
 * | `failed` | the run ended with an error |
 * | `lost` | the connection broke; the run may go on in the hub |
 * | `unsure` | the hub did not answer; it may not have heard what was said |
 */
export type Phase = 'idle' | 'running' | 'elsewhere' | 'waiting' | 'stopped' | 'failed' | 'lost' | 'unsure';

/** Whether what the hub tells about the conversation makes it worth reading again. */
export function isNews(phase: Phase, status: string): boolean {
  if (phase === 'running') return false;
  return !isOver(phase) || status !== 'idle';
}

/** The phase of a conversation that was read again: how its last run ended is only known here. */
export function phaseAfter(before: Phase, status: ThreadStatus): Phase {
  if (status === 'idle') return isOver(before) ? before : 'idle';
  return status === 'running' ? 'elsewhere' : 'waiting';
}

function isOver(phase: Phase): boolean {
  return phase === 'idle' || phase === 'stopped' || phase === 'failed';
}
