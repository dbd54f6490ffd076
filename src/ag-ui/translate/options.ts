import type { RunAgentInput } from '@ag-ui/core';
import type { Logger, StrandsAgentConfig, ToolCallContextExtras } from '../config.ts';
import type { RunRules } from './rules.ts';
import type { StrandsStream } from './sdk-events.ts';

/** What a translation works from. */
export interface TranslateOptions {
  readonly input: RunAgentInput;
  readonly config: StrandsAgentConfig;
  /** The request's context and forwarded properties, as hooks get them. */
  readonly extras: ToolCallContextExtras;
  readonly rules: RunRules;
  readonly newId: () => string;
  /** Fires when nobody listens any more; then a model, tool or hook that hangs is not waited for. */
  readonly signal: AbortSignal;
  /** Stops what the agent does; called when its stream is left before it has ended. */
  readonly cancel: () => void;
  /** Ends the agent's stream after `cancel`. Must not reject. */
  readonly leave: (stream: StrandsStream) => Promise<void>;
  readonly log: Logger;
}
