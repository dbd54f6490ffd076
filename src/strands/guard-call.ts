import {
  TextBlock,
  type Tool,
  type ToolContext,
  ToolResultBlock,
  type ToolStreamEvent,
  type ToolStreamGenerator,
} from '@strands-agents/sdk';
import type { ToolCall } from '../core/call.ts';
import { errorText } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import type { JSONValue } from '../core/json.ts';
import type { Described, RunOptions } from '../core/options.ts';
import type { CallOutcome } from '../core/outcome.ts';
import type { Guard } from './guards.ts';
import { askForTheRest, park } from './parking.ts';
import { Progress } from './progress.ts';
import { type Batch, batchOf, originOf, type RunContext, runOf } from './run-context.ts';

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
  batch?.reached.add(toolUseId);
  const call: ToolCall = { tool: guard.entry.name, arguments: context.toolUse.input, toolUseId, origin: originOf(run) };
  const outcome = yield* perform(guard, guard.gate, call, context, runOptions(guard, context, run, batch));
  if (outcome.status !== 'pending') return resultOf(outcome, toolUseId);
  if (run === undefined || batch === undefined) return errorResult(toolUseId, 'The question cannot wait here.');
  run.parked.add(outcome.approvalId);
  await askForTheRest(run, context.agent, batch);
  return park(context);
}

function unbound({ toolUse }: ToolContext): ToolResultBlock {
  return errorResult(toolUse.toolUseId, `Tool '${toolUse.name}' is not bound to a gate; it was not run.`);
}

/** The dispatch this call is part of; none for a direct call, and none for an id that the model's message lacks. */
function batchWith(context: ToolContext): Batch | undefined {
  const batch = batchOf(context.agent);
  const { toolUseId } = context.toolUse;
  const known = batch?.message.content.some((block) => block.type === 'toolUseBlock' && block.toolUseId === toolUseId);
  return known === true ? batch : undefined;
}

function runOptions(
  guard: Guard,
  context: ToolContext,
  run: RunContext | undefined,
  batch: Batch | undefined,
): RunOptions<ToolResultBlock> {
  const { toolUseId } = context.toolUse;
  const own = run !== undefined && batch !== undefined && context.agent === run.root;
  return {
    signal: context.cancelSignal,
    parse: guard.parse,
    describe: describeResult,
    lock: guard.kind === 'leaf',
    mayPark: own && !run.background.has(guard.entry.name),
    ...(run?.visible === undefined ? {} : { visible: run.visible }),
    ...(own ? positioned(run, batch, toolUseId) : {}),
  };
}

function positioned(run: RunContext, batch: Batch, toolUseId: string): Partial<RunOptions<ToolResultBlock>> {
  const claim = !batch.claimed.has(toolUseId);
  batch.claimed.add(toolUseId);
  const { conversation, durable } = run;
  return { position: { conversation, batch: batch.message.trackingId, toolUseId }, claim, journal: durable };
}

async function* perform(
  guard: Guard,
  gate: TierGate,
  call: ToolCall,
  context: ToolContext,
  options: RunOptions<ToolResultBlock>,
): AsyncGenerator<ToolStreamEvent, CallOutcome<ToolResultBlock>, undefined> {
  const progress = new Progress<ToolStreamEvent>();
  const work = gate.run(call, (args) => runBody(guard.inner, context, args, progress), options);
  yield* progress.until(work);
  return await work;
}

/** Runs the inner tool with exactly the arguments that were decided about. */
async function runBody(
  inner: Tool,
  context: ToolContext,
  args: JSONValue,
  progress: Progress<ToolStreamEvent>,
): Promise<ToolResultBlock> {
  const toolUse = {
    name: inner.name,
    toolUseId: context.toolUse.toolUseId,
    input: args as ToolContext['toolUse']['input'],
  };
  const stream = inner.stream({ ...context, toolUse });
  try {
    for (;;) {
      const next = await stream.next();
      if (next.done === true)
        return next.value ?? errorResult(toolUse.toolUseId, `Tool '${inner.name}' gave no result`);
      await progress.offer(next.value);
    }
  } finally {
    // @ts-expect-error The SDK types the return value as required; leaving early has none.
    await stream.return(undefined);
  }
}

function resultOf(
  outcome: Exclude<CallOutcome<ToolResultBlock>, { status: 'pending' }>,
  toolUseId: string,
): ToolResultBlock {
  switch (outcome.status) {
    case 'success':
      return outcome.value;
    case 'refused':
      return errorResult(toolUseId, outcome.refusal.refusal);
    case 'replayed':
      return replayed(outcome.result, outcome.failed, toolUseId);
    case 'error':
      if (isInterrupt(outcome.error)) throw outcome.error;
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

function describeResult(result: ToolResultBlock): Described {
  return {
    status: result.status,
    summary: result.content.map((block) => (block.type === 'textBlock' ? block.text : summaryOf(block))).join(' '),
    result: () => JSON.parse(JSON.stringify(result)) as JSONValue,
  };
}

function summaryOf(block: ToolResultBlock['content'][number]): string {
  return block.type === 'jsonBlock' ? JSON.stringify(block.json) : `[${block.type}]`;
}

/** The tool raised an interrupt of its own; the SDK must see it. */
function isInterrupt(error: unknown): error is Error {
  return error instanceof Error && error.name === 'InterruptError' && 'interrupts' in error;
}

function errorResult(toolUseId: string, text: string): ToolResultBlock {
  return new ToolResultBlock({ toolUseId, status: 'error', content: [new TextBlock(text)] });
}
