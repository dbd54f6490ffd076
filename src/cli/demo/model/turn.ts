import type { Message, ToolResultBlock } from '@strands-agents/sdk';
import { isJsonObject, type JSONValue, sealJson } from '../../../core/json.ts';
import type { ToolInput } from './intent.ts';
import type { Exchange } from './request.ts';

/** One call that was made for the newest request, with what came back. */
export interface FinishedCall {
  readonly tool: string;
  readonly input: ToolInput;
  readonly status: 'success' | 'error';
  /** The whole result as text. */
  readonly text: string;
  /** The result as data; a text where it is no JSON. */
  readonly data: JSONValue;
}

/** A conversation as the demo model looks at it. */
export interface Conversation {
  readonly exchanges: readonly Exchange[];
  /** The calls since the newest request, in order. */
  readonly calls: readonly FinishedCall[];
}

/** Reads the messages of a conversation. */
export function readConversation(messages: readonly Message[]): Conversation {
  const results = resultsById(messages);
  const exchanges: { request: string; answer: string }[] = [];
  let calls: FinishedCall[] = [];
  for (const message of messages) {
    const text = textIn(message);
    if (isRequest(message)) {
      exchanges.push({ request: text, answer: '' });
      calls = [];
    } else if (message.role === 'assistant') {
      const current = exchanges.at(-1);
      if (current !== undefined && text !== '') current.answer = text;
      calls.push(...callsIn(message, results));
    }
  }
  return { exchanges, calls };
}

function isRequest({ role, content }: Message): boolean {
  return (
    role === 'user' &&
    content.some(({ type }) => type === 'textBlock') &&
    !content.some(({ type }) => type === 'toolResultBlock')
  );
}

function textIn({ content }: Message): string {
  return content.flatMap((block) => (block.type === 'textBlock' ? [block.text] : [])).join('\n');
}

function resultsById(messages: readonly Message[]): ReadonlyMap<string, ToolResultBlock> {
  const blocks = messages.flatMap(({ content }) => content.filter((block) => block.type === 'toolResultBlock'));
  return new Map(blocks.map((block) => [block.toolUseId, block]));
}

function callsIn({ content }: Message, results: ReadonlyMap<string, ToolResultBlock>): readonly FinishedCall[] {
  return content.flatMap((block) => {
    if (block.type !== 'toolUseBlock') return [];
    const result = results.get(block.toolUseId);
    if (result === undefined) return [];
    const input = isJsonObject(block.input) ? block.input : {};
    return [{ tool: block.name, input, status: result.status, ...readResult(result) }];
  });
}

function readResult({ content }: ToolResultBlock): Pick<FinishedCall, 'text' | 'data'> {
  const json = content.find((block) => block.type === 'jsonBlock');
  const text = content.flatMap((block) => (block.type === 'textBlock' ? [block.text] : [])).join('\n');
  if (json !== undefined) return { text: text === '' ? JSON.stringify(json.json) : text, data: sealJson(json.json) };
  return { text, data: parsed(text) };
}

function parsed(text: string): JSONValue {
  try {
    return sealJson(JSON.parse(text));
  } catch {
    return text;
  }
}
