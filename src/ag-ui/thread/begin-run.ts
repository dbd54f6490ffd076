import type { JSONValue } from '../../core/json.ts';
import { isJsonArray, isJsonObject } from '../../core/json.ts';
import { readCheckpoint } from '../../strands/checkpoint.ts';
import type { Request } from '../bridge-parts.ts';
import type { Plan } from '../interrupt/plan.ts';
import { trailingResults } from '../request/continuation.ts';
import { buildContextExtras } from '../request/extras.ts';
import { derivePrompt, type HookError } from '../request/prompt.ts';
import type { ToolsOfRun } from '../tools/tools-of-run.ts';
import { type AgentRun, continueTurn, resumeTurn, startTurn } from './agent-run.ts';
import { placeClientAnswers } from './client-answers.ts';
import type { ThreadAgent } from './thread-agent.ts';

/** A run that is about to be streamed, and what the client knows of it. */
export interface BegunRun {
  readonly agentRun: AgentRun;
  /** Ids of calls that the client has been told of. */
  readonly announced: ReadonlySet<string>;
  readonly hookError: HookError | undefined;
}

/** Turns a planned request into a run of the thread's agent. */
export async function beginRun(
  request: Request,
  thread: ThreadAgent,
  plan: Extract<Plan, { type: 'prompt' | 'resume' }>,
  tools: ToolsOfRun,
): Promise<BegunRun> {
  const { input, context, key, invocationState } = request;
  const scope = { key, principal: context.principal, visible: tools.visible, invocationState };
  const announced = new Set(trailingResults(input.messages).map(({ toolCallId }) => toolCallId));
  if (plan.type === 'prompt') return { ...beginTurn(request, thread, tools, scope), announced };
  const waiting = readCheckpoint(thread.agent).pending;
  const agentRun = await resumeTurn(thread, plan.natives, scope);
  const pending = agentRun.run?.resumed?.pending ?? waiting;
  for (const id of calledIds(pending)) announced.add(id);
  return { agentRun, announced, hookError: undefined };
}

function beginTurn(
  { parts, input }: Request,
  thread: ThreadAgent,
  { proxyNames }: ToolsOfRun,
  scope: Parameters<typeof startTurn>[2],
): Omit<BegunRun, 'announced'> {
  const { config, log } = parts;
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
  if (placeClientAnswers(thread.agent, answers, (name) => proxyNames.has(name))) {
    return { agentRun: continueTurn(thread, scope), hookError };
  }
  return { agentRun: startTurn(thread, prompt, scope), hookError };
}

function nameInHistory({ agent }: ThreadAgent, toolCallId: string): string | undefined {
  for (const { content } of agent.messages) {
    for (const block of content) if (block.type === 'toolUseBlock' && block.toolUseId === toolCallId) return block.name;
  }
  return undefined;
}

function calledIds(pending: JSONValue | undefined): readonly string[] {
  const message = isJsonObject(pending) ? pending.assistantMessageData : undefined;
  const content = isJsonObject(message) ? message.content : undefined;
  if (content === undefined || !isJsonArray(content)) return [];
  return content.flatMap((block) => {
    const use = isJsonObject(block) ? block.toolUse : undefined;
    return isJsonObject(use) && typeof use.toolUseId === 'string' ? [use.toolUseId] : [];
  });
}
