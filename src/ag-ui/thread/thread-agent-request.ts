import type { RunAgentInput } from '@ag-ui/core';
import type { Plugin } from '@strands-agents/sdk';
import type { Logger, RequestContext, StrandsAgentConfig } from '../config.ts';
import type { AgentSource } from './agent-source.ts';
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
