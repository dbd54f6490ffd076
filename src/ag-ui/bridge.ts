import type { BaseEvent } from '@ag-ui/core';
import type { BridgeParts, Request } from './bridge-parts.ts';
import { classifyError } from './classify-error.ts';
import type { Logger } from './config.ts';
import { applyAnswers } from './interrupt/apply.ts';
import { type Plan, planRun } from './interrupt/plan.ts';
import { hookFailed, opening } from './opening.ts';
import { buildContextExtras } from './request/extras.ts';
import { RunError } from './run-error.ts';
import { decidedElsewhere, runFailed, runFinished, runStarted } from './run-events.ts';
import { beginRun } from './thread/begin-run.ts';
import { endRun } from './thread/end-run.ts';
import type { ThreadAgent } from './thread/thread-agent.ts';
import { threadKey } from './thread/thread-key.ts';
import { threadOfRequest } from './thread/thread-of-request.ts';
import { toolsOfRequest } from './tools/tools-of-request.ts';
import { translate } from './translate/translator.ts';

type Events = AsyncGenerator<BaseEvent, void, undefined>;

/** Serves one request. Whatever goes wrong ends the run with a documented code; nothing is thrown. */
export async function* serve(parts: BridgeParts, asked: Omit<Request, 'parts' | 'key' | 'lease'>): Events {
  const { input, context } = asked;
  const key = threadKey(input.threadId, context.principal);
  yield runStarted(input);
  const lease = parts.threads.take(key);
  if (lease === undefined) return yield runFailed(new RunError('THREAD_BUSY', [input.threadId]));
  try {
    yield* serveThread({ ...asked, parts, key, lease });
  } catch (error) {
    const told = classifyError(error, 'bridge');
    logEnd(parts.log, input.runId, told, error);
    yield runFailed(told);
  } finally {
    lease.release();
  }
}

/** A request that was refused is the client's affair; a failure is ours, and the log gets all of it. */
function logEnd(log: Logger, runId: string, told: RunError, error: unknown): void {
  const refused = error === told && told.cause === undefined;
  if (refused) log.warn(`Run ${runId} was refused: ${told.code} ${told.message}`);
  else log.error(`Run ${runId} failed: ${told.code}`, told.cause ?? error);
}

/** The way of a request through the bridge, on a thread that nobody else has. */
async function* serveThread(request: Request): Events {
  const { input, key } = request;
  const thread = await threadOfRequest(request);
  const plan = await planRun(thread, key, input.resume ?? []);
  if (plan.type === 'replay') return yield runFinished(input);
  if (plan.type === 'decided') return yield* tellDecided(request, plan);
  yield* runThread(request, thread, plan);
}

async function* runThread(
  request: Request,
  thread: ThreadAgent,
  plan: Extract<Plan, { type: 'prompt' | 'resume' }>,
): Events {
  const { parts, input, context } = request;
  const { config, log } = parts;
  const gate = thread.guarded?.gate;
  const elsewhere =
    plan.type === 'resume' && gate !== undefined ? await applyAnswers(gate, context.principal, plan.approvals) : [];
  const tools = await toolsOfRequest(request, thread, plan);
  yield* opening(input, config);
  for (const record of elsewhere) yield decidedElsewhere(record);
  const { agentRun, announced, hookError } = await beginRun(request, thread, plan, tools);
  if (hookError !== undefined) yield hookFailed(hookError);
  const stream = thread.agent.stream(agentRun.args, {
    invocationState: agentRun.invocationState,
    cancelSignal: context.signal,
  });
  const end = yield* translate(stream, {
    input,
    config,
    extras: buildContextExtras(input),
    rules: { isFrontend: (name) => tools.proxyNames.has(name), alreadyAnnounced: (id) => announced.has(id) },
    newId: () => globalThis.crypto.randomUUID(),
    signal: context.signal,
    log,
  });
  yield* endRun({ request, thread, plan, agentRun, tools, end });
}

/** Everything that was answered had been decided and carried on elsewhere; the client is told and can go on. */
function* tellDecided(
  { input, parts }: Request,
  { records }: Extract<Plan, { type: 'decided' }>,
): Generator<BaseEvent> {
  yield* opening(input, parts.config);
  for (const record of records) yield decidedElsewhere(record);
  yield runFinished(input);
}
