import { type Agent, Message, TextBlock, ToolResultBlock } from '@strands-agents/sdk';
import { type Language, message } from '../core/i18n.ts';

/**
 * Brings a history to a state that the next model call accepts: every tool use has a result, and the last word is the
 * assistant's. Called between turns only.
 *
 * @param closing - What the assistant is made to say where it said nothing; a language, to say that it was cancelled.
 */
export function repairHistory(agent: Agent, closing: Language | { readonly text: string }): void {
  answerToolUses(agent);
  if (agent.messages.at(-1)?.role !== 'user') return;
  const text = typeof closing === 'string' ? message(closing, 'notice.cancelled') : closing.text;
  agent.messages.push(new Message({ role: 'assistant', content: [new TextBlock(text)] }));
}

/**
 * Makes the history end on the user, so that a parked message with tool calls can follow: a direct call or a lost
 * session may have left it on the assistant, or empty.
 */
export function openForCalls(agent: Agent): void {
  if (agent.messages.at(-1)?.role === 'user') return;
  agent.messages.push(new Message({ role: 'user', content: [new TextBlock('Go on with the calls that waited.')] }));
}

function answerToolUses(agent: Agent): void {
  const last = agent.messages.at(-1);
  if (last?.role !== 'assistant') return;
  const results = last.content.flatMap((block) =>
    block.type === 'toolUseBlock'
      ? [
          new ToolResultBlock({
            toolUseId: block.toolUseId,
            status: 'error',
            content: [new TextBlock('Tool execution interrupted')],
          }),
        ]
      : [],
  );
  if (results.length > 0) agent.messages.push(new Message({ role: 'user', content: results }));
}
