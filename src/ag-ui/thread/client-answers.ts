import type { ToolMessage } from '@ag-ui/core';
import {
  type Agent,
  type ToolResultBlock as Block,
  Message,
  TextBlock,
  ToolResultBlock,
  type ToolResultBlockData,
} from '@strands-agents/sdk';
import { HALT_TEXT } from '../translate/translation.ts';

/** What a client's tool answers on the server, until the client's own answer comes. */
const PLACEHOLDER = 'Forwarded to client';

/** Whether a result only stands for the answer of a client. */
export function isPlaceholder({ content }: Pick<ToolResultBlockData, 'content'>): boolean {
  const [block] = content;
  return content.length === 1 && block !== undefined && 'text' in block && block.text === PLACEHOLDER;
}

/**
 * Takes out the text that ended a turn for the client's sake; nobody said it.
 *
 * @returns Whether there was one.
 */
export function withoutHaltText(agent: Agent): boolean {
  const last = agent.messages.at(-1);
  const [block] = last?.content ?? [];
  if (last?.role !== 'assistant' || block?.type !== 'textBlock' || block.text !== HALT_TEXT) return false;
  agent.messages.pop();
  return true;
}

/**
 * Puts the client's answers in the place of the placeholders that the agent's own history has for them. Only a
 * placeholder is ever replaced: what the server answered stays, also for a call of a client's tool that it refused. A
 * client repeats the results of the server's calls in the same batch beside its own; they are passed over.
 *
 * @returns Whether the answers are those of the last calls, so that the agent can go on without a prompt.
 */
export function placeClientAnswers(
  agent: Agent,
  answers: readonly ToolMessage[],
  isClientTool: (name: string) => boolean,
): boolean {
  const last = agent.messages.at(-1);
  const before = agent.messages.at(-2);
  if (last?.role !== 'user' || before?.role !== 'assistant') return false;
  const calls = before.content.filter((block) => block.type === 'toolUseBlock');
  const made = new Set(calls.map(({ toolUseId }) => toolUseId));
  if (!answers.every(({ toolCallId }) => made.has(toolCallId))) return false;
  const clientCalls = new Set(calls.filter(({ name }) => isClientTool(name)).map(({ toolUseId }) => toolUseId));
  const byId = new Map(answers.map((answer) => [answer.toolCallId, answer]));
  const content = last.content.map((block) => {
    const answer = isOpen(block, clientCalls) ? byId.get(block.toolUseId) : undefined;
    return block.type === 'toolResultBlock' && answer !== undefined ? clientResult(block.toolUseId, answer) : block;
  });
  if (content.every((block, i) => block === last.content[i])) return false;
  agent.messages[agent.messages.length - 1] = new Message({ role: 'user', content, trackingId: last.trackingId });
  return true;
}

function isOpen(block: Message['content'][number], asked: ReadonlySet<string>): block is Block {
  return block.type === 'toolResultBlock' && asked.has(block.toolUseId) && isPlaceholder(block.toJSON().toolResult);
}

/** What a client answered to a call of one of its tools, as the result that the agent reads. */
export function clientResult(toolUseId: string, { content, error }: ToolMessage): ToolResultBlock {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const shown = error === undefined ? text : `${error}${text === '' ? '' : ` (returned: ${text})`}`;
  const status = error === undefined ? 'success' : 'error';
  return new ToolResultBlock({ toolUseId, status, content: [new TextBlock(shown === '' ? ' ' : shown)] });
}
