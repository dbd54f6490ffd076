import type { Agent, InvocationState, Plugin } from '@strands-agents/sdk';
import type { Principal } from '../core/call.ts';
import type { TauAgent } from '../strands/tau-agent.ts';
import type { StrandsAgentConfig } from './config.ts';
import type { StrandsOrchestrator, ThreadAgentFactory } from './thread/agent-source.ts';

/** What a bridge is made from. */
export interface StrandsAgentOptions {
  /**
   * What each thread runs: a `TauAgent` (its guard comes along), a factory, or a plain template `Agent`. An orchestrator
   * is accepted and its runs are refused with a clear code.
   */
  readonly agent: TauAgent | Agent | ThreadAgentFactory | StrandsOrchestrator;
  readonly name: string;
  readonly description?: string;
  readonly config?: StrandsAgentConfig;
  /** Added to every thread's agent. */
  readonly plugins?: readonly Plugin[];
  /**
   * The application's own cache of agents by thread id; used as it is and never evicted from. In that of a guarded
   * agent belong TauAgents of the same gate; others are refused.
   */
  readonly agentsByThread?: Map<string, Agent | TauAgent>;
}

/** Who sent a run. */
export interface StrandsAgentRunOptions {
  /** Established by the `auth` hook; default `anonymous`. */
  readonly principal?: Principal;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Fires when the client has left: the model call is aborted and the thread is free again. With a `RunStopped` as its
   * reason somebody has stopped the run.
   */
  readonly signal?: AbortSignal;
  /**
   * Whether the request's answers to approvals count as decisions of the principal. Give `false` for a credential that may
   * talk to the agent and not decide: such a request decides and edits nothing, says yes to no `interruptOnCall`, and ends
   * with `FORBIDDEN_ANSWER`. It may withdraw what its principal asked for. Answers to interrupts of your own hooks and tools
   * are no decisions and always count. Default `true`.
   */
  readonly mayDecide?: boolean;
  /** Handed to the agent's hooks and tools. */
  readonly invocationState?: InvocationState;
}
