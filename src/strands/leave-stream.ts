import type { LocalAgent } from '@strands-agents/sdk';
import { hasUntold } from './run-context.ts';

/**
 * Ends the stream of an agent that was cancelled. While it dispatches tools its stream is read to the end: what they did
 * would be missing in the history otherwise. Settles when the stream has ended, which a tool that hangs can put off for
 * ever.
 */
export async function leaveStream<T, R>(agent: LocalAgent, stream: AsyncGenerator<T, R, undefined>): Promise<void> {
  let next = hasUntold(agent) ? await stream.next() : await stream.return(undefined as R);
  while (!next.done) next = await stream.next();
}
