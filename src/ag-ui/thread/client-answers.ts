import type { ToolMessage } from '@ag-ui/core';
import { type Agent, type ToolResultBlock as Block, Message, TextBlock, ToolResultBlock } from '@strands-agents/sdk';
import { HALT_TEXT } from '../translate/translation.ts';

/** Takes out the text that ended a turn for the client's sake; nobody said it. */
export function withoutHaltText(agent: Agent): void {
  const last = agent.messages.at(-1);
  const [block] = last?.content ?? [];
  if (last?.role === 'assistant' && block?.type === 'textBlock' && block.text === HALT_TEXT) agent.messages.pop();
}

/**
 * Puts the client's answers in the place of the placeholders that the agent's own history has for them.
 *
 * @returns Whether every answer found its place and is the last word, so that the agent can go on without a prompt.
 */
export function placeClientAnswers(
  agent: Agent,
  answers: readonly ToolMessage[],
  isClientTool: (name: string) => boolean,
): boolean {
  const last = agent.messages.at(-1);
  const before = agent.messages.at(-2);
  if (last?.role !== 'user' || before?.role !== 'assistant' || answers.length === 0) return false;
  const asked = new Set(
    before.content.flatMap((block) =>
      block.type === 'toolUseBlock' && isClientTool(block.name) ? [block.toolUseId] : [],
    ),
  );
  if (!answers.every(({ toolCallId }) => asked.has(toolCallId))) return false;
  const byId = new Map(answers.map((answer) => [answer.toolCallId, answer]));
  const content = last.content.map((block) => {
    const answer = block.type === 'toolResultBlock' ? byId.get(block.toolUseId) : undefined;
    return block.type === 'toolResultBlock' && answer !== undefined ? answered(block, answer) : block;
  });
  agent.messages[agent.messages.length - 1] = new Message({ role: 'user', content, trackingId: last.trackingId });
  return true;
}

function answered({ toolUseId }: Block, { content, error }: ToolMessage): ToolResultBlock {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const shown = error === undefined ? text : `${error}${text === '' ? '' : ` (returned: ${text})`}`;
  const status = error === undefined ? 'success' : 'error';
  return new ToolResultBlock({ toolUseId, status, content: [new TextBlock(shown === '' ? ' ' : shown)] });
}
