import type { RunAgentInput } from '@ag-ui/core';
import type { ToolCallContextExtras } from '../config.ts';
import { isHostileKey } from './plain-keys.ts';

/**
 * What hooks get of a request besides its messages: the application's context entries by description (a later one wins)
 * and the forwarded properties. Both are written by the client and prove nothing about who it is.
 */
export function buildContextExtras(input: Pick<RunAgentInput, 'context' | 'forwardedProps'>): ToolCallContextExtras {
  const context: Record<string, string> = Object.create(null);
  for (const entry of Array.isArray(input.context) ? input.context : []) {
    const description: unknown = entry?.description;
    if (typeof description !== 'string' || isHostileKey(description)) continue;
    context[description] = textOfValue(entry.value);
  }
  return { context, forwardedProps: recordOf(input.forwardedProps) };
}

/** A value of the context as text; the protocol has strings, older clients send more. */
export function textOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Readonly<Record<string, unknown>>) : {};
}
