import type { Message, RunAgentInput } from '@ag-ui/core';
import type { BridgeParts } from '../bridge-parts.ts';
import type { RequestContext } from '../config.ts';
import { historyOfThread } from './history-of-thread.ts';
import { threadKey } from './thread-key.ts';
import { threadOfRequest } from './thread-of-request.ts';
import type { Lease } from './threads.ts';

/**
 * Reads a thread: from the agent that is held, else from its session. A thread that has neither is empty. Nobody has to
 * wait for a reader, so it takes no lease; what it loads is for itself alone.
 */
export async function readThread(
  parts: BridgeParts,
  input: RunAgentInput,
  context: RequestContext,
): Promise<readonly Message[]> {
  const key = threadKey(input.threadId, context.principal);
  const held = parts.threads.peek(key);
  if (held !== undefined) return historyOfThread(held, key);
  const own = parts.agentsByThread?.has(key) === true ? parts : { ...parts, agentsByThread: undefined };
  const request = { parts: own, input, context, key, lease: OWN_COPY, invocationState: undefined, isWakeUp: false };
  return historyOfThread(await threadOfRequest(request), key);
}

const OWN_COPY: Lease = {
  agent: (make) => make(),
  discard: () => undefined,
  release: () => undefined,
  isHeld: () => true,
};
