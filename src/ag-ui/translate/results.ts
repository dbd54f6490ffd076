import { callView } from './calls.ts';
import { TOOL_RESULT } from './events.ts';
import type { ResultPart, TranslatorInput } from './input.ts';
import { type Output, type ResultView, send } from './output.ts';
import { resultContent, resultData } from './result-content.ts';
import type { Rules } from './rules.ts';
import type { KnownCall, State } from './state.ts';
import { closeText } from './text.ts';

type ToolResult = Extract<TranslatorInput, { type: 'tool_result' }>;
type ToolProgress = Extract<TranslatorInput, { type: 'tool_progress' }>;

/**
 * A call has a result. That of a client tool is the placeholder of its stand-in and stays here, unless it is an error:
 * then the call never reached the client, which must not run it.
 */
export function addResult(state: State, result: ToolResult, rules: Rules, out: Output[]): State {
  const call = state.ledger.calls.get(result.toolUseId) ?? unknownCall(result.toolUseId);
  if (call.wireId === '' || state.ledger.answered.has(call.wireId)) return state;
  if (call.frontend && result.status !== 'error') return state;
  state.ledger.answered.add(call.wireId);
  state.ledger.wireIds.add(call.wireId);
  const messageId = rules.newId();
  tell(call, result, messageId, rules, out);
  runResultHooks(call, result.content, messageId, rules, out);
  return settle(state, call, rules, out);
}

/** The tools of the message are done: the place where a run ends that waits for the client or was told to stop. */
export function toolsDone(state: State, out: Output[]): State {
  const reason = state.forwarded.length > 0 ? 'frontend' : state.stopAfterTools ? 'result' : undefined;
  if (reason === undefined) return state.muted ? { ...state, muted: false } : state;
  out.push({ type: 'halt', reason });
  return { ...state, halted: reason };
}

/** A running tool reports. What cannot be put down to one call can still carry state. */
export function addProgress(state: State, progress: ToolProgress, rules: Rules, out: Output[]): State {
  const { toolUseId, data } = progress;
  const call = toolUseId === undefined ? undefined : state.ledger.calls.get(toolUseId);
  const run = call === undefined ? undefined : rules.behaviorOf(call.name)?.toolStreamEventHandler;
  if (call !== undefined && run !== undefined) {
    const view = { toolName: call.name, toolUseId: call.wireId, data };
    out.push({ type: 'hook', hook: 'toolStreamEventHandler', run, view });
    return state;
  }
  const reported = isRecord(data) ? data.state : undefined;
  if (isRecord(reported)) out.push({ type: 'state', state: reported });
  return state;
}

function tell(call: KnownCall, result: ToolResult, messageId: string, rules: Rules, out: Output[]): void {
  const content = resultContent(result.content);
  const toolCallId = call.wireId;
  out.push(send({ type: TOOL_RESULT, toolCallId, messageId, content }));
  const failed = result.status === 'error' ? { error: content } : {};
  out.push({
    type: 'message',
    message: { id: messageId, role: 'tool', toolCallId, content, ...failed },
    snapshot: rules.behaviorOf(call.name)?.skipMessagesSnapshot !== true,
  });
}

function runResultHooks(
  call: KnownCall,
  content: readonly ResultPart[],
  messageId: string,
  rules: Rules,
  out: Output[],
): void {
  const behavior = rules.behaviorOf(call.name);
  if (behavior?.stateFromResult === undefined && behavior?.customResultHandler === undefined) return;
  const view: ResultView = { ...callView(call), resultData: resultData(content), messageId };
  const { stateFromResult, customResultHandler } = behavior;
  if (stateFromResult !== undefined) out.push({ type: 'hook', hook: 'stateFromResult', run: stateFromResult, view });
  if (customResultHandler !== undefined) {
    out.push({ type: 'hook', hook: 'customResultHandler', run: customResultHandler, view });
  }
}

function settle(state: State, call: KnownCall, rules: Rules, out: Output[]): State {
  const settled = call.frontend
    ? { ...state, forwarded: state.forwarded.filter((toolUseId) => toolUseId !== call.toolUseId) }
    : state;
  if (rules.behaviorOf(call.name)?.stopStreamingAfterResult !== true) return settled;
  return { ...closeText(settled, out), muted: true, stopAfterTools: true };
}

/** A result whose call this run has not seen is told all the same: a lost result is worse than an orphan. */
function unknownCall(toolUseId: string): KnownCall {
  return { toolUseId, wireId: toolUseId, name: '', frontend: false, toolInput: {}, argsStr: '' };
}

/** Whether a value is a plain object; an event of the SDK, which may have a `state` of its own, is not. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
