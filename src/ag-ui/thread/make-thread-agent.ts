import type { RunAgentInput } from '@ag-ui/core';
import { Agent, type AgentConfig, type Plugin, SessionManager } from '@strands-agents/sdk';
import { ConfigError, errorText } from '../../core/errors.ts';
import type { BuildAgentOptions } from '../../strands/build-options.ts';
import { guardOf } from '../../strands/guards.ts';
import { markServed } from '../../strands/run-context.ts';
import { saveBeforeModelCalls } from '../../strands/session.ts';
import { type GuardedAgent, partsOf } from '../../strands/tau-agent-parts.ts';
import type { Logger, RequestContext, StrandsAgentConfig } from '../config.ts';
import { RunError } from '../run-error.ts';
import type { AgentSource } from './agent-source.ts';
import { templateConfig } from './template-copy.ts';
import { ThreadAgent } from './thread-agent.ts';
import type { ThreadKey } from './thread-key.ts';

/** What making the agent of a thread needs. */
export interface ThreadAgentRequest {
  readonly source: AgentSource;
  readonly key: ThreadKey;
  readonly input: RunAgentInput;
  readonly context: RequestContext;
  readonly config: StrandsAgentConfig;
  readonly name: string;
  readonly plugins: readonly Plugin[];
  readonly log: Logger;
}

/**
 * Makes the agent of a thread: its session manager, the agent, the history of the session. Nothing is kept when a step
 * fails, so the next request tries again.
 *
 * @throws RunError with the code of the step that failed.
 */
export async function makeThreadAgent(request: ThreadAgentRequest): Promise<ThreadAgent> {
  const sessionManager = await sessionManagerOf(request);
  const extra = await extraConfig(request);
  const made = await makeAgent(request, sessionManager, extra);
  const plain = made instanceof Agent;
  const agent = plain ? made : made.agent;
  await initialize(agent, plain ? sessionManager : undefined);
  return adoptAgent(made, sessionManager !== undefined || agent.sessionManager !== undefined);
}

/** Serves an agent that exists already. */
export function adoptAgent(made: Agent | GuardedAgent, durable: boolean): ThreadAgent {
  const agent = made instanceof Agent ? made : made.agent;
  const guarded = made instanceof Agent ? undefined : partsOf(made);
  markServed(agent);
  const templateTools = guarded === undefined ? agent.tools : agent.tools.filter((tool) => guardOf(tool) !== undefined);
  return new ThreadAgent({ agent, guarded, templateTools, durable });
}

/**
 * An agent from the application's own map must be as well guarded as the one it stands in for.
 *
 * @throws ConfigError when the bridge serves a guarded agent and this one is not.
 */
export function refuseUnguarded(source: AgentSource, agent: Agent, threadId: string): void {
  if (source.kind !== 'tau') return;
  const { gate } = partsOf(source.agent);
  const unguarded = agent.tools.find((tool) => guardOf(tool)?.gate !== gate);
  if (unguarded === undefined && agent.tools.length > 0) return;
  const what = unguarded === undefined ? 'has no tools of the gate' : `holds '${unguarded.name}' without its guard`;
  throw new ConfigError(`The agent in agentsByThread for thread '${threadId}' ${what}; put a TauAgent there`);
}

async function sessionManagerOf({
  config,
  input,
  context,
  log,
}: ThreadAgentRequest): Promise<SessionManager | undefined> {
  if (config.sessionManagerProvider === undefined) return undefined;
  let provided: SessionManager | null | undefined;
  try {
    provided = await Promise.resolve(config.sessionManagerProvider(input, context));
  } catch (cause) {
    throw new RunError('SESSION_MANAGER_ERROR', [errorText(cause)], { cause });
  }
  if (provided === null || provided === undefined) {
    log.warn(`sessionManagerProvider returned null/undefined for thread '${input.threadId}'; it will not be persisted`);
    return undefined;
  }
  if (provided instanceof SessionManager) return provided;
  throw new RunError('SESSION_MANAGER_INVALID_TYPE', [typeName(provided)]);
}

function typeName(value: unknown): string {
  return typeof value === 'object' && value !== null ? (value.constructor?.name ?? 'object') : typeof value;
}

async function extraConfig({ config, input, context }: ThreadAgentRequest): Promise<Partial<AgentConfig>> {
  try {
    const extra = (await Promise.resolve(config.threadAgentConfig?.(input, context))) ?? {};
    const { printer: _printer, sessionManager: _sessionManager, messages: _messages, ...rest } = extra;
    return rest;
  } catch (cause) {
    throw new RunError('THREAD_AGENT_CONFIG_ERROR', [errorText(cause)], { cause });
  }
}

async function makeAgent(
  { source, key, input, context, name, plugins, log }: ThreadAgentRequest,
  sessionManager: SessionManager | undefined,
  extra: Partial<AgentConfig>,
): Promise<Agent | GuardedAgent> {
  const session = sessionManager === undefined ? {} : { sessionManager };
  switch (source.kind) {
    case 'tau':
      return partsOf(source.agent).rebuild({
        ...guardedExtra(extra, plugins),
        ...session,
        conversation: key,
        channel: 'ag-ui',
      });
    case 'factory':
      return source.make({ threadId: input.threadId }, context);
    case 'template': {
      const config = templateConfig(source.agent, name, log);
      const all = [...(config.plugins ?? []), ...plugins];
      const { plugins: _plugins, ...rest } = config;
      return new Agent({
        ...rest,
        ...(all.length === 0 ? {} : { plugins: all }),
        ...extra,
        printer: false,
        ...session,
      });
    }
    case 'orchestrator':
      throw new RunError('ORCHESTRATOR_NOT_SUPPORTED');
    default:
      return source satisfies never;
  }
}

/** The settings that a thread may add to a guarded agent. Tools and executors are not among them: they are guarded. */
function guardedExtra(extra: Partial<AgentConfig>, added: readonly Plugin[]): Partial<BuildAgentOptions> {
  const { tools, toolExecutor, backgroundTasks, checkpointing, plugins, model, ...rest } = extra;
  const given = Object.entries({ tools, toolExecutor, backgroundTasks, checkpointing }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 0) {
    const names = given.map(([name]) => name).join(', ');
    throw new RunError('THREAD_AGENT_CONFIG_ERROR', [`${names} cannot be set for a guarded agent; use a factory`]);
  }
  return { ...rest, ...(model === undefined ? {} : { model }), plugins: [...(plugins ?? []), ...added] };
}

/** Restores the session now, so that what the thread waits for is known before anything runs. */
async function initialize(agent: Agent, sessionManager: SessionManager | undefined): Promise<void> {
  try {
    await agent.initialize();
    if (sessionManager !== undefined) saveBeforeModelCalls(agent, sessionManager);
  } catch (cause) {
    if (sessionManager === undefined) throw cause;
    throw new RunError('SESSION_MANAGER_ERROR', [errorText(cause)], { cause });
  }
}
