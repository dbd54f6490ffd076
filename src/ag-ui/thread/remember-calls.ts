import { AfterToolCallEvent } from '@strands-agents/sdk';
import { callsIn } from '../request/known-calls.ts';
import { isProxyTool } from '../tools/client-tools.ts';
import { isPlaceholder } from './client-answers.ts';
import type { ThreadAgent } from './thread-agent.ts';

/** Keeps what the agent itself called, so that a client's copy of a result never stands in for it. */
export function rememberCalls(thread: ThreadAgent, proxyNames: ReadonlySet<string>): void {
  const own = thread.agent.messages.filter(({ trackingId }) => !thread.replayed.has(trackingId));
  const calls = callsIn(
    own.map((message) => message.toJSON()),
    (name) => proxyNames.has(name),
  );
  for (const [id, call] of calls) {
    const { result, ...unanswered } = call;
    thread.known.set(id, result !== undefined && isPlaceholder(result) ? unanswered : call);
  }
}

/** Keeps results as tools give them: the history of a run that is left may never get to hold them. */
export function rememberResults(thread: ThreadAgent): void {
  thread.agent.addHook(AfterToolCallEvent, ({ toolUse, result, tool }) => {
    if (isProxyTool(tool)) return;
    const { toolUseId, name, input } = toolUse;
    thread.known.set(toolUseId, { name, input, result: result.toJSON().toolResult });
  });
}
