import type { BaseEvent, Message } from '@ag-ui/core';
import { identityFault, wireIdOf } from './call-identity.ts';
import { custom, TOOL_END, TOOL_START, toolArgs } from './events.ts';
import { type CallView, type Output, send } from './output.ts';
import { predictStateOf, type Rules } from './rules.ts';
import type { CallMode, KnownCall, OpenCall, State } from './state.ts';
import { closeReasoning, closeText } from './text.ts';

interface Asked {
  readonly toolUseId: string;
  readonly name: string;
}

interface AskedWhole extends Asked {
  readonly input: unknown;
}

/** The model begins a call. */
export function startCall(state: State, asked: Asked, rules: Rules, out: Output[]): State {
  const call = openCall(state, asked, rules, out, true);
  if (call === undefined) return state;
  const quiet = closeReasoning({ ...state, call, muted: state.muted || silences(call, rules) }, out);
  if (call.mode !== 'streamed') return quiet;
  const ready = closeText(quiet, out);
  announce(call, rules, out);
  return ready;
}

/** A piece of the arguments of the call that is open. */
export function addArgs(state: State, delta: string, out: Output[]): State {
  if (state.call === undefined || delta === '') return state;
  const event = continueCall(state.call, delta);
  if (event !== undefined) out.push(send(event));
  return state;
}

/** Adds a piece to the arguments of a call, and shows it if they are shown as they come. */
export function continueCall(call: OpenCall, delta: string): BaseEvent | undefined {
  call.chunks.push(delta);
  return call.mode === 'streamed' ? toolArgs(call.wireId, delta) : undefined;
}

/** The block of the open call is complete: its arguments are joined and parsed here, once. */
export function completeCall(state: State, rules: Rules, out: Output[]): State {
  const { call } = state;
  if (call === undefined) return state;
  const text = call.chunks.join('');
  const argsStr = text === '' ? '{}' : text;
  const closed = know({ ...state, call: undefined }, call, parseArgs(argsStr), argsStr, rules);
  const known = viewOf(call, closed);
  if (call.mode === 'held') return burst(closed, call, known, rules, out);
  if (call.mode === 'streamed' && text === '') out.push(send(toolArgs(call.wireId, argsStr)));
  deriveState(known, rules, out);
  if (call.mode === 'streamed') endCall(call, known, rules, out);
  return closed;
}

/** The block of the open call will never be complete, so the call was never made. */
export function abandonCall(state: State, out: Output[]): State {
  if (state.call === undefined) return state;
  if (state.call.mode === 'streamed') out.push(send({ type: TOOL_END, toolCallId: state.call.wireId }));
  return { ...state, call: undefined };
}

/** A call that comes whole: one of the model that was not streamed, or one that is about to run (`pending`). */
export function wholeCall(state: State, asked: AskedWhole, rules: Rules, out: Output[], pending: boolean): State {
  const call = openCall(state, asked, rules, out, !pending);
  if (call === undefined) return state;
  const argsStr = argsText(asked.input);
  const muted = state.muted || silences(call, rules);
  const closed = know({ ...state, muted }, call, asked.input, argsStr, rules);
  const known = viewOf(call, closed);
  if (call.mode !== 'hidden') return burst(closed, call, known, rules, out);
  deriveState(known, rules, out);
  return closed;
}

/** Shows a call in one go. A streamer of the developer stands in for the arguments. */
function burst(state: State, call: OpenCall, view: CallView, rules: Rules, out: Output[]): State {
  deriveState(view, rules, out);
  const ready = closeText(closeReasoning(state, out), out);
  announce(call, rules, out);
  const streamer = rules.behaviorOf(call.name)?.argsStreamer;
  if (streamer === undefined) out.push(send(toolArgs(call.wireId, view.argsStr)));
  else out.push({ type: 'hook', hook: 'argsStreamer', run: streamer, view });
  endCall(call, view, rules, out);
  return ready;
}

