import { readCheckpoint } from '../../strands/checkpoint.ts';
import type { Request } from '../bridge-parts.ts';
import type { Plan } from '../interrupt/plan.ts';
import { contextText } from '../request/context-text.ts';
import { trailingResults } from '../request/continuation.ts';
import { buildContextExtras } from '../request/extras.ts';
import { derivePrompt, type HookError } from '../request/prompt.ts';
import type { ToolsOfRun } from '../tools/tools-of-run.ts';
import { type AgentRun, continueTurn, type RunScope, resumeTurn, startTurn } from './agent-run.ts';
import { placeClientAnswers } from './client-answers.ts';
import { showToModel } from './model-context.ts';
import { pendingCalls } from './pending-calls.ts';
import { forgetCalls, rememberCalls } from './remember-calls.ts';
import type { ThreadAgent } from './thread-agent.ts';

/** A run that is about to be streamed, and what the client knows of it. */
export interface BegunRun {
  readonly agentRun: AgentRun;
  /** Ids of calls that the client has been told of. */
  readonly announced: ReadonlySet<string>;
  /** Those of them that a resumed batch has and the request does not answer. */
  readonly unanswered: ReadonlySet<string>;
  readonly hookError: HookError | undefined;
}

/** Turns a planned request into a run of the thread's agent. */
export async function beginRun(
  request: Request,
  thread: ThreadAgent,
  plan: Extract<Plan, { type: 'prompt' | 'resume' }>,
  tools: ToolsOfRun,
): Promise<BegunRun> {
  const begun = await begin(request, thread, plan, tools);
  showToModel(thread.agent, begun.agentRun.invocationState, contextText(request.input));
  return begun;
}

async function begin(
  request: Request,
  thread: ThreadAgent,
  plan: Extract<Plan, { type: 'prompt' | 'resume' }>,
  tools: ToolsOfRun,
): Promise<BegunRun> {
  const { input, context, key, invocationState } = request;
  const scope: RunScope = {
    key,
    principal: context.principal,
    visible: tools.visible,
    invocationState,
    isClientTool: (name) => tools.proxyNames.has(name),
  };
  // A thread that came back from its session knows what it called from its history.
  if (thread.known.size === 0) rememberCalls(thread, tools.proxyNames);
  const results = trailingResults(input.messages);
  const announced = new Set(results.map(({ toolCallId }) => toolCallId));
  if (plan.type === 'prompt') return { ...(await beginTurn(request, thread, scope)), announced, unanswered: new Set() };
  const waiting = readCheckpoint(thread.agent).pending;
  const agentRun = await resumeTurn(thread, { natives: plan.natives, results, messages: input.messages }, scope);
  const unanswered = new Set<string>();
  for (const { id } of pendingCalls(agentRun.run?.resumed?.pending ?? waiting))
    if (!announced.has(id)) unanswered.add(id);
  return { agentRun, announced: new Set([...announced, ...unanswered]), unanswered, hookError: undefined };
}

async function beginTurn(
  { parts, input }: Request,
  thread: ThreadAgent,
  scope: RunScope,
): Promise<Omit<BegunRun, 'announced' | 'unanswered'>> {
  const { config, log } = parts;
  forgetCalls(thread, input.messages);
  const prompt = derivePrompt(input, {
    replay: !thread.durable && config.replayHistoryIntoStrands !== false,
    extras: buildContextExtras(input),
    log,
    stateContextBuilder: config.stateContextBuilder,
    known: (id) => thread.known.get(id),
    nameOf: (id) => nameInHistory(thread, id),
  });
  const { hookError } = prompt;
  const answers = prompt.kind === 'prompt' ? trailingResults(input.messages) : [];
  if (placeClientAnswers(thread.agent, answers, scope.isClientTool)) {
    return { agentRun: continueTurn(thread, scope), hookError };
  }
  return { agentRun: await startTurn(thread, prompt, scope), hookError };
}

function nameInHistory({ agent }: ThreadAgent, toolCallId: string): string | undefined {
  for (const { content } of agent.messages) {
    for (const block of content) if (block.type === 'toolUseBlock' && block.toolUseId === toolCallId) return block.name;
  }
  return undefined;
}
