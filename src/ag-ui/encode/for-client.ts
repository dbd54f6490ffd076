import type { BaseEvent } from '@ag-ui/core';
import { flattenContentToText } from '../request/content.ts';

/** How one kind of event is shown to a client of the first generation; `undefined` leaves it out. */
type Downgrade = (event: BaseEvent) => BaseEvent | undefined;

const hidden: Downgrade = () => undefined;

/**
 * What differs between the generations, by event type. Whatever is not named here has the same fields in both, apart from
 * `metadata` and `subagentRunId`.
 */
const DOWNGRADES: ReadonlyMap<string, Downgrade> = new Map<string, Downgrade>([
  ['RUN_STARTED', ({ protocolVersion: _, ...event }) => event],
  ['RUN_FINISHED', ({ usage: _, outcome, ...event }) => ({ ...event, ...outcomeOf(outcome) })],
  ['RUN_ERROR', ({ usage: _, ...event }) => event],
  ['TOOL_CALL_RESULT', (event) => ({ ...event, content: textOf(event.content) })],
  ['MESSAGES_SNAPSHOT', (event) => ({ ...event, messages: messagesOf(event.messages) })],
  ['SUBAGENT_STARTED', hidden],
  ['SUBAGENT_FINISHED', hidden],
  ['SUBAGENT_ERROR', hidden],
]);

/**
 * An event as a client understands it. Fields and events of protocol 1.0 go only to a client that said
 * `protocolVersion`: an older one fails on some of them.
 *
 * @param protocolVersion - As the request gave it.
 * @returns `undefined` when the client has no use for the event.
 */
export function eventForClient(event: BaseEvent, protocolVersion: string | undefined): BaseEvent | undefined {
  if (protocolVersion !== undefined) return event;
  const shown = DOWNGRADES.get(event.type)?.(event) ?? (DOWNGRADES.has(event.type) ? undefined : event);
  if (shown === undefined || !('metadata' in shown || 'subagentRunId' in shown)) return shown;
  const { metadata: _, subagentRunId: __, ...rest } = shown;
  return rest;
}

/** The older generation knows two outcomes, and refuses further fields on them. */
function outcomeOf(outcome: unknown): { readonly outcome?: unknown } {
  if (typeof outcome !== 'object' || outcome === null || !('type' in outcome)) return {};
  if (outcome.type === 'success') return { outcome: { type: 'success' } };
  if (outcome.type !== 'interrupt' || !('interrupts' in outcome)) return {};
  return { outcome: { type: 'interrupt', interrupts: outcome.interrupts } };
}

function messagesOf(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message) =>
    message?.role === 'tool' && Array.isArray(message.content)
      ? { ...message, content: textOf(message.content) }
      : message,
  );
}

function textOf(content: unknown): unknown {
  return Array.isArray(content) ? flattenContentToText(content) : content;
}
