import {
  TextBlock,
  type ToolContext,
  ToolResultBlock,
  type ToolStreamEvent,
  type ToolStreamGenerator,
} from '@strands-agents/sdk';
import type { ToolCall } from '../core/call.ts';
import { errorText } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import { type JSONValue, jsonEquals, sealJson, sealsTo } from '../core/json.ts';
import type { Described, RunOptions } from '../core/options.ts';
import type { CallOutcome } from '../core/outcome.ts';
import { steadyClock } from '../core/platform.ts';
import { refusalText, refuse } from '../core/verdict.ts';
import { isInterrupt, withoutInterrupts } from './body-interrupts.ts';
import { noteReached } from './call-trace.ts';
import type { Guard } from './guards.ts';
import { askForTheRest, park } from './parking.ts';
import { PATIENCE_MS, Progress, type ProgressReader } from './progress.ts';
import { type Batch, batchOf, isServed, originOf, type RunContext, runOf, waitingKey } from './run-context.ts';
import { agentBehind } from './sdk-internals.ts';
import { runSubAgent, SubAgentWaiting } from './sub-agent.ts';

/**
 * What happens between the call of a guarded tool and its body: whose run is it, which call is it, what does the gate
 * say. The body gets the object that the gate decided about, and nothing runs in between.
 */
export async function* runGuarded(guard: Guard | undefined, context: ToolContext): ToolStreamGenerator {
  const { toolUseId } = context.toolUse;
  if (guard?.gate === undefined) return unbound(context);
  const run = runOf(context.invocationState);
  if (run !== undefined && run.gate !== guard.gate) return unbound(context);
  const batch = batchWith(context);
  noteReached(context.agent, toolUseId);
  const call: ToolCall = { tool: guard.entry.name, arguments: context.toolUse.input, toolUseId, origin: originOf(run) };
  if (run === undefined && isServed(context.agent)) return refuseDirect(guard.gate, call, toolUseId);
  const guarded = { guard, gate: guard.gate, context, run, batch, foreground: isForeground(context) };
  const progress = new Progress<ToolStreamEvent, Outcome>(readerOf(guarded));
  progress.until(guard.gate.run(call, (args) => runBody(guarded, args, progress), runOptions(guarded)));
  try {
    // Handed on here and not by a generator of its own: each layer costs every call.
    for (;;) {
      const next = await progress.next();
      if (next.done === true)
        return isOver(next.value) ? resultOf(next.value, toolUseId) : await wait(guarded, next.value);
      yield next.value;
    }
  } finally {
    progress.leave();
  }
}

type Outcome = CallOutcome<ToolResultBlock>;
type Waiting = Extract<Outcome, { status: 'pending' | 'suspended' }>;

function isOver(outcome: Outcome): outcome is Exclude<Outcome, Waiting> {
  return outcome.status !== 'pending' && outcome.status !== 'suspended';
}

/** Stops the executor at a call that waits. */
async function wait({ run, batch, context }: GuardedCall, outcome: Waiting): Promise<ToolResultBlock> {
  const { toolUseId } = context.toolUse;
  if (outcome.status === 'suspended' && isInterrupt(outcome.error)) throw outcome.error;
  if (run === undefined || batch === undefined) return errorResult(toolUseId, 'The question cannot wait here.');
  if (outcome.status === 'pending') run.parked.add(outcome.approvalId);
  if (outcome.status === 'suspended' && outcome.error instanceof SubAgentWaiting) {
    run.waiting.set(waitingKey(batch, toolUseId), outcome.error.snapshot);
  }
  await askForTheRest(run, context.agent, batch);
  return park(context, run);
}

/** One call of a guarded tool, with all that was found out about it. */
interface GuardedCall {
  readonly guard: Guard;
  readonly gate: TierGate;
  readonly context: ToolContext;
  readonly run: RunContext | undefined;
  readonly batch: Batch | undefined;
  /** Whether the executor waits for it; asked once, for the SDK takes a new signal for each pass of its loop. */
  readonly foreground: boolean;
}

/** A direct call on a served agent: it belongs to no request, so there is no one it could be asked of. */
function refuseDirect(gate: TierGate, call: ToolCall, toolUseId: string): ToolResultBlock {
  const refusal = refuse('no_approver', refusalText(call.tool));
  gate.record(call, { status: 'refused', refusal, durationMs: 0 });
  return errorResult(toolUseId, refusal.refusal);
}

