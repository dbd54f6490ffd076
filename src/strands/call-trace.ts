import type { BeforeToolCallEvent, LocalAgent } from '@strands-agents/sdk';

/** What is known of a call between its `BeforeToolCallEvent` and its `AfterToolCallEvent`. */
export interface CallTrace {
  /** The executor decides by this event whether anything runs. */
  readonly before: BeforeToolCallEvent;
  /** The text of a refusal that the gate set before all other hooks, so that theirs can be told from it. */
  readonly refusedAtFirst: string | undefined;
  /** Whether a guard has seen the call, and so has told of it. */
  reached: boolean;
}

const traces = new WeakMap<LocalAgent, Map<string, CallTrace>>();

/** Starts the trace of a call; a retry starts a new one. */
export function traceCall(before: BeforeToolCallEvent, refusedAtFirst: string | undefined): void {
  const calls = traces.get(before.agent) ?? new Map<string, CallTrace>();
  traces.set(before.agent, calls.set(before.toolUse.toolUseId, { before, refusedAtFirst, reached: false }));
}

/** The trace of a call that has not ended. */
export function traceOf(agent: LocalAgent, toolUseId: string): CallTrace | undefined {
  return traces.get(agent)?.get(toolUseId);
}

/** Notes that a guard has seen the call. */
export function noteReached(agent: LocalAgent, toolUseId: string): void {
  const trace = traceOf(agent, toolUseId);
  if (trace !== undefined) trace.reached = true;
}

/** Ends the trace of a call and returns it; none when it has ended, as for the second attempt of a background task. */
export function endTrace(agent: LocalAgent, toolUseId: string): CallTrace | undefined {
  const trace = traceOf(agent, toolUseId);
  traces.get(agent)?.delete(toolUseId);
  return trace;
}
