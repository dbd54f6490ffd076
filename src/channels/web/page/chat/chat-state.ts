import { interruptOutcomeShape, messagesShape } from '../wire/shapes.ts';
import type { ChatItem } from './chat-item.ts';
import type { ChatState } from './chat-shape.ts';
import { confirm, giveBack } from './sent.ts';

/** An AG-UI event, as it came. */
export interface ChatEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

type Step = (state: ChatState, event: ChatEvent) => ChatState;

/** What each event does; those that are not here change nothing that is shown. */
const steps: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['RUN_STARTED', (state) => ({ ...state, phase: 'running', error: undefined, waitsForOther: false })],
  ['RUN_FINISHED', (state, event) => ({ ...closeAll(confirm(state)), ...endOf(event) })],
  ['RUN_ERROR', failure],
  ...writing('TEXT_MESSAGE', 'assistant'),
  ...writing('REASONING_MESSAGE', 'reasoning'),
  ...writing('THINKING_TEXT_MESSAGE', 'reasoning'),
  ['TOOL_CALL_START', (state, event) => call(state, event, '')],
  ['TOOL_CALL_ARGS', (state, event) => call(state, event, text(event, 'delta'))],
  ['TOOL_CALL_CHUNK', (state, event) => call(state, event, text(event, 'delta'))],
  ['TOOL_CALL_END', (state, event) => change(state, text(event, 'toolCallId'), (item) => ({ ...item, open: false }))],
  ['TOOL_CALL_RESULT', result],
  ['MESSAGES_SNAPSHOT', failures],
]);

/** The conversation after one more event. Pure. */
export function applyEvent(state: ChatState, event: ChatEvent): ChatState {
  return steps.get(event.type)?.(state, event) ?? state;
}

/** The conversation with what the person just wrote. */
export function say(state: ChatState, id: string, said: string): ChatState {
  const item: ChatItem = { type: 'user', id, text: said, open: false, unsure: true };
  return { items: [...state.items, item], phase: 'running', waitsForOther: false };
}

/** The conversation when its stream ended without saying how. */
export function breakOff(state: ChatState, phase: 'stopped' | 'lost' | 'unsure'): ChatState {
  return { ...closeAll(state), phase };
}

function writing(name: string, type: 'assistant' | 'reasoning'): [string, Step][] {
  const write: Step = (state, event) => append(state, type, text(event, 'messageId') || name, text(event, 'delta'));
  const end: Step = (state, event) =>
    change(state, text(event, 'messageId') || name, (item) => ({ ...item, open: false }));
  return [
    [`${name}_START`, write],
    [`${name}_CONTENT`, write],
    [`${name}_CHUNK`, write],
    [`${name}_END`, end],
  ];
}

function append(state: ChatState, type: 'assistant' | 'reasoning', id: string, delta: string): ChatState {
  if (state.items.some((item) => item.id === id && item.type === type)) {
    return change(state, id, (item) => (item.type === type ? { ...item, text: item.text + delta, open: true } : item));
  }
  return { ...state, items: [...state.items, { type, id, text: delta, open: true }] };
}

function call(state: ChatState, event: ChatEvent, delta: string): ChatState {
  const id = text(event, 'toolCallId');
  if (state.items.some((item) => item.id === id && item.type === 'tool')) {
    return change(state, id, (item) => (item.type === 'tool' ? { ...item, args: item.args + delta } : item));
  }
  const item: ChatItem = { type: 'tool', id, name: text(event, 'toolCallName'), args: delta, open: true };
  return { ...state, items: [...state.items, item] };
}

function result(state: ChatState, event: ChatEvent): ChatState {
  const content = event.content;
  const shown = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return change(state, text(event, 'toolCallId'), (item) =>
    item.type === 'tool' ? { ...item, open: false, result: shown } : item,
  );
}

/** How a run ended that was not to. One that found the conversation taken never began: another tab was faster. */
function failure(state: ChatState, event: ChatEvent): ChatState {
  if (isTaken(event)) return giveBack(closeAll(state), { type: 'busy' });
  return { ...closeAll(state), phase: 'failed', error: text(event, 'message') };
}

/** Whether an event tells that a run could not begin, since another one goes on in the conversation or waits in it. */
export function isTaken(event: ChatEvent): boolean {
  return TAKEN.has(text(event, 'code'));
}

const TAKEN: ReadonlySet<string> = new Set(['THREAD_BUSY', 'PENDING_INTERRUPTS']);

/** Which results are errors is only told with all the messages. */
function failures(state: ChatState, event: ChatEvent): ChatState {
  const read = messagesShape.safeParse(event.messages);
  if (!read.success) return state;
  const failed = new Set(read.data.flatMap(({ error, toolCallId }) => (error === undefined ? [] : [toolCallId])));
  const items = state.items.map((item) =>
    item.type === 'tool' && failed.has(item.id) ? { ...item, failed: true } : item,
  );
  return { ...state, items };
}

function change(state: ChatState, id: string, edit: (item: ChatItem) => ChatItem): ChatState {
  return { ...state, items: state.items.map((item) => (item.id === id ? edit(item) : item)) };
}

function closeAll(state: ChatState): ChatState {
  return { ...state, items: state.items.map((item) => (item.open ? { ...item, open: false } : item)) };
}

function endOf(event: ChatEvent): Pick<ChatState, 'phase' | 'waitsForOther'> {
  const outcome = interruptOutcomeShape.safeParse(event.outcome);
  if (!outcome.success) return { phase: 'idle', waitsForOther: false };
  const other = outcome.data.interrupts.some(({ reason = '' }) => !APPROVALS.has(reason));
  return { phase: 'waiting', waitsForOther: other };
}

/** The reasons of interrupts that are approvals. */
const APPROVALS: ReadonlySet<string> = new Set(['tau:approval', 'tool_call']);

function text(event: ChatEvent, key: string): string {
  const value = event[key];
  return typeof value === 'string' ? value : '';
}
