import { type Agent, type InvocationState, InvokeModelStage, Message, TextBlock } from '@strands-agents/sdk';

/** What the model is shown beside the history, in one run of an agent. */
interface Shown {
  readonly invocationState: InvocationState;
  readonly text: string;
}

const shown = new WeakMap<object, Shown>();

/** Lets an agent's model calls show what `showToModel` says. For an agent that is served; once. */
export function installModelContext(agent: Agent): void {
  agent.addMiddleware(InvokeModelStage.Input, (call) => {
    const run = shown.get(call.agent);
    if (run === undefined || run.invocationState !== call.invocationState) return call;
    return { ...call, messages: withText(call.messages, run.text) };
  });
}

/**
 * Shows a text to the model in each call of one run. The agent's history and session never have it.
 *
 * @param invocationState - The very object that the run is started with; it tells the run from others of the agent.
 * @param text - `undefined` shows nothing.
 */
export function showToModel(agent: Agent, invocationState: InvocationState, text: string | undefined): void {
  if (text === undefined) shown.delete(agent);
  else shown.set(agent, { invocationState, text });
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
