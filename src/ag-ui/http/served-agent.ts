import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import type { Logger, RequestContext, StrandsAgentConfig } from '../config.ts';

/** What a server needs of an agent. `StrandsAgent` is one; so is anything that turns a request into events. */
export interface ServedAgent {
  /** Events of one run. The context's signal fires when the client has left. */
  run(input: RunAgentInput, context: RequestContext): AsyncGenerator<BaseEvent, unknown, unknown>;
  readonly config?: Pick<
    StrandsAgentConfig,
    'logger' | 'emitChunkEvents' | 'emitMessagesSnapshot' | 'messagesSnapshot'
  >;
}

/** Where a server of the agent writes. */
export function loggerOf(agent: ServedAgent, given: Logger | undefined, fallback: Logger): Logger {
  return given ?? agent.config?.logger ?? fallback;
}
