import { Agent, type AgentConfig, type Plugin, type SessionManager } from '@strands-agents/sdk';
import { ConfigError } from '../../core/errors.ts';
import { saveBeforeModelCalls } from '../../strands/session.ts';
import { TauAgent } from '../../strands/tau-agent.ts';
import { type GuardedAgent, partsOf } from '../../strands/tau-agent-parts.ts';
import type { RequestContext } from '../config.ts';
import { RunError } from '../run-error.ts';
import { adoptAgent, claimSession } from './adopt-agent.ts';
import type { ThreadAgentFactory } from './agent-source.ts';
import { sessionManagerOf } from './session-of-thread.ts';
import { templateConfig } from './template-copy.ts';
import type { ThreadAgent } from './thread-agent.ts';
import type { ThreadAgentRequest } from './thread-agent-request.ts';

/**
 * Makes the agent of a thread: its session manager, the agent, the history of the session. Nothing is kept when a step
 * fails, so the next request tries again.
 *
 * @throws RunError with the code of the step that failed.
 */
export async function makeThreadAgent(request: ThreadAgentRequest): Promise<ThreadAgent> {
  const { source } = request;
  switch (source.kind) {
    case 'tau':
      return makeGuarded(request, source.agent);
    case 'template':
      return makeCopy(request, source.agent);
    case 'factory':
      return makeByFactory(request, source.make);
    case 'orchestrator':
      throw new RunError('ORCHESTRATOR_NOT_SUPPORTED');
    default:
      return source satisfies never;
  }
}

/** Builds an agent anew from the options of a guarded one, under the same gate. */
async function makeGuarded(request: ThreadAgentRequest, agent: TauAgent): Promise<ThreadAgent> {
  const { key, plugins } = request;
  const sessionManager = await sessionManagerOf(request);
  const extra = guardedExtra(await extraConfig(request), plugins);
  // Without a session of its own a thread has none: the one that the agent was built with is one for all threads.
  const overrides: object = { ...extra, sessionManager, messages: undefined, conversation: key, channel: 'ag-ui' };
  const made = await restoring(sessionManager, () => partsOf(agent).rebuild(overrides));
  claimSession(made.agent, key);
  return adoptAgent(made, sessionManager !== undefined);
}

/** Copies a plain template, with what guards it. */
async function makeCopy(request: ThreadAgentRequest, template: Agent): Promise<ThreadAgent> {
  const { key, name, log } = request;
  const sessionManager = await sessionManagerOf(request);
  const extra = await extraConfig(request);
  const { plugins = [], interventions = [], ...rest } = templateConfig(template, name, log);
  // What guards the template stays: a thread may add to it.
  const allPlugins = [...plugins, ...request.plugins, ...(extra.plugins ?? [])];
  const config: AgentConfig = {
    ...rest,
    ...extra,
    ...(allPlugins.length === 0 ? {} : { plugins: allPlugins }),
    interventions: [...interventions, ...(extra.interventions ?? [])],
    printer: false,
    ...(sessionManager === undefined ? {} : { sessionManager }),
  };
  const agent = new Agent(config);
  await restoring(sessionManager, () => agent.initialize());
  claimSession(agent, key);
  if (sessionManager !== undefined) saveBeforeModelCalls(agent, sessionManager);
  return adoptAgent(agent, sessionManager !== undefined);
}

/** Takes what the application makes; its session, plugins and settings are the application's too. */
async function makeByFactory(
  { key, input, context, config, plugins, log }: ThreadAgentRequest,
  make: ThreadAgentFactory,
): Promise<ThreadAgent> {
  const ignored = [
    ...(config.sessionManagerProvider === undefined ? [] : ['sessionManagerProvider']),
    ...(config.threadAgentConfig === undefined ? [] : ['threadAgentConfig']),
    ...(plugins.length === 0 ? [] : ['plugins']),
  ];
  if (ignored.length > 0) log.warn(`${ignored.join(', ')}: not used with a factory, which makes its agents whole`);
  const made = await factoryAgent(make, input.threadId, context);
  const agent = made instanceof Agent ? made : made.agent;
  await restoring(agent.sessionManager, () => agent.initialize());
  claimSession(agent, key);
  return adoptAgent(made, agent.sessionManager !== undefined);
}

async function factoryAgent(
  make: ThreadAgentFactory,
  threadId: string,
  context: RequestContext,
): Promise<Agent | GuardedAgent> {
  let made: unknown;
  try {
    made = await make({ threadId }, context);
  } catch (cause) {
    throw new RunError('THREAD_AGENT_CONFIG_ERROR', ['the factory failed; see the log of the server'], { cause });
  }
  if (made instanceof Agent || made instanceof TauAgent) return made;
  throw new RunError('THREAD_AGENT_CONFIG_ERROR', ['the factory made neither an Agent nor a TauAgent']);
}

async function extraConfig({ config, input, context }: ThreadAgentRequest): Promise<Partial<AgentConfig>> {
  try {
    const extra = (await Promise.resolve(config.threadAgentConfig?.(input, context))) ?? {};
    const { printer: _printer, sessionManager: _sessionManager, messages: _messages, ...rest } = extra;
    return rest;
  } catch (cause) {
    throw new RunError('THREAD_AGENT_CONFIG_ERROR', ['threadAgentConfig failed; see the log of the server'], { cause });
  }
}

/** What a thread may set of a guarded agent. Everything else makes, guards or executes its tools. */
const FREE = new Set([
  'model',
  'systemPrompt',
  'appState',
  'modelState',
  'conversationManager',
  'contextManager',
  'plugins',
  'retryStrategy',
  'structuredOutputSchema',
  'memoryManager',
  'traceAttributes',
  'name',
  'description',
  'id',
  'storage',
]);

function guardedExtra(extra: Partial<AgentConfig>, added: readonly Plugin[]): Partial<AgentConfig> {
  const given = Object.entries(extra).filter(([, value]) => value !== undefined);
  const refused = given.map(([name]) => name).filter((name) => !FREE.has(name));
  if (refused.length > 0) {
    const what = `${refused.join(', ')} cannot be set for a guarded agent; use a factory`;
    throw new RunError('THREAD_AGENT_CONFIG_ERROR', [what]);
  }
  return { ...Object.fromEntries(given), plugins: [...(extra.plugins ?? []), ...added] };
}

/** Restores a session now, so that what the thread waits for is known before anything runs. */
export async function restoring<T>(sessionManager: SessionManager | undefined, restore: () => Promise<T>): Promise<T> {
  try {
    return await restore();
  } catch (cause) {
    if (sessionManager === undefined || cause instanceof ConfigError || cause instanceof RunError) throw cause;
    throw new RunError('SESSION_MANAGER_ERROR', ['the session could not be restored'], { cause });
  }
}
