import type { BaseEvent } from '@ag-ui/core';
import {
  REASONING_ENCRYPTED_VALUE,
  REASONING_END,
  REASONING_MESSAGE_CONTENT,
  REASONING_MESSAGE_END,
  REASONING_MESSAGE_START,
  REASONING_START,
  TEXT_END,
  TEXT_START,
  textContent,
} from './events.ts';
import { type Output, send } from './output.ts';
import type { Rules } from './rules.ts';
import type { OpenText, State } from './state.ts';

/** Shows a piece of the answer; the first one opens a message under a new id. */
export function addText(state: State, text: string, rules: Rules, out: Output[]): State {
  if (text === '' || state.muted) return state;
  if (state.text !== undefined) {
    appendText(state.text, text, out);
    return state;
  }
  const opened: OpenText = { messageId: rules.newId(), chunks: [] };
  out.push(send({ type: TEXT_START, messageId: opened.messageId, role: 'assistant' }));
  appendText(opened, text, out);
  return { ...state, text: opened };
}

function appendText(open: OpenText, text: string, out: Output[]): void {
  out.push(send(continueText(open, text)));
}

/** The message that the next piece of text would simply be added to, if there is one. */
export function textToContinue(state: State): OpenText | undefined {
  return state.call === undefined && state.reasoning === undefined && !state.muted ? state.text : undefined;
}

/** Adds a piece of text to a message that is open. */
export function continueText(open: OpenText, text: string): BaseEvent {
  open.chunks.push(text);
  return textContent(open.messageId, text);
}

/** Ends the message that is open, if any, and leaves it out of the thread: it broke off. */
export function abandonText(state: State, out: Output[]): State {
  if (state.text === undefined) return state;
  out.push(send({ type: TEXT_END, messageId: state.text.messageId }));
  return { ...state, text: undefined };
}

/** Ends the message that is open, if any; it joins the thread. */
export function closeText(state: State, out: Output[], snapshot = true): State {
  if (state.text === undefined) return state;
  const { messageId, chunks } = state.text;
  out.push(send({ type: TEXT_END, messageId }));
  out.push({ type: 'message', message: { id: messageId, role: 'assistant', content: chunks.join('') }, snapshot });
  return { ...state, text: undefined };
}

/** Shows a piece of the model's thinking. */
export function addReasoning(state: State, text: string, rules: Rules, out: Output[]): State {
  if (text === '' || state.muted) return state;
  const [opened, messageId] = openReasoning(state, rules, out);
  out.push(send({ type: REASONING_MESSAGE_CONTENT, messageId, delta: text }));
  return opened;
}

/** Hands on thinking that only the provider can read, under the reasoning message it belongs to. */
export function addRedacted(state: State, data: string, rules: Rules, out: Output[]): State {
  if (state.muted) return state;
  const [opened, entityId] = openReasoning(state, rules, out);
  out.push(send({ type: REASONING_ENCRYPTED_VALUE, subtype: 'message', entityId, encryptedValue: data }));
  return opened;
}

function openReasoning(state: State, rules: Rules, out: Output[]): readonly [State, string] {
  if (state.reasoning !== undefined) return [state, state.reasoning];
  const messageId = rules.newId();
  out.push(send({ type: REASONING_START, messageId }));
  out.push(send({ type: REASONING_MESSAGE_START, messageId, role: 'reasoning' }));
  return [{ ...state, reasoning: messageId }, messageId];
}

/** Ends the thinking that is open, if any. */
export function closeReasoning(state: State, out: Output[]): State {
  if (state.reasoning === undefined) return state;
  const messageId = state.reasoning;
  out.push(send({ type: REASONING_MESSAGE_END, messageId }));
  out.push(send({ type: REASONING_END, messageId }));
  return { ...state, reasoning: undefined };
}
