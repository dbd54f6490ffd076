import type { HubClient } from '../wire/hub-client.ts';
import { eventShape } from '../wire/shapes.ts';
import type { ChatState } from './chat-shape.ts';
import { applyEvent, breakOff, type ChatEvent, isTaken } from './chat-state.ts';
import { giveBack } from './sent.ts';
import { SseParser } from './sse.ts';

/** How the page shows what a run does: it is handed a change of the conversation at a time. */
export type Change = (edit: (state: ChatState) => ChatState) => void;

/**
 * Sends one message and follows the run. The hub keeps the conversation, so nothing but the new message is sent.
 * Resolves when the run has ended, was stopped or was lost, to whether all of it was followed: if not, the conversation has
 * to be read again. Rejects never.
 */
export async function followRun(
  hub: HubClient,
  message: { readonly threadId: string; readonly runId: string; readonly id: string; readonly text: string },
  change: Change,
  signal: AbortSignal,
): Promise<boolean> {
  const { threadId, runId, id, text } = message;
  const input = {
    threadId,
    runId,
    state: {},
    messages: [{ id, role: 'user', content: text }],
    tools: [],
    context: [],
    forwardedProps: {},
  };
  const reply = await hub.run(input, signal);
  if (!reply.ok && reply.status !== 0) {
    const problem = reply.message ?? `HTTP ${reply.status}`;
    change((state) => giveBack(state, { type: 'refused', problem }));
    return true;
  }
  const ended = reply.ok && (await readEvents(reply.value, change).catch(() => false));
  const how = signal.aborted ? 'stopped' : reply.ok ? 'lost' : 'unsure';
  change((state) => (state.phase === 'running' ? breakOff(state, how) : state));
  return ended || signal.aborted;
}

/** Whether the run ended as it should, or with an error of its own. */
async function readEvents(body: NonNullable<Response['body']>, change: Change): Promise<boolean> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new SseParser();
  let ended = false;
  for (;;) {
    const { done, value = '' } = await reader.read();
    const events = parser.push(value).flatMap(decode);
    if (events.length > 0) change((state) => events.reduce(applyEvent, state));
    ended ||= events.some(isEnd);
    if (done) return ended;
  }
}

/** Of a run that found the conversation taken nothing was followed. */
function isEnd(event: ChatEvent): boolean {
  return event.type === 'RUN_FINISHED' || (event.type === 'RUN_ERROR' && !isTaken(event));
}

function decode(data: string): readonly ChatEvent[] {
  try {
    const read = eventShape.safeParse(JSON.parse(data));
    return read.success ? [read.data] : [];
  } catch {
    return [];
  }
}
