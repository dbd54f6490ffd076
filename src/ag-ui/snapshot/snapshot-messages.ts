import type { Message } from '@ag-ui/core';

/**
 * The messages of a request as a snapshot shows them: optional fields that hold `null` are left out, since clients of
 * the older protocol refuse those, and an assistant message has a `content`, if only an empty one. The request is not
 * changed.
 */
export function buildSnapshotMessages(messages: readonly Message[]): Message[] {
  return messages.map(normalized);
}

function normalized(message: Message): Message {
  if (isComplete(message)) return message;
  const present = Object.fromEntries(
    Object.entries(message).filter(([key, value]) => key === 'content' || (value !== null && value !== undefined)),
  );
  const filled = message.role === 'assistant' ? { ...present, content: message.content ?? '' } : present;
  // Only fields that were absent in all but name were taken away.
  return filled as unknown as Message;
}

/** Whether there is nothing to leave out or to fill in. */
function isComplete(message: Message): boolean {
  if (message.content === undefined) return false;
  return Object.values(message).every((value) => value !== null && value !== undefined);
}
