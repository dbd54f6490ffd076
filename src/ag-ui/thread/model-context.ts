import { type Agent, type InvocationState, InvokeModelStage, Message, TextBlock } from '@strands-agents/sdk';

/** Takes away what an agent's earlier run showed. */
const undo = new WeakMap<Agent, () => void>();

/**
 * Shows a text to the model in each call of one run. The agent's history and session never have it. A run without one
 * has no middleware either, which would cost something for every event of the model.
 *
 * @param invocationState - The very object that the run is started with; it tells the run from others of the agent.
 * @param text - `undefined` shows nothing.
 */
export function showToModel(agent: Agent, invocationState: InvocationState, text: string | undefined): void {
  undo.get(agent)?.();
  undo.delete(agent);
  if (text === undefined) return;
  const remove = agent.addMiddleware(InvokeModelStage.Input, (call) =>
    call.invocationState === invocationState ? { ...call, messages: withText(call.messages, text) } : call,
  );
  undo.set(agent, remove);
}

/**
 * Puts a text before the user's last question, in the same turn: a turn of its own beside it would break the
 * alternation of roles, and beside the results of tools some providers take nothing else.
 */
function withText(messages: readonly Message[], text: string): readonly Message[] {
  const block = new TextBlock(`${text}\n\n`);
  const at = messages.findLastIndex(isQuestion);
  const question = messages[at];
  if (question === undefined) return [new Message({ role: 'user', content: [block] }), ...messages];
  const { role, content, trackingId, metadata } = question;
  const asked = new Message({
    role,
    content: [block, ...content],
    trackingId,
    ...(metadata === undefined ? {} : { metadata }),
  });
  return messages.with(at, asked);
}

function isQuestion({ role, content }: Message): boolean {
  return role === 'user' && content.every(({ type }) => type !== 'toolResultBlock');
}