/** Takes note of a call, or refuses it. `fresh`: the model made it just now. */
function openCall(state: State, asked: Asked, rules: Rules, out: Output[], fresh: boolean): OpenCall | undefined {
  const { toolUseId, name } = asked;
  const { ledger } = state;
  const frontend = rules.isFrontend(name);
  const seenBefore = rules.alreadyAnnounced(toolUseId) || (!fresh && rules.isPastCall(toolUseId));
  const hidden = seenBefore && !(frontend && fresh);
  const fault = frontend && !hidden ? identityFault(ledger, toolUseId, name, rules) : undefined;
  if (fault !== undefined) {
    out.push({ type: 'reject', code: 'FRONTEND_TOOL_IDENTITY_ERROR', message: fault });
    return undefined;
  }
  const wireId = hidden ? toolUseId : frontend ? toolUseId : wireIdOf(ledger, toolUseId, rules);
  const mode = hidden ? 'hidden' : modeOf(name, rules);
  const call = { toolUseId, wireId, name, frontend, mode, parentMessageId: rules.newId(), chunks: [] };
  ledger.calls.set(toolUseId, { ...call, toolInput: {}, argsStr: '' });
  ledger.wireIds.add(wireId);
  return call;
}

function modeOf(name: string, rules: Rules): CallMode {
  return rules.behaviorOf(name)?.argsStreamer === undefined ? 'streamed' : 'held';
}

/** Whether the model's words are not shown from here on: the client has to answer first. */
function silences(call: OpenCall, rules: Rules): boolean {
  if (!call.frontend || rules.behaviorOf(call.name)?.continueAfterFrontendCall === true) return false;
  return call.mode !== 'hidden' || rules.isUnanswered?.(call.toolUseId) === true;
}

/** Files the call with its arguments; one that waits for the client ends the run when the batch is done. */
function know(state: State, call: OpenCall, toolInput: unknown, argsStr: string, rules: Rules): State {
  const { toolUseId, wireId, name, frontend } = call;
  state.ledger.calls.set(toolUseId, { toolUseId, wireId, name, frontend, toolInput, argsStr });
  return silences(call, rules) ? { ...state, forwarded: [...state.forwarded, toolUseId] } : state;
}

function viewOf(call: OpenCall, state: State): CallView {
  const known = state.ledger.calls.get(call.toolUseId);
  return callView(known ?? { ...call, toolInput: {}, argsStr: '' });
}

/** A call as hooks see it. */
export function callView(call: KnownCall): CallView {
  return { toolName: call.name, toolUseId: call.wireId, toolInput: call.toolInput, argsStr: call.argsStr };
}

function announce(call: OpenCall, rules: Rules, out: Output[]): void {
  const mappings = predictStateOf(rules.behaviorOf(call.name));
  if (mappings.length > 0) {
    const value = mappings.map(({ stateKey, tool, toolArgument }) => ({
      state_key: stateKey,
      tool,
      tool_argument: toolArgument,
    }));
    out.push(send(custom('PredictState', value)));
  }
  const { wireId, parentMessageId } = call;
  out.push(send({ type: TOOL_START, toolCallId: wireId, toolCallName: shownName(call), parentMessageId }));
}

function endCall(call: OpenCall, view: CallView, rules: Rules, out: Output[]): void {
  out.push(send({ type: TOOL_END, toolCallId: call.wireId }));
  const message: Message = {
    id: call.parentMessageId,
    role: 'assistant',
    content: '',
    toolCalls: [{ id: call.wireId, type: 'function', function: { name: shownName(call), arguments: view.argsStr } }],
  };
  out.push({ type: 'message', message, snapshot: rules.behaviorOf(call.name)?.skipMessagesSnapshot !== true });
}

function deriveState(view: CallView, rules: Rules, out: Output[]): void {
  const run = rules.behaviorOf(view.toolName)?.stateFromArgs;
  if (run !== undefined) out.push({ type: 'hook', hook: 'stateFromArgs', run, view });
}

/** Clients refuse a call without a name. */
function shownName(call: OpenCall): string {
  return call.name === '' ? 'unknown' : call.name;
}

/** Arguments that are not JSON are shown to hooks as the text they are. */
function parseArgs(argsStr: string): unknown {
  try {
    return JSON.parse(argsStr);
  } catch {
    return argsStr;
  }
}

function argsText(input: unknown): string {
  try {
    return JSON.stringify(input ?? {}) ?? '{}';
  } catch {
    return '{}';
  }
}
