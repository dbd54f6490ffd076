import type { Message } from '../wire/shapes.ts';
import type { ChatItem } from './chat-item.ts';

/** A stored conversation as it is shown: each result stands with its call. System messages are not for the reader. */
export function itemsOf(messages: readonly Message[]): readonly ChatItem[] {
  const results = new Map<string, string>();
  for (const { role, toolCallId, content, error } of messages) {
    if (role === 'tool' && toolCallId !== undefined) results.set(toolCallId, error ?? plainText(content));
  }
  return messages.flatMap((message) => items(message, results));
}

function items(message: Message, results: ReadonlyMap<string, string>): readonly ChatItem[] {
  const { id, role } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'reasoning') return [];
  const text = plainText(message.content);
  const said: readonly ChatItem[] = text === '' ? [] : [{ type: role, id, text, open: false }];
  const calls = (message.toolCalls ?? []).map((call): ChatItem => {
    const result = results.get(call.id);
    const made = {
      type: 'tool',
      id: call.id,
      name: call.function.name,
      args: call.function.arguments,
      open: false,
    } as const;
    return result === undefined ? made : { ...made, result };
  });
  return [...said, ...calls];
}

/** The text of a message; other parts are named, so that nothing is left out silently. */
function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map(partText).join('\n');
}

function partText(part: unknown): string {
  if (typeof part !== 'object' || part === null) return '';
  if ('text' in part && typeof part.text === 'string') return part.text;
  return 'type' in part && typeof part.type === 'string' ? `[${part.type}]` : '';
}
