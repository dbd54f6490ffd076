import type {
  AgentResult,
  AgentStreamEvent,
  ContentBlock,
  ModelStreamEvent,
  ToolStreamEvent,
} from '@strands-agents/sdk';
import type { MultiAgentStreamEvent } from '@strands-agents/sdk/multiagent';

/** What an agent's stream yields: events, wrapped or bare, and whatever a plugin adds to them. */
export type StrandsEvent = AgentStreamEvent | ModelStreamEvent | ToolStreamEvent | SaidBlock | MultiAgentStreamEvent;

type SaidBlock = Extract<ContentBlock, { type: 'textBlock' | 'toolUseBlock' | 'reasoningBlock' | 'citationsBlock' }>;
type TellingEvent = {
  type: 'modelStreamUpdateEvent' | 'contentBlockEvent' | 'toolStreamUpdateEvent' | 'toolResultEvent';
};
/** Events about the agent's loop, and those of a multi-agent run. */
export type LifecycleEvent = Exclude<AgentStreamEvent, TellingEvent> | MultiAgentStreamEvent;

/** The stream of one run of an agent. */
export type StrandsStream = AsyncGenerator<StrandsEvent, AgentResult, undefined>;

/** How the agent's loop ended. */
export type StrandsResult = AgentResult;

/**
 * Makes the agent end its turn with `text` instead of calling the model again, when `event` is the place for that: the
 * end of a batch of tools, before the next event is asked for.
 */
export function endTurnHere(event: StrandsEvent, text: string): void {
  if (event.type === 'afterToolsEvent') event.endTurn = text;
}
