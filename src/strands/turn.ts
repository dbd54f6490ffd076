import type { Agent, AgentResult, AgentStreamEvent, InvokeArgs } from '@strands-agents/sdk';
import type { AgentEvent } from '../core/events.ts';
import type { Language } from '../core/i18n.ts';
import type { LimitName } from './budget.ts';
import { refusals } from './checkpoint.ts';
import { repairHistory } from './history.ts';
import { leaveStream } from './leave-stream.ts';
import { limitKey, modelFailure, notice } from './notices.ts';
import { closeRun, parkRun, type Run, startClean } from './run.ts';
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

/** Whose turn it is. */
export interface TurnOwner {
  /** Takes the agent for this turn alone; throws when it is busy. */
  enter(): void;
  begin(): Promise<TurnInput>;
  /** Gives the agent back. */
  leave(): void;
}

/**
 * Runs one user turn to its end, whatever ends it. Everything that a person is told is yielded from here: a generator
 * in between would cost each of those events as much again.
 */
export async function* runTurn(owner: TurnOwner): AsyncGenerator<TurnEvent, void, undefined> {
  owner.enter();
  try {
    const turn = new Turn(await owner.begin());
    try {
      yield* await turn.startClean();
      while (turn.end === undefined) {
        try {
          for (const event of turn.take(await turn.next())) yield event;
        } catch (error) {
          turn.fail(error);
        }
        if (turn.stopped) for (const event of await turn.goOn()) yield event;
      }
    } finally {
      await turn.close();
    }
    yield turn.end;
  } finally {
    owner.leave();
  }
}

type End = Extract<TurnEvent, { type: 'end' }>;

/** How one invocation of the SDK's agent ended. */
type Stop = AgentResult | { readonly error: unknown };

type Stream = ReturnType<Agent['stream']>;

const NOTHING: readonly TurnEvent[] = [];

/** One user turn: an invocation of the SDK's agent, and another one for each time that an interrupt was refused. */
class Turn {
  /** How the turn ended, once it has. */
  end: End | undefined;
  readonly #input: TurnInput;
  readonly #told: AgentEvent[] = [];
  readonly #unsubscribe: () => void;
  #args: InvokeArgs;
  #stream: Stream | undefined;
  #stop: Stop | undefined;
  #refused = 0;

