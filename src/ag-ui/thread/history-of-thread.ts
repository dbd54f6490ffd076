import type { Message as ClientMessage, RunAgentInput } from '@ag-ui/core';
import { type Agent, type ContentBlockData, Message, type MessageData } from '@strands-agents/sdk';
import { isJsonArray, isJsonObject, type JSONValue } from '../../core/json.ts';
import { readCheckpoint } from '../../strands/checkpoint.ts';
import { loadParkedTurn } from '../../strands/parked-turn.ts';
import { trailingResults } from '../request/continuation.ts';
import { threadHistory } from '../snapshot/thread-history.ts';
import type { ThreadAgent } from './thread-agent.ts';

/** Everything that was said in a thread, the calls it waits at included. */
export async function historyOfThread(
  { agent, guarded }: ThreadAgent,
  conversation: string,
): Promise<readonly ClientMessage[]> {
  const parked = guarded === undefined ? undefined : await loadParkedTurn(guarded.gate.store, conversation);
  const pending = waitingMessages(parked?.pending ?? pendingOf(agent));
  const known = new Set(agent.messages.map(({ trackingId }) => trackingId));
  const batch = pending[0]?.trackingId;
  return threadHistory(batch !== undefined && known.has(batch) ? agent.messages : [...agent.messages, ...pending]);
}

/**
 * A request as a client would send it that was there all the time: the thread's own history, and what the request adds
 * to it. What the client remembers of the conversation is left out, for the server knows better.
 */
export function withHistory(input: RunAgentInput, history: readonly ClientMessage[]): RunAgentInput {
  const instructions = input.messages.filter(({ role }) => role === 'system' || role === 'developer');
  const said = newlySaid(input);
  const answered = new Set(said.map((message) => (message.role === 'tool' ? message.toolCallId : undefined)));
  const kept = history.filter((message) => message.role !== 'tool' || !answered.has(message.toolCallId));
  return { ...input, messages: [...instructions, ...kept, ...said] };
}

function newlySaid(input: RunAgentInput): readonly ClientMessage[] {
  const results = trailingResults(input.messages);
  if (results.length > 0) return results;
  const last = input.messages.at(-1);
  return last?.role === 'user' && (input.resume ?? []).length === 0 ? [last] : [];
}

/** What the agent itself holds of its calls. A reader gets what can be read; the next run ends the rest. */
function pendingOf(agent: Agent): JSONValue | undefined {
  try {
    return readCheckpoint(agent).pending;
  } catch {
    return undefined;
  }
}

/** The message whose calls wait, and the results that are there already; none when they cannot be read. */
function waitingMessages(pending: JSONValue | undefined): readonly Message[] {
  if (!isJsonObject(pending)) return [];
  const { assistantMessageData: asked, completedToolResults: done } = pending;
  const results = isJsonObject(done) ? Object.values(done) : [];
  return [...messageOf(asked), ...(results.length === 0 ? [] : messageOf({ role: 'user', content: results }))];
}

function messageOf(data: JSONValue | undefined): readonly Message[] {
  if (!isJsonObject(data) || data.content === undefined || !isJsonArray(data.content)) return [];
  try {
    const { role, trackingId } = data;
    // The SDK wrote these blocks; one that it cannot read any more throws.
    const content = structuredClone(data.content) as unknown as ContentBlockData[];
    const message: MessageData = {
      role: role === 'assistant' ? 'assistant' : 'user',
      content,
      ...(typeof trackingId === 'string' ? { trackingId } : {}),
    };
    return [Message.fromMessageData(message)];
  } catch {
    return [];
  }
}
