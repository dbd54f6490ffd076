import type { BaseEvent } from '@ag-ui/core';
import type { ApprovalRecord } from '../core/approval-record.ts';
import { loadParkedTurn } from '../strands/parked-turn.ts';
import type { BridgeParts, Request } from './bridge-parts.ts';
import { classifyError } from './classify-error.ts';
import type { Logger } from './config.ts';
import { applyAnswers } from './interrupt/apply.ts';
import { openQuestions } from './interrupt/open-questions.ts';
import { type Plan, planRun } from './interrupt/plan.ts';
import { planWakeUp } from './interrupt/plan-wake-up.ts';
import { notSupported } from './not-supported.ts';
import { opening } from './opening.ts';
import { RunError } from './run-error.ts';
import { decidedElsewhere, lostQuestion, openInterrupts, runFailed, runFinished, runStarted } from './run-events.ts';
import { type BegunRun, beginRun } from './thread/begin-run.ts';
import { endUnreadable } from './thread/end-unreadable.ts';
import { historyOfThread, withHistory } from './thread/history-of-thread.ts';
import type { Parts } from './thread/run-stream.ts';
import { streamRun } from './thread/stream-run.ts';
import { takeBack } from './thread/take-back.ts';
import type { ThreadAgent } from './thread/thread-agent.ts';
import { threadKey } from './thread/thread-key.ts';
import { threadOfRequest } from './thread/thread-of-request.ts';
import { toolsOfRequest } from './tools/tools-of-request.ts';

/** Serves one request. Whatever goes wrong ends the run with a documented code; nothing is thrown. */
export async function* serve(parts: BridgeParts, asked: Omit<Request, 'parts' | 'key' | 'lease'>): Parts {
  const { input, context, leaving } = asked;
  const key = threadKey(input.threadId, context.principal);
  yield runStarted(input);
  const lease = parts.threads.take(key);
  if (lease === undefined) return yield runFailed(new RunError('THREAD_BUSY', [input.threadId]));
  const unwatch = leaving.freeWhenLeft(lease);
  try {
    yield* serveThread({ ...asked, parts, key, lease });
  } catch (error) {
    const told = classifyError(error, 'bridge');
    logEnd(parts.log, input.runId, told, error);
    yield runFailed(told);
  } finally {
    unwatch();
    lease.release();
  }
}

/** A request that was refused is the client's affair; a failure is ours, and the log gets all of it. */
function logEnd(log: Logger, runId: string, told: RunError, error: unknown): void {
  const refused = error === told && told.cause === undefined;
  const run = `Run ${JSON.stringify(runId)}`;
  if (refused) log.warn(`${run} was refused: ${told.code} ${JSON.stringify(told.message)}`);
  else log.error(`${run} failed: ${told.code}`, told.cause ?? error);
}

/** The way of a request through the bridge, on a thread that nobody else has. */
async function* serveThread(asked: Request): Parts {
  const { key, parts, context } = asked;
  const thread = await threadOfRequest(asked);
  await endUnreadable(thread, key, parts.log);
  const request = await knowingBetter(asked, thread);
  const { resume = [] } = request.input;
  const plan = request.isWakeUp ? await planWakeUp(thread, key) : await planRun(thread, key, context, resume);
  if (plan.type === 'pending') return yield* tellPending(request, thread, plan);
  if (plan.type === 'replay') return yield* tellAgain(request);
  if (plan.type === 'decided') return yield* tellDecided(request, plan);
  yield* runThread(request, thread, plan);
}

/** A client that has lost what it was asked could never answer; here it gets its questions again. */
async function* tellPending(
  request: Request,
  thread: ThreadAgent,
  { waiting }: Extract<Plan, { type: 'pending' }>,
): Parts {
  const published = waiting.published.size > 0 ? waiting.published : await askedBefore(request, thread);
  yield openInterrupts(await openQuestions(thread, { ...waiting, published }, request));
  throw new RunError('PENDING_INTERRUPTS');
}

/** What a thread asked whose agent is gone from memory: the store still has its calls, and somebody has to wake them. */
async function askedBefore({ key }: Request, { guarded }: ThreadAgent): Promise<ReadonlySet<string>> {
  const parked = guarded === undefined ? undefined : await loadParkedTurn(guarded.gate.store, key);
  return new Set(parked?.open);
}

/** With a session the server may know more of the conversation than a client that was away. */
async function knowingBetter(request: Request, thread: ThreadAgent): Promise<Request> {
  const { parts, input, key } = request;
  if (parts.config.messagesFrom !== 'session' || !thread.durable) return request;
  return { ...request, input: withHistory(input, await historyOfThread(thread, key)) };
}

async function* runThread(
  request: Request,
  thread: ThreadAgent,
  plan: Extract<Plan, { type: 'prompt' | 'resume' }>,
): Parts {
  const { context, lease, leaving } = request;
  const tools = await toolsOfRequest(request, thread, plan);
  // Who left, or was stopped, while thread and tools were made decides nothing any more.
  if (context.signal.aborted) return;
  const gate = thread.guarded?.gate;
  const approvals = plan.type === 'resume' && gate !== undefined ? plan.approvals : [];
  const undo = gate === undefined || approvals.length === 0 ? undefined : () => takeBack(request, gate, approvals);
  const begins = leaving.undoWhenStopped(undo);
  let begun: BegunRun;
  try {
    const elsewhere =
      gate === undefined ? [] : await leaving.during(() => applyAnswers(gate, context, approvals, context.signal));
    yield* openRun(request, plan, elsewhere);
    begun = await beginRun(request, thread, plan, tools);
  } finally {
    await begins();
  }
  // The thread may be somebody else's by now, who must not have it put in order by this run.
  if (!lease.isHeld()) return;
  yield* streamRun({ request, thread, plan, tools, begun });
}

/** What a client is told before its run begins. */
function* openRun(
  { parts, input }: Request,
  plan: Extract<Plan, { type: 'prompt' | 'resume' }>,
  elsewhere: readonly ApprovalRecord[],
): Generator<BaseEvent, void, undefined> {
  yield* opening(input, parts.config);
  yield* notSupported(input);
  for (const record of elsewhere) yield decidedElsewhere(record);
  if (plan.type === 'resume') yield* plan.lost.map(lostQuestion);
}

/** An answer that was sent again runs nothing; a client that lost what came of it gets that from the session. */
function* tellAgain({ input, parts }: Request): Generator<BaseEvent, void, undefined> {
  if (parts.config.messagesFrom === 'session') yield* opening(input, parts.config);
  yield runFinished(input);
}

/** Everything that was answered had been decided and carried on elsewhere; the client is told and can go on. */
function* tellDecided(
  { input, parts }: Request,
  { records, lost }: Extract<Plan, { type: 'decided' }>,
): Generator<BaseEvent, void, undefined> {
  yield* opening(input, parts.config);
  for (const record of records) yield decidedElsewhere(record);
  yield* lost.map(lostQuestion);
  yield runFinished(input);
}
