import { abandonCall, addArgs, completeCall, startCall, wholeCall } from './calls.ts';
import { custom, RAW } from './events.ts';
import type { TranslatorInput } from './input.ts';
import { type Output, send } from './output.ts';
import { addProgress, addResult, toolsDone } from './results.ts';
import type { Rules } from './rules.ts';
import type { State } from './state.ts';
import { startStep, stopAllSteps, stopStep } from './steps.ts';
import { abandonText, addReasoning, addRedacted, addText, closeReasoning, closeText } from './text.ts';
import { addUsage } from './usage.ts';

/** What follows from one input. */
export interface Step {
  readonly state: State;
  readonly outputs: readonly Output[];
}

/**
 * One step of the translation from an agent's stream to the protocol. Whatever the order of inputs, the events are a
 * valid run: what is opened is closed once, and nothing goes out for what is not open. Use a state once.
 */
export function step(state: State, input: TranslatorInput, rules: Rules): Step {
  const outputs: Output[] = [];
  return { state: advance(state, input, rules, outputs), outputs };
}

/** The stream is over: closes whatever is open. */
export function finish(state: State): Step {
  const outputs: Output[] = [];
  const closed = closeAll(state, outputs, true);
  if (closed.stopReason !== undefined) {
    outputs.push(send(custom('AgentStopped', { stop_reason: closed.stopReason })));
  }
  return { state: { ...closed, stopReason: undefined }, outputs };
}

/** The run failed: closes whatever is open, so that `RUN_ERROR` can follow. */
export function fail(state: State): Step {
  const outputs: Output[] = [];
  return { state: closeAll(state, outputs, false), outputs };
}

function closeAll(state: State, out: Output[], snapshot: boolean): State {
  return stopAllSteps(abandonCall(closeText(closeReasoning(state, out), out, snapshot), out), out);
}

function advance(state: State, input: TranslatorInput, rules: Rules, out: Output[]): State {
  if (input.type === 'usage') {
    addUsage(state.ledger.usage, input.model, input.usage);
    return state;
  }
  return state.halted === undefined ? take(state, input, rules, out) : state;
}

type Told = Exclude<TranslatorInput, { type: 'usage' }>;

function take(state: State, input: Told, rules: Rules, out: Output[]): State {
  switch (input.type) {
    case 'text':
      return addText(closeReasoning(abandonCall(state, out), out), input.text, rules, out);
    case 'reasoning':
      return addReasoning(abandonCall(state, out), input.text, rules, out);
    case 'redacted':
      return addRedacted(abandonCall(state, out), input.data, rules, out);
    case 'block_stop':
      return closeReasoning(completeCall(state, rules, out), out);
    case 'message_start':
      return startMessage(state, input.brokenOff, out);
    case 'tool_start':
      return startCall(abandonCall(state, out), input, rules, out);
    case 'tool_args':
      return addArgs(state, input.delta, out);
    case 'tool_use':
      return wholeCall(abandonCall(state, out), input, rules, out, false);
    case 'tool_pending':
      return wholeCall(abandonCall(state, out), input, rules, out, true);
    case 'tool_progress':
      return addProgress(state, input, rules, out);
    case 'tool_result':
      return addResult(state, input, rules, out);
    case 'tools_done':
      return toolsDone(state, out);
    case 'stopped':
      return { ...state, stopReason: input.reason };
    case 'step_start':
    case 'step_stop':
    case 'handoff':
      return takeNode(state, input, out);
    case 'raw':
      out.push(send({ type: RAW, event: input.event, source: 'strands' }));
      return state;
    default:
      return input satisfies never;
  }
}

/** The next try does not run on in the message of one that broke off. */
function startMessage(state: State, brokenOff: boolean, out: Output[]): State {
  const quiet = closeReasoning(abandonCall(state, out), out);
  const closed = brokenOff ? abandonText(quiet, out) : closeText(quiet, out);
  const muted = closed.forwarded.length > 0 || closed.stopAfterTools;
  if (closed.stopReason === undefined && closed.muted === muted) return closed;
  return { ...closed, stopReason: undefined, muted };
}

type Node = Extract<TranslatorInput, { type: 'step_start' | 'step_stop' | 'handoff' }>;

function takeNode(state: State, input: Node, out: Output[]): State {
  switch (input.type) {
    case 'step_start':
      return startStep(state, input.name, out);
    case 'step_stop':
      return stopStep(closeText(closeReasoning(state, out), out), input.name, out);
    case 'handoff':
      out.push(
        send(custom('MultiAgentHandoff', { from_nodes: [input.from], to_nodes: input.to, message: input.message })),
      );
      return state;
    default:
      return input satisfies never;
  }
}
