import type { Message, RunAgentInput } from '@ag-ui/core';

/** A request of a client. */
export function request(threadId: string, runId: string, messages: Message[]): RunAgentInput {
  return { threadId, runId, messages, tools: [], context: [], state: {}, forwardedProps: {} };
}

/** A message of the user. */
export function user(id: string, content: string): Message {
  return { id, role: 'user', content };
}

/** What a user and an assistant said in turn; it ends with the assistant. */
export function history(messages: number): Message[] {
  return Array.from({ length: messages }, (_, at): Message => {
    const content = `Message ${at}. ${'The lamp in the hall is on. '.repeat(6)}`;
    return at % 2 === 0 ? user(`m${at}`, content) : { id: `m${at}`, role: 'assistant', content };
  });
}
