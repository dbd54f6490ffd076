import type { BaseEvent } from '@ag-ui/core';
import { closeTurn } from './agent-run.ts';
import { withoutHaltText } from './client-answers.ts';
import type { OpenRun } from './open-run.ts';
import { rememberCalls } from './remember-calls.ts';

/**
 * Ends a run whose client has gone, with what it does in the background. An agent that does not let go is forgotten, so
 * that the thread is free; what the run asked is closed in both cases, before anybody else gets the thread.
 *
 * @param closed - Settles when the agent has let go.
 * @returns Nothing to send: nobody listens.
 */
export async function leaveRun(
  { request, thread, tools, begun }: OpenRun,
  closed: Promise<void>,
): Promise<readonly BaseEvent[]> {
  begun.agentRun.run?.context.stop.abort();
  if ((await request.leaving.letGo(closed)) === 'late') request.lease.discard();
  try {
    withoutHaltText(thread.agent);
    rememberCalls(thread, tools.proxyNames);
    await closeTurn(thread, begun.agentRun, { type: 'left' }, request.parts.log);
  } catch (error) {
    request.parts.log.error('A run that was left could not be tidied up', error);
  }
  return [];
}
