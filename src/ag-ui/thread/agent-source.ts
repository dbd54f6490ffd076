import { Agent } from '@strands-agents/sdk';
import { ConfigError } from '../../core/errors.ts';
import { refuseKeptContext } from '../../strands/binding.ts';
import { TauAgent } from '../../strands/tau-agent.ts';
import type { MaybePromise, RequestContext } from '../config.ts';

/** A thread, as a factory sees it. */
export interface ThreadInfo {
  readonly threadId: string;
}

/** Makes the agent of a thread. */
export type ThreadAgentFactory = (thread: ThreadInfo, context: RequestContext) => MaybePromise<Agent | TauAgent>;

/** Several agents that run as one; recognised, and refused until it can be served. */
export interface StrandsOrchestrator {
  readonly id?: string;
  /** Runs them all. */
  stream(input: string): AsyncGenerator<unknown, unknown, unknown>;
}

/**
 * What a bridge can serve.
 *
 * | kind | each thread gets |
 * |---|---|
 * | a `TauAgent` | an agent built anew from its own `buildAgent` options, under the same gate |
 * | a factory | what the factory makes |
 * | a plain `Agent` | a copy of it, with what guards it; what cannot be copied is refused by name |
 * | an orchestrator | nothing yet: runs end with `ORCHESTRATOR_NOT_SUPPORTED` |
 */
export type AgentSource =
  | { readonly kind: 'tau'; readonly agent: TauAgent }
  | { readonly kind: 'factory'; readonly make: ThreadAgentFactory }
  | { readonly kind: 'template'; readonly agent: Agent }
  | { readonly kind: 'orchestrator' };

/**
 * Tells the kinds apart.
 *
 * @throws ConfigError when it is none of them, or an agent that its threads would share keeps its context.
 */
export function agentSource(agent: TauAgent | Agent | ThreadAgentFactory | StrandsOrchestrator): AgentSource {
  if (agent instanceof TauAgent) {
    refuseKeptContext(agent.agent.toolRegistry.list());
    return { kind: 'tau', agent };
  }
  if (typeof agent === 'function') return { kind: 'factory', make: agent };
  if (agent instanceof Agent) return { kind: 'template', agent };
  if (isOrchestrator(agent)) return { kind: 'orchestrator' };
  throw new ConfigError(
    'The agent is neither a TauAgent, a factory, an orchestrator nor an Agent of this copy of @strands-agents/sdk',
  );
}

/** What runs several agents has no model of its own. */
function isOrchestrator(agent: unknown): boolean {
  if (typeof agent !== 'object' || agent === null || !('stream' in agent)) return false;
  return !('model' in agent) || agent.model === undefined || agent.model === null;
}
