import type { Message as ClientMessage } from '@ag-ui/core';
import { Message } from '@strands-agents/sdk';
import type { JSONValue } from '../../core/json.ts';
import { replayHistory } from '../request/history.ts';
import { pendingCalls } from './pending-calls.ts';
import type { ThreadAgent } from './thread-agent.ts';

/**
 * Gives an agent that remembers nothing, because its process is gone and it has no session, what the client knows of the
 * conversation before the calls that wait. It is the client's word: the model reads it, and it decides nothing.
 */
export function recall(thread: ThreadAgent, messages: readonly ClientMessage[], pending: JSONValue): void {
  if (thread.durable || thread.agent.messages.length > 0) return;
  const waiting = new Set(pendingCalls(pending).map(({ id }) => id));
  const calls = messages.findIndex(
    (message) => message.role === 'assistant' && message.toolCalls?.some(({ id }) => waiting.has(id)) === true,
  );
  const before = calls === -1 ? messages : messages.slice(0, calls);
  thread.agent.messages.push(...replayHistory(before).messages.map((data) => Message.fromMessageData(data)));
  thread.markReplayed();
}
