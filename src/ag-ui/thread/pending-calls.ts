/** The calls that a thread waits at, as JSON of the SDK's own: what the bridge reads of them, and the one thing it changes. */
import type { ToolMessage } from '@ag-ui/core';
import { isJsonArray, isJsonObject, type JSONValue } from '../../core/json.ts';
import { clientResult } from './client-answers.ts';

/** One call of the message that a thread waits at. */
export interface PendingCall {
  readonly id: string;
  readonly name: string;
}

/** The calls of the message that a thread waits at; none when it cannot be read. */
export function pendingCalls(pending: JSONValue | undefined): readonly PendingCall[] {
  const message = isJsonObject(pending) ? pending.assistantMessageData : undefined;
  const content = isJsonObject(message) ? message.content : undefined;
  if (content === undefined || !isJsonArray(content)) return [];
  return content.flatMap((block) => {
    const use = isJsonObject(block) ? block.toolUse : undefined;
    if (!isJsonObject(use) || typeof use.toolUseId !== 'string' || typeof use.name !== 'string') return [];
    return [{ id: use.toolUseId, name: use.name }];
  });
}

/**
 * Pending calls with what the client says about its own tools: an answer stands for the call, and one that it has not
 * answered is dispatched again, so that the run ends there and waits for it. Calls of the server's tools stay as they are.
 */
export function withClientAnswers(
  pending: JSONValue,
  answers: readonly ToolMessage[],
  isClientTool: (name: string) => boolean,
): JSONValue {
  const calls = pendingCalls(pending).filter(({ name }) => isClientTool(name));
  if (calls.length === 0 || !isJsonObject(pending)) return pending;
  const completed = isJsonObject(pending.completedToolResults) ? pending.completedToolResults : {};
  const kept = new Map(Object.entries(completed));
  for (const { id } of calls) {
    const answer = answers.findLast(({ toolCallId }) => toolCallId === id);
    if (answer === undefined) kept.delete(id);
    else kept.set(id, JSON.parse(JSON.stringify(clientResult(id, answer))) as JSONValue);
  }
  return { ...pending, completedToolResults: Object.fromEntries(kept) };
}
