import type { Agent, AgentResult, InvokeArgs } from '@strands-agents/sdk';
import { errorText } from '../core/errors.ts';
import type { AgentEvent } from '../core/events.ts';
import { type Language, message } from '../core/i18n.ts';
import type { LimitName } from './budget.ts';
import { clearCheckpoint, readCheckpoint, refusals } from './checkpoint.ts';
import { repairHistory } from './history.ts';
import { limitKey, modelFailure, notice } from './notices.ts';
import { closeRun, parkRun, type Run } from './run.ts';
import { originOf } from './run-context.ts';
import { interruptsOf, turnEventOf } from './sdk-events.ts';
import { OUTPUT_TOOL } from './sdk-internals.ts';
import type { TurnEndReason, TurnEvent } from './turn-event.ts';

/** What one turn is run with. */
export interface TurnInput {
  readonly agent: Agent;
  readonly run: Run;
  readonly input: InvokeArgs;
  readonly signal: AbortSignal;
  readonly language: Language;
  /** Prototype of the SDK's output tool, for an agent with an output schema. */
  readonly outputTool: object | undefined;
}

type TurnStream<T> = AsyncGenerator<TurnEvent, T, undefined>;
type End = Extract<TurnEvent, { type: 'end' }>;

/** Runs one user turn to its end, whatever ends it. */
export async function* runTurn(turn: TurnInput): TurnStream<void> {
  const told: AgentEvent[] = [];
  const unsubscribe = turn.run.context.gate.subscribe((event) => {
    if ('origin' in event && event.origin?.run === turn.run.context.run) told.push(event);
  });
  let end: End | undefined;
  try {
    if (turn.run.resumed === undefined) yield* startClean(turn);
    end = yield* drive(turn, told);
  } finally {
    unsubscribe();
    if (end?.reason !== 'parked') await closeRun(turn.agent, turn.run, turn.language);
  }
  yield end;
}

/** A session that was saved in the middle of a stop is brought back to a plain one. */
async function* startClean(turn: TurnInput): TurnStream<void> {
  const { agent } = turn;
  const checkpoint = readCheckpoint(agent);
  if (checkpoint.activated || checkpoint.pending !== undefined) {
    clearCheckpoint(agent);
    yield interruptRefused(turn, 'the session was restored in the middle of an interrupt');
  }
  repairHistory(agent, message(turn.language, 'notice.cancelled'));
}

/** Invokes the agent until the turn is over: foreign interrupts are refused and the turn goes on with what is left. */
async function* drive(turn: TurnInput, told: AgentEvent[]): TurnStream<End> {
  let args: InvokeArgs = turn.input;
  const mostRefusals = Math.min(turn.run.context.budget.limit('turns'), 1000);
  for (let refused = 0; ; refused++) {
    const result = yield* invoke(turn, args, told);
    if (!('stopReason' in result)) return yield* failed(turn, result.error);
    if (result.stopReason !== 'interrupt') return yield* finished(turn, result);
    const { foreign } = interruptsOf(result, turn.run.context.wakeups);
    if (foreign.length === 0) return yield* parked(turn);
    yield interruptRefused(turn, `an interrupt was refused: ${foreign.join(', ')}`);
    if (refused >= mostRefusals) return { type: 'end', reason: limitReason(turn) ?? 'interrupt' };
    args = refusals(foreign);
  }
}

/** One invocation of the SDK's agent, told as turn events. */
async function* invoke(
  turn: TurnInput,
  args: InvokeArgs,
  told: AgentEvent[],
): TurnStream<AgentResult | { readonly error: unknown }> {
  const { agent, run, signal } = turn;
  if (signal.aborted) return { error: signal.reason };
  const stream = agent.stream(args, { invocationState: run.invocationState });
  // The SDK would join a signal of ours with its own, which costs more than the rest of a short turn.
  const cancel = (): void => {
    agent.cancel();
    run.context.stop.abort();
  };
  signal.addEventListener('abort', cancel);
  try {
    for (;;) {
      // The SDK takes a new signal for each pass of its loop; one that began after the abort must hear of it too.
      if (signal.aborted) cancel();
      const next = await stream.next();
      if (told.length > 0) yield* tellCalls(turn, told);
      if (next.done === true) return next.value;
      noteOutputTool(turn, next.value.type);
      const event = turnEventOf(next.value);
      if (event !== undefined) yield event;
    }
  } catch (error) {
    yield* tellCalls(turn, told);
    return { error };
  } finally {
    signal.removeEventListener('abort', cancel);
    // @ts-expect-error The SDK types the return value as required; leaving early has none.
    await stream.return(undefined);
  }
}

