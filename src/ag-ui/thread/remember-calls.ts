import type { Message as ClientMessage } from '@ag-ui/core';
import { AfterToolCallEvent } from '@strands-agents/sdk';
import { trailingResults } from '../request/continuation.ts';
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

/**
 * Forgets the calls that neither the agent's history nor the request tells of any more, with their results: here a
 * conversation that is trimmed would be kept whole. With a session nothing is asked about but the results that end a request.
 */
export function forgetCalls({ agent, known, durable }: ThreadAgent, messages: readonly ClientMessage[]): void {
  const told = new Set([
    ...agent.messages.flatMap(({ content }) =>
      content.map((block) => (block.type === 'toolUseBlock' ? block.toolUseId : undefined)),
    ),
    ...(durable ? trailingResults(messages) : messages).flatMap(callsToldBy),
  ]);
  for (const id of known.keys()) if (!told.has(id)) known.delete(id);
}

function callsToldBy(message: ClientMessage): readonly string[] {
  if (message.role === 'tool') return [message.toolCallId];
  return message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [];
}
