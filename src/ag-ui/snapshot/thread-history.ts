import type { Message as ClientMessage, ToolCall } from '@ag-ui/core';
import type { Message } from '@strands-agents/sdk';
import { resultContent } from '../translate/result-content.ts';
import { blockText, resultParts } from '../translate/sdk-content.ts';

/**
 * What an agent remembers, as the messages of a client that was there all the time. Their ids are those of the agent's
 * own messages, so they stay the same as long as the session does.
 */
export function threadHistory(messages: readonly Message[]): readonly ClientMessage[] {
  return messages.flatMap((message) => (message.role === 'user' ? userMessages(message) : assistantMessages(message)));
}

/** Results come before words, as they were said. */
function userMessages({ trackingId, content }: Message): ClientMessage[] {
  const results = content.flatMap((block): ClientMessage[] => {
    if (block.type !== 'toolResultBlock') return [];
    const text = resultContent(resultParts(block.content));
    const failed = block.status === 'error' ? { error: text } : {};
    const id = `${trackingId}/${block.toolUseId}`;
    return [{ id, role: 'tool', toolCallId: block.toolUseId, content: text, ...failed }];
  });
  const words = textOf(content);
  return words === '' ? results : [...results, { id: trackingId, role: 'user', content: words }];
}

function assistantMessages({ trackingId, content }: Message): ClientMessage[] {
  const thoughts = content
    .flatMap((block) => (block.type === 'reasoningBlock' && block.text ? [block.text] : []))
    .join('\n');
  const toolCalls = content.flatMap((block): ToolCall[] => {
    if (block.type !== 'toolUseBlock') return [];
    const args = JSON.stringify(block.input) ?? '{}';
    return [{ id: block.toolUseId, type: 'function', function: { name: block.name, arguments: args } }];
  });
  const said: ClientMessage = {
    id: trackingId,
    role: 'assistant',
    content: textOf(content),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
  return thoughts === '' ? [said] : [{ id: `${trackingId}/reasoning`, role: 'reasoning', content: thoughts }, said];
}

function textOf(content: Message['content']): string {
  return content
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n');
}