function unbound({ toolUse }: ToolContext): ToolResultBlock {
  return errorResult(toolUse.toolUseId, `Tool '${toolUse.name}' is not bound to a gate; it was not run.`);
}

/** The dispatch this call is part of; none for a direct call, and none for an id that the model's message lacks. */
function batchWith(context: ToolContext): Batch | undefined {
  const batch = batchOf(context.agent);
  return batch?.ids.has(context.toolUse.toolUseId) === true ? batch : undefined;
}

function runOptions({ guard, context, run, batch, foreground }: GuardedCall): RunOptions<ToolResultBlock> {
  const common = {
    signal: signalOf(context, run, foreground),
    ...(guard.entry.parse === undefined ? {} : { parse: guard.entry.parse }),
    describe: describeResult,
    suspends: (error: unknown) => error instanceof SubAgentWaiting || (batch !== undefined && isInterrupt(error)),
    lock: guard.kind === 'leaf',
    ...(run?.visible === undefined ? {} : { visible: run.visible }),
  };
  if (run === undefined || batch === undefined || !run.parkable.has(context.agent))
    return { ...common, mayPark: false };
  const { toolUseId } = context.toolUse;
  const claim = !batch.claimed.has(toolUseId) && (!batch.fresh || batch.asked);
  batch.claimed.add(toolUseId);
  return {
    ...common,
    mayPark: !run.background.has(guard.entry.name) && foreground,
    position: { conversation: run.conversation, batch: batch.message.trackingId, toolUseId },
    claim,
    // What an agent does as a tool is journaled by its own tools; it must be able to wait and go on.
    journal: run.durable && guard.kind === 'leaf',
  };
}

/** Whether a body must not start a second time: it has a record, or needs a yes. */
function runsOnce({ guard: { entry, kind }, run, batch, context }: GuardedCall): boolean {
  if (entry.tier === 2) return true;
  return (
    entry.tier === 1 &&
    kind === 'leaf' &&
    batch !== undefined &&
    run?.durable === true &&
    run.parkable.has(context.agent)
  );
}

/** What cancels a call. A background task outlives its batch, but not a run that was cancelled. */
function signalOf(context: ToolContext, run: RunContext | undefined, foreground: boolean): AbortSignal {
  if (run === undefined || foreground) return context.cancelSignal;
  return AbortSignal.any([context.cancelSignal, run.stop.signal]);
}

/** A background task is cancelled by itself, so it has a signal of its own. */
function isForeground({ agent, cancelSignal }: Pick<ToolContext, 'agent' | 'cancelSignal'>): boolean {
  return cancelSignal === agent.cancelSignal;
}

/** Whoever takes the progress of a call. */
function readerOf(guarded: GuardedCall): ProgressReader {
  const { guard, gate } = guarded;
  return {
    watch: (leave) => whenLeft(guarded, leave),
    // A body is not stopped because the clock is broken.
    after: (milliseconds, callback) => steadyClock(gate.clock).after(milliseconds, callback),
    tooSlow: () => gate.warn(`Tool '${guard.entry.name}' reports faster than its reader takes: ${DROPPED}`),
  };
}

const DROPPED = `nothing was taken for ${PATIENCE_MS / 1000} seconds, so it goes on, and reports are dropped until the reader takes again`;

/**
 * The executor does not close the stream of a tool when its own consumer leaves, so a body that reports progress would
 * wait for ever, and hold the lock. Cancellation stops it, and so does the end of its batch; a background task has none.
 */
function whenLeft({ context: { cancelSignal }, batch, foreground }: GuardedCall, leave: () => void): () => void {
  const dispatch = foreground ? batch : undefined;
  if (cancelSignal.aborted || dispatch?.closed === true) leave();
  cancelSignal.addEventListener('abort', leave, { once: true });
  dispatch?.abandon.add(leave);
  return () => {
    cancelSignal.removeEventListener('abort', leave);
    dispatch?.abandon.delete(leave);
  };
}

