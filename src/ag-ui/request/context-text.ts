import type { RunAgentInput } from '@ag-ui/core';
import { textOfValue } from './extras.ts';

const HEADER = 'Context provided by the application:';

/**
 * The request's context as the model reads it, one line for each entry; `undefined` when there is none. It is written by
 * the client, so it is shown with no more weight than the user's own words.
 */
export function contextText({ context }: Pick<RunAgentInput, 'context'>): string | undefined {
  const lines = (Array.isArray(context) ? context : []).flatMap((entry) => lineOf(entry) ?? []);
  return lines.length === 0 ? undefined : [HEADER, ...lines].join('\n').toWellFormed();
}

function lineOf(entry: { readonly description?: unknown; readonly value?: unknown } | null): string | undefined {
  const description = typeof entry?.description === 'string' ? entry.description.trim() : '';
  const value = entry?.value === undefined ? '' : textOfValue(entry.value);
  if (description === '') return value === '' ? undefined : `- ${value}`;
  return `- ${description}: ${value}`;
}