  constructor(input: TurnInput) {
    this.#input = input;
    this.#args = input.input;
    const { gate, run } = input.run.context;
    this.#unsubscribe = gate.subscribe((event) => {
      if ('origin' in event && event.origin?.run === run) this.#told.push(event);
    });
  }

  /** A session that was saved in the middle of a stop is brought back to a plain one. */
  async startClean(): Promise<readonly TurnEvent[]> {
    const { agent, run, language } = this.#input;
    if (run.resumed !== undefined) return NOTHING;
    const waited = await startClean(agent, run.context.gate, run.context.conversation);
    repairHistory(agent, language);
    if (!waited) return NOTHING;
    return [interruptRefused(this.#input, 'the session was restored in the middle of an interrupt')];
  }

  /** The next step of the invocation under way, or of a new one. */
  next(): ReturnType<Stream['next']> {
    const { signal } = this.#input;
    this.#stream ??= this.#invoke();
    // The SDK takes a new signal for each pass of its loop; one that began after the abort must hear of it too.
    if (signal.aborted) this.#cancel();
    return this.#stream.next();
  }

  #invoke(): Stream {
    const { agent, run, signal } = this.#input;
    signal.throwIfAborted();
    // The SDK would join a signal of ours with its own, which costs more than the rest of a short turn.
    signal.addEventListener('abort', this.#cancel);
    return agent.stream(this.#args, { invocationState: run.invocationState });
  }

  readonly #cancel = (): void => {
    this.#input.agent.cancel();
    this.#input.run.context.stop.abort();
  };

  /** What a step means for the person. */
  take(step: IteratorResult<AgentStreamEvent, AgentResult>): readonly TurnEvent[] {
    const calls = tellCalls(this.#input, this.#told);
    if (step.done === true) {
      this.#stream = undefined;
      this.#stop = step.value;
      return calls;
    }
    noteOutputTool(this.#input, step.value.type);
    const event = turnEventOf(step.value);
    if (event === undefined) return calls;
    return calls.length === 0 ? [event] : [...calls, event];
  }

  /** Ends the invocation, because it failed or the consumer threw an error into the turn. */
  fail(error: unknown): void {
    this.#stop = { error };
  }

  /** Whether the invocation is over. */
  get stopped(): boolean {
    return this.#stop !== undefined;
  }

  /** Ends the turn, or refuses the foreign interrupts that it stopped at and goes on with what is left. */
  async goOn(): Promise<readonly TurnEvent[]> {
    const calls = tellCalls(this.#input, this.#told);
    const stop = this.#stop;
    this.#stop = undefined;
    await this.#leave();
    if (stop === undefined) return calls;
    const foreign = foreignInterrupts(this.#input, stop);
    if (foreign.length === 0) {
      const { notices, end } = await ending(this.#input, stop);
      this.end = end;
      return [...calls, ...notices];
    }
    const refused = interruptRefused(this.#input, `an interrupt was refused: ${foreign.join(', ')}`);
    if (this.#refused++ >= mostRefusals(this.#input)) {
      this.end = { type: 'end', reason: limitReason(this.#input) ?? 'interrupt' };
    }
    this.#args = refusals(foreign);
    return [...calls, refused];
  }

  /** Closes the turn; a parked run stays open. */
  async close(): Promise<void> {
    const { agent, run, language } = this.#input;
    try {
      await this.#leave();
    } finally {
      this.#unsubscribe();
      if (this.end?.reason !== 'parked') await closeRun(agent, run, language);
    }
  }

  /** Leaves the invocation; one that was cut off is closed. */
  async #leave(): Promise<void> {
    this.#input.signal.removeEventListener('abort', this.#cancel);
    const stream = this.#stream;
    this.#stream = undefined;
    if (stream === undefined) return;
    this.#cancel();
    await leaveStream(this.#input.agent, stream);
  }
}

function tellCalls({ language }: TurnInput, told: AgentEvent[]): readonly TurnEvent[] {
  if (told.length === 0) return NOTHING;
  return told.splice(0).flatMap((event): TurnEvent[] => {
    if (event.type !== 'tool_call') return [];
    const call: TurnEvent = { type: 'tool_call', call: event };
    if (event.reason !== 'unknown_outcome') return [call];
    return [call, notice(language, 'notice.unknown_outcome', { tool: event.tool })];
  });
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

function foreignInterrupts({ run }: TurnInput, stop: Stop): readonly string[] {
  if (!('stopReason' in stop) || stop.stopReason !== 'interrupt') return [];
  return interruptsOf(stop, run.context.wakeups).foreign;
}

function mostRefusals({ run }: TurnInput): number {
  return Math.min(run.context.budget.limit('turns'), 1000);
}

/** How a turn ends, and what is said before. */
interface Ending {
  readonly notices: readonly TurnEvent[];
  readonly end: End;
}

async function ending(turn: TurnInput, stop: Stop): Promise<Ending> {
  if (!('stopReason' in stop)) return failed(turn, stop.error);
  return stop.stopReason === 'interrupt' ? parked(turn) : finished(turn, stop);
}

function failed(turn: TurnInput, error: unknown): Ending {
  if (turn.signal.aborted) return cancelled(turn);
  // With an output schema the SDK takes the closing answer of a spent budget for a model that refuses to give output.
  if (turn.run.context.budget.hit !== undefined) return limited(turn, turn.run.context.budget.hit);
  const failure = modelFailure(error);
  turn.run.context.gate.reportError('agent', 'the turn failed', { origin: originOf(turn.run.context), error });
  const notices = [notice(turn.language, failure.key, { message: failure.detail })];
  return { notices, end: { type: 'end', reason: failure.reason, detail: failure.detail } };
}

function limited(turn: TurnInput, hit: LimitName): Ending {
  const { budget, gate } = turn.run.context;
  gate.reportTurnLimit(hit, budget.limit(hit), originOf(turn.run.context));
  const notices = [notice(turn.language, limitKey(hit), { value: budget.limit(hit) })];
  return { notices, end: { type: 'end', reason: limitReason(turn) ?? 'limitTurns' } };
}

function cancelled(turn: TurnInput): Ending {
  return { notices: [notice(turn.language, 'notice.cancelled')], end: { type: 'end', reason: 'cancelled' } };
}

function finished(turn: TurnInput, result: AgentResult): Ending {
  if (turn.signal.aborted) return cancelled(turn);
  const { hit } = turn.run.context.budget;
  if (hit !== undefined) return limited(turn, hit);
  switch (result.stopReason) {
    case 'cancelled':
      return cancelled(turn);
    case 'endTurn':
    case 'stopSequence':
    case 'toolUse':
      return { notices: NOTHING, end: { type: 'end', reason: 'endTurn' } };
    default:
      return { notices: NOTHING, end: { type: 'end', reason: 'stopped', detail: result.stopReason } };
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

async function parked({ agent, run, language }: TurnInput): Promise<Ending> {
  const questions = await parkRun(agent, run.context);
  if (questions === undefined) return { notices: NOTHING, end: { type: 'end', reason: 'interrupt' } };
  const notices = [notice(language, 'notice.parked', { tools: questions.map(({ tool }) => tool).join(', ') })];
  return { notices, end: { type: 'end', reason: 'parked', approvalIds: questions.map(({ id }) => id) } };
}
