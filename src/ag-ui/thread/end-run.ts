import type { BaseEvent } from '@ag-ui/core';
import { limitText } from '../../strands/notices.ts';
import type { Request } from '../bridge-parts.ts';
import { classifyError } from '../classify-error.ts';
import { keepStopped, rememberResume } from '../interrupt/outcome.ts';
import type { Plan } from '../interrupt/plan.ts';
import { callsIn } from '../request/known-calls.ts';
import { runFailed, runFinished } from '../run-events.ts';
import type { ToolsOfRun } from '../tools/tools-of-run.ts';
import { TEXT_CONTENT, TEXT_END, TEXT_START } from '../translate/events.ts';
import type { TranslationEnd } from '../translate/translation-end.ts';
import { type AgentRun, closeTurn } from './agent-run.ts';
import { withoutHaltText } from './client-answers.ts';
import type { ThreadAgent } from './thread-agent.ts';

/** A run whose stream is over. */
export interface EndedRun {
  readonly request: Request;
  readonly thread: ThreadAgent;
  readonly plan: Extract<Plan, { type: 'prompt' | 'resume' }>;
  readonly agentRun: AgentRun;
  readonly tools: ToolsOfRun;
  readonly end: TranslationEnd;
}

/** How long an agent that was left has to let go of its run, in milliseconds. */
const GRACE_MS = 250;

/** The last events of a run, once its thread is in order. */
export async function* endRun(ended: EndedRun): AsyncGenerator<BaseEvent, void, undefined> {
  const { request, thread, end, tools } = ended;
  if (end.end.type === 'left') return leave(ended);
  await end.closed;
  withoutHaltText(thread.agent);
  remember(thread, tools);
  if (end.end.type === 'failed') {
    await closeTurn(thread, ended.agentRun);
    request.parts.log.error(`Run ${request.input.runId} failed`, end.end.error);
    yield runFailed(classifyError(end.end.error, 'agent'), end.usage);
    return;
  }
  if (end.end.result.stopReason === 'interrupt') return yield* stop(ended);
  yield* limitReached(ended);
  await closeTurn(thread, ended.agentRun);
  if (ended.plan.type === 'resume') await rememberResume(thread, ended.plan.fingerprint, request.parts.log);
  yield runFinished(request.input, [], end.usage);
}

async function* stop({ request, thread, agentRun, tools, end }: EndedRun): AsyncGenerator<BaseEvent, void, undefined> {
  if (end.end.type !== 'result') return;
  const { config, log } = request.parts;
  const { result } = end.end;
  const visible = tools.namesToRemember();
  const interrupts = await keepStopped({ thread, run: agentRun.run, result, config, visible, log });
  yield runFinished(request.input, interrupts, end.usage);
}

/** A turn that its budget ended says so; the text is in the agent's history already. */
function* limitReached({ agentRun, thread }: EndedRun): Generator<BaseEvent, void, undefined> {
  const context = agentRun.run?.context;
  const hit = context?.budget.hit;
  if (context === undefined || hit === undefined || thread.guarded === undefined) return;
  const { origin, limit } = { origin: context, limit: context.budget.limit(hit) };
  context.gate.reportTurnLimit(hit, limit, { kind: 'model', conversation: origin.conversation, run: origin.run });
  const messageId = globalThis.crypto.randomUUID();
  yield { type: TEXT_START, messageId, role: 'assistant' };
  yield { type: TEXT_CONTENT, messageId, delta: limitText(thread.guarded.language, hit, context.budget) };
  yield { type: TEXT_END, messageId };
}

/** Keeps what the agent itself called, so that a client's copy of a result never stands in for it. */
function remember(thread: ThreadAgent, { proxyNames }: ToolsOfRun): void {
  const own = thread.agent.messages.filter(({ trackingId }) => !thread.replayed.has(trackingId));
  for (const [id, call] of callsIn(
    own.map((message) => message.toJSON()),
    (name) => proxyNames.has(name),
  )) {
    thread.known.set(id, call);
  }
}

/** The client has gone: an agent that does not let go is forgotten, so that the thread is free at once. */
async function leave({ request, thread, agentRun, end }: EndedRun): Promise<void> {
  const tidied = end.closed.then(() => closeTurn(thread, agentRun));
  tidied.catch((error: unknown) => request.parts.log.error('A run that was left could not be tidied up', error));
  const grace = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => grace.resolve('late'), GRACE_MS);
  const first = await Promise.race([
    tidied.then(
      () => 'tidy',
      () => 'tidy',
    ),
    grace.promise,
  ]);
  clearTimeout(timer);
  if (first === 'late') request.lease.discard();
}
