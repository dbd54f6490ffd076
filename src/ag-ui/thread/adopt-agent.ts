import { Agent } from '@strands-agents/sdk';
import { ConfigError } from '../../core/errors.ts';
import { guardOf } from '../../strands/guards.ts';
import { markServed } from '../../strands/run-context.ts';
import { templateGuards } from '../../strands/sdk-internals.ts';
import { type GuardedAgent, partsOf } from '../../strands/tau-agent-parts.ts';
import { RunError } from '../run-error.ts';
import type { AgentSource } from './agent-source.ts';
import { keepSession } from './held-session.ts';
import { ThreadAgent } from './thread-agent.ts';
import type { ThreadKey } from './thread-key.ts';

/** What is known of an agent that is served; an application's own map hands back the agent alone. */
const adopted = new WeakMap<Agent, ThreadAgent>();

/** Serves an agent that exists. One that is known already keeps what is known of it. */
export function adoptAgent(made: Agent | GuardedAgent, durable: boolean): ThreadAgent {
  const agent = made instanceof Agent ? made : made.agent;
  const known = adopted.get(agent);
  keepSession(agent);
  if (known !== undefined) return known;
  const guarded = made instanceof Agent ? undefined : partsOf(made);
  markServed(agent);
  const templateTools = guarded === undefined ? agent.tools : agent.tools.filter((tool) => guardOf(tool) !== undefined);
  const thread = new ThreadAgent({ agent, guarded, templateTools, durable });
  adopted.set(agent, thread);
  return thread;
}

const OWNER = 'ag_ui_thread';

/**
 * Binds an agent, and the session that it came from, to its thread. A session manager or a factory that mixes up
 * threads would show one person's conversation to another.
 *
 * @throws RunError when it belongs to another thread.
 */
export function claimSession(agent: Agent, key: ThreadKey): void {
  const owner = agent.appState.get(OWNER);
  if (owner === undefined) return agent.appState.set(OWNER, key);
  if (owner === key) return;
  const what = agent.sessionManager === undefined ? 'agent' : 'session';
  const code = what === 'session' ? 'SESSION_MANAGER_ERROR' : 'THREAD_AGENT_CONFIG_ERROR';
  throw new RunError(code, [`the ${what} belongs to another thread`]);
}

/**
 * An agent from the application's own map must be as well guarded as the one it stands in for.
 *
 * @throws ConfigError when it is not.
 */
export function refuseUnguarded(source: AgentSource, thread: ThreadAgent, threadId: string): void {
  const missing = whatIsMissing(source, thread);
  if (missing === undefined) return;
  throw new ConfigError(`The agent in agentsByThread for thread ${JSON.stringify(threadId)} ${missing}`);
}

function whatIsMissing(source: AgentSource, thread: ThreadAgent): string | undefined {
  switch (source.kind) {
    case 'tau':
      if (thread.guarded?.gate === source.agent.gate) return undefined;
      return 'is not guarded by the gate of the bridge; put a TauAgent of the same gate there';
    case 'template':
      return missingIntervention(source.agent, thread.agent);
    case 'factory':
    case 'orchestrator':
      return undefined;
    default:
      return source satisfies never;
  }
}

function missingIntervention(template: Agent, agent: Agent): string | undefined {
  const there = new Set(templateGuards(agent).interventions.map(({ name }) => name));
  const missing = templateGuards(template).interventions.find(({ name }) => !there.has(name));
  return missing === undefined ? undefined : `lacks the intervention '${missing.name}' of the template`;
}
