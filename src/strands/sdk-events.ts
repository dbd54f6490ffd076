import type { AgentResult, AgentStreamEvent } from '@strands-agents/sdk';
import { HookableEvent } from '@strands-agents/sdk';
import { sealJson } from '../core/json.ts';
import type { TurnEvent } from './turn-event.ts';

/** What one event of the SDK's stream means for a person; `undefined` for those that mean nothing to them. */
export function turnEventOf(event: AgentStreamEvent): TurnEvent | undefined {
  switch (event.type) {
    case 'modelStreamUpdateEvent':
      return modelEvent(event.event);
    case 'beforeToolCallEvent':
      return toolStart(event.toolUse);
    case 'toolStreamUpdateEvent':
      // An agent used as a tool reports its own loop; its tool calls are told by the gate.
      return event.event.data instanceof HookableEvent ? undefined : { type: 'tool_progress', data: event.event.data };
    default:
      return undefined;
  }
}

type ModelUpdate = Extract<AgentStreamEvent, { type: 'modelStreamUpdateEvent' }>['event'];

function modelEvent(event: ModelUpdate): TurnEvent | undefined {
  if (event.type !== 'modelContentBlockDeltaEvent') return undefined;
  if (event.delta.type === 'textDelta' && event.delta.text !== '') return { type: 'text', text: event.delta.text };
  if (event.delta.type === 'reasoningContentDelta' && event.delta.text)
    return { type: 'reasoning', text: event.delta.text };
  return undefined;
}

function toolStart(toolUse: { readonly name: string; readonly toolUseId: string; readonly input: unknown }): TurnEvent {
  const { name: tool, toolUseId } = toolUse;
  try {
    return { type: 'tool_start', tool, toolUseId, input: sealJson(toolUse.input) };
  } catch {
    return { type: 'tool_start', tool, toolUseId, input: null };
  }
}

/** Ids of the interrupts that a stopped loop reports, tau's own `wakeups` apart from the others. */
export function interruptsOf(
  result: AgentResult,
  wakeups: ReadonlySet<string>,
): { readonly own: number; readonly foreign: readonly string[] } {
  const interrupts = result.interrupts ?? [];
  const foreign = interrupts.filter(({ name }) => !wakeups.has(name)).map(({ id }) => id);
  return { own: interrupts.length - foreign.length, foreign };
}
