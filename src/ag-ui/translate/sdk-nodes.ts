import type { MultiAgentStreamEvent } from '@strands-agents/sdk/multiagent';
import type { TranslatorInput } from './input.ts';

/** An event of a multi-agent run that is about a node, but not its words. */
export type NodeEvent = Exclude<MultiAgentStreamEvent, { readonly type: 'nodeStreamUpdateEvent' }>;

/** What an event about a node means; `undefined` when it is none. */
export function nodeInputs(event: NodeEvent): readonly TranslatorInput[] | undefined {
  switch (event.type) {
    case 'beforeNodeCallEvent':
      return [{ type: 'step_start', name: stepName(event) }];
    case 'afterNodeCallEvent':
      return [{ type: 'step_stop', name: stepName(event) }];
    case 'multiAgentHandoffEvent':
      return [{ type: 'handoff', from: event.source, to: event.targets, message: null }];
    case 'beforeMultiAgentInvocationEvent':
    case 'afterMultiAgentInvocationEvent':
    case 'nodeResultEvent':
    case 'nodeCancelEvent':
    case 'multiAgentResultEvent':
      return [];
    default:
      event satisfies never;
      return undefined;
  }
}

function stepName(event: { readonly nodeId?: string; readonly nodeType?: string }): string {
  return `${event.nodeType ?? 'agent'}:${event.nodeId ?? 'unknown'}`;
}