function* tellCalls(turn: TurnInput, told: AgentEvent[]): Generator<TurnEvent, void, undefined> {
  for (const event of told.splice(0)) {
    if (event.type !== 'tool_call') continue;
    yield { type: 'tool_call', call: event };
    if (event.reason === 'unknown_outcome') yield notice(turn.language, 'notice.unknown_outcome', { tool: event.tool });
  }
}

/** The SDK adds its output tool before the first model call or dispatch of a run that has a schema; no other counts. */
function noteOutputTool({ agent, run: { context }, outputTool }: TurnInput, eventType: string): void {
  if (outputTool === undefined || context.outputTool !== undefined) return;
  if (eventType !== 'beforeModelCallEvent' && eventType !== 'beforeToolsEvent') return;
  const tool = agent.toolRegistry.get(OUTPUT_TOOL);
  if (tool === undefined || Object.hasOwn(tool, 'stream') || Object.getPrototypeOf(tool) !== outputTool) return;
  context.outputTool = tool;
}

function interruptRefused(turn: TurnInput, text: string): TurnEvent {
  turn.run.context.gate.reportError('interrupt', text, { origin: originOf(turn.run.context) });
  return notice(turn.language, 'notice.interrupt_refused');
}

async function* failed(turn: TurnInput, error: unknown): TurnStream<End> {
  if (turn.signal.aborted) return yield* cancelled(turn);
  // With an output schema the SDK takes the closing answer of a spent budget for a model that refuses to give output.
  if (turn.run.context.budget.hit !== undefined) return yield* limited(turn, turn.run.context.budget.hit);
  const failure = modelFailure(error);
  turn.run.context.gate.reportError('agent', `the turn failed: ${errorText(error)}`, {
    origin: originOf(turn.run.context),
  });
  yield notice(turn.language, failure.key, { message: failure.detail });
  return { type: 'end', reason: failure.reason, detail: failure.detail };
}

async function* limited(turn: TurnInput, hit: LimitName): TurnStream<End> {
  const { budget, gate } = turn.run.context;
  gate.reportTurnLimit(hit, budget.limit(hit), originOf(turn.run.context));
  yield notice(turn.language, limitKey(hit), { value: budget.limit(hit) });
  return { type: 'end', reason: limitReason(turn) ?? 'limitTurns' };
}

async function* cancelled(turn: TurnInput): TurnStream<End> {
  yield notice(turn.language, 'notice.cancelled');
  return { type: 'end', reason: 'cancelled' };
}

async function* finished(turn: TurnInput, result: AgentResult): TurnStream<End> {
  if (turn.signal.aborted) return yield* cancelled(turn);
  const { hit } = turn.run.context.budget;
  if (hit !== undefined) return yield* limited(turn, hit);
  switch (result.stopReason) {
    case 'cancelled':
      return yield* cancelled(turn);
    case 'endTurn':
    case 'stopSequence':
    case 'toolUse':
      return { type: 'end', reason: 'endTurn' };
    default:
      return { type: 'end', reason: 'stopped', detail: result.stopReason };
  }
}

function limitReason({ run: { context } }: TurnInput): TurnEndReason | undefined {
  switch (context.budget.hit) {
    case 'turns':
      return 'limitTurns';
    case 'outputTokens':
      return 'limitOutputTokens';
    case 'totalTokens':
      return 'limitTotalTokens';
    case undefined:
      return undefined;
    default:
      return context.budget.hit satisfies never;
  }
}

async function* parked({ agent, run, language }: TurnInput): TurnStream<End> {
  const questions = await parkRun(agent, run.context);
  if (questions === undefined) return { type: 'end', reason: 'interrupt' };
  yield notice(language, 'notice.parked', { tools: questions.map(({ tool }) => tool).join(', ') });
  return { type: 'end', reason: 'parked', approvalIds: questions.map(({ id }) => id) };
}
