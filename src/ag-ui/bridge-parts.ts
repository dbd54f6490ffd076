import type { RunAgentInput } from '@ag-ui/core';
import type { Agent, InvocationState, Plugin } from '@strands-agents/sdk';
import type { TauAgent } from '../strands/tau-agent.ts';
import type { Logger, RequestContext, StrandsAgentConfig } from './config.ts';
import type { AgentSource } from './thread/agent-source.ts';
import type { Leaving } from './thread/leaving.ts';
import type { ThreadKey } from './thread/thread-key.ts';
import type { Lease, Threads } from './thread/threads.ts';

/** What one bridge is made of. */
export interface BridgeParts {
  readonly source: AgentSource;
  readonly name: string;
  readonly config: StrandsAgentConfig;
  readonly plugins: readonly Plugin[];
  readonly agentsByThread: Map<string, Agent | TauAgent> | undefined;
  readonly threads: Threads;
  readonly log: Logger;
}

/** One request, as the steps of the bridge hand it on. */
export interface Request {
  readonly parts: BridgeParts;
  readonly input: RunAgentInput;
  readonly context: RequestContext;
  readonly key: ThreadKey;
  readonly lease: Lease;
  /** What is waited for when the client leaves. */
  readonly leaving: Leaving;
  /** Data of the caller for the agent's hooks and tools. */
  readonly invocationState: InvocationState | undefined;
  /** Whether nobody asked: what the thread waits for was decided, and its calls go on without a client. */
  readonly isWakeUp: boolean;
}
