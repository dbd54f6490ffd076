import type { HubClient } from '../wire/hub-client.ts';
import { errorShape, eventShape } from '../wire/shapes.ts';
import { applyEvent, breakOff, type ChatEvent, type ChatState } from './chat-state.ts';
import { SseParser } from './sse.ts';

/** How the page shows what a run does: it is handed a change of the conversation at a time. */
export type Change = (edit: (state: ChatState) => ChatState) => void;

/**
 * Sends one message and follows the run. The hub keeps the conversation, so nothing but the new message is sent.
 * Resolves when the run has ended, was stopped or was lost; rejects never.
 */
export async function followRun(
  hub: HubClient,
  message: { readonly threadId: string; readonly runId: string; readonly id: string; readonly text: string },
  change: Change,
  signal: AbortSignal,
): Promise<void> {
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
  try {
    const response = await hub.run(input, signal);
    if (response.status === 401) hub.onSignedOut();
    const error = response.ok && response.body !== null ? undefined : await refusal(response);
    if (error === undefined) await readEvents(response, change);
    else change((state) => ({ ...breakOff(state, 'lost'), phase: 'failed', error }));
  } catch {
    // The fetch was aborted, or the connection broke.
  }
  change((state) => (state.phase === 'running' ? breakOff(state, signal.aborted ? 'stopped' : 'lost') : state));
}

async function readEvents(response: Response, change: Change): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new SseParser();
  for (;;) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true };
    const events = parser.push(value).flatMap(decode);
    if (events.length > 0) change((state) => events.reduce(applyEvent, state));
    if (done) return;
  }
}

function decode(data: string): readonly ChatEvent[] {
  try {
    const read = eventShape.safeParse(JSON.parse(data));
    return read.success ? [read.data] : [];
  } catch {
    return [];
  }
}

async function refusal(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const read = errorShape.safeParse(body);
  return read.success ? read.data.error.message : `HTTP ${response.status}`;
}