/** Runs the inner tool with exactly the arguments that were decided about. */
async function runBody(
  guarded: GuardedCall,
  args: JSONValue,
  progress: Progress<ToolStreamEvent, Outcome>,
): Promise<ToolResultBlock> {
  const { guard, context } = guarded;
  const { name } = guard.entry;
  const { toolUseId } = context.toolUse;
  // The SDK types JSON as mutable; this is frozen, and the body is to be told so by failing.
  const toolUse = { name, toolUseId, input: args as ToolContext['toolUse']['input'] };
  const call = { ...context, toolUse };
  const about = { tool: name, toolUseId, origin: originOf(guarded.run) };
  const stream = startBody(guarded, runsOnce(guarded) ? withoutInterrupts(call, guarded.gate, about) : call);
  let open = true;
  try {
    for (;;) {
      const next = await stream.next();
      if (next.done === true) {
        open = false;
        return withArguments(guarded, args, next.value ?? errorResult(toolUseId, `Tool '${name}' gave no result`));
      }
      await progress.offer(next.value);
    }
  } finally {
    // @ts-expect-error The SDK types the return value as required; leaving early has none.
    if (open) await stream.return(undefined);
  }
}

/** Tells the model when what ran is not what it asked for, because a person approved other arguments. */
function withArguments({ guard, context }: GuardedCall, args: JSONValue, result: ToolResultBlock): ToolResultBlock {
  if (guard.entry.tier !== 2 || isWhatWasAsked(guard, context.toolUse.input, args)) return result;
  const note = new TextBlock(`Note: a person changed the arguments; the call ran with ${JSON.stringify(args)}`);
  return new ToolResultBlock({
    toolUseId: result.toolUseId,
    status: result.status,
    content: [...result.content, note],
  });
}

function isWhatWasAsked({ entry }: Guard, input: unknown, args: JSONValue): boolean {
  try {
    if (sealsTo(input, args)) return true;
    const raw = sealJson(input);
    return jsonEquals(raw, args) || jsonEquals(sealJson(entry.parse?.(raw) ?? raw), args);
  } catch {
    return false;
  }
}

function startBody(guarded: GuardedCall, context: ToolContext): ToolStreamGenerator {
  const { guard, gate, run, batch, foreground } = guarded;
  const agent = agentBehind(guard.inner);
  if (agent === undefined) return guard.inner.stream(context);
  const key = batch === undefined ? '' : waitingKey(batch, context.toolUse.toolUseId);
  const waiting = run?.waiting.get(key);
  run?.waiting.delete(key);
  return runSubAgent({
    agent,
    start: guard.start,
    gate,
    context,
    run,
    signal: signalOf(context, run, foreground),
    waiting,
    parkable: batch !== undefined && guard.entry.tier !== 2 && run?.parkable.has(context.agent) === true,
    waits: batch !== undefined,
  });
}

function resultOf(outcome: Exclude<Outcome, Waiting>, toolUseId: string): ToolResultBlock {
  switch (outcome.status) {
    case 'success':
      return outcome.value;
    case 'refused':
      return errorResult(toolUseId, outcome.refusal.refusal);
    case 'replayed':
      return replayed(outcome.result, outcome.failed, toolUseId);
    case 'error':
      if (isInterrupt(outcome.error) && outcome.approvalId === undefined) throw outcome.error;
      return errorResult(toolUseId, `Error: ${errorText(outcome.error)}`);
    default:
      return outcome satisfies never;
  }
}

/** The stored result of an earlier attempt, so that the model gets the answer without the tool running again. */
function replayed(stored: JSONValue | undefined, failed: boolean, toolUseId: string): ToolResultBlock {
  if (stored === undefined)
    return errorResult(
      toolUseId,
      failed ? 'The tool failed in an earlier attempt.' : 'The tool ran in an earlier attempt.',
    );
  // Written by `describeResult` from a ToolResultBlock; the store is tau's own.
  const { toolResult } = stored as unknown as ReturnType<ToolResultBlock['toJSON']>;
  return ToolResultBlock.fromJSON({ toolResult: { ...structuredClone(toolResult), toolUseId } });
}

/** What the gate keeps and tells of a result. */
export function describeResult(result: ToolResultBlock): Described {
  return {
    status: result.status,
    summary: result.content.map((block) => (block.type === 'textBlock' ? block.text : summaryOf(block))).join(' '),
    result: () => jsonOf(result),
  };
}

/** What a JSON block holds may be of classes that only text takes apart. */
function jsonOf(result: ToolResultBlock): JSONValue {
  try {
    return sealJson(result.toJSON());
  } catch {
    return JSON.parse(JSON.stringify(result)) as JSONValue;
  }
}

function summaryOf(block: ToolResultBlock['content'][number]): string {
  return block.type === 'jsonBlock' ? JSON.stringify(block.json) : `[${block.type}]`;
}

function errorResult(toolUseId: string, text: string): ToolResultBlock {
  return new ToolResultBlock({ toolUseId, status: 'error', content: [new TextBlock(text)] });
}
