import type { Message } from '../wire/shapes.ts';
import type { ChatItem } from './chat-item.ts';

/** A stored conversation as it is shown: each result stands with its call. System messages are not for the reader. */
export function itemsOf(messages: readonly Message[]): readonly ChatItem[] {
  const results = new Map<string, Result>();
  for (const { role, toolCallId, content, error } of messages) {
    if (role !== 'tool' || toolCallId === undefined) continue;
    const failed = error === undefined ? {} : { failed: true };
    results.set(toolCallId, { result: error ?? plainText(content), ...failed });
  }
  return messages.flatMap((message) => items(message, results));
}

type Result = Pick<Extract<ChatItem, { type: 'tool' }>, 'result' | 'failed'>;

function items(message: Message, results: ReadonlyMap<string, Result>): readonly ChatItem[] {
  const { id, role } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'reasoning') return [];
  const text = plainText(message.content);
  const said: readonly ChatItem[] = text === '' ? [] : [{ type: role, id, text, open: false }];
  const calls = (message.toolCalls ?? []).map((call): ChatItem => {
    const { name, arguments: args } = call.function;
    return { type: 'tool', id: call.id, name, args, open: false, ...results.get(call.id) };
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
