import type { RunAgentInput } from '@ag-ui/core';
import { TooDeepError, withProtocolKeys } from './plain-keys.ts';
import { runAgentInputSchema } from './schema.ts';

/** One thing that is wrong with a request. */
export interface InputIssue {
  /** Keys and indices joined by dots, such as `messages.0.role`; empty for the request itself. */
  readonly path: string;
  readonly message: string;
}

/** A request, or what is wrong with it. */
export type ParsedInput =
  | { readonly ok: true; readonly input: RunAgentInput }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/** A client that sends nonsense gets the first of its mistakes, not a copy of its request. */
const MAX_ISSUES = 20;

/**
 * Reads a request of either generation of AG-UI clients from parsed JSON. Snake_case aliases are renamed, hostile keys
 * are dropped, unknown fields are kept, `null` in an optional field counts as absent.
 */
export function parseRunAgentInput(body: unknown): ParsedInput {
  let plain: unknown;
  try {
    plain = withProtocolKeys(body);
  } catch (error) {
    if (error instanceof TooDeepError) return { ok: false, issues: [{ path: error.path, message: error.message }] };
    throw error;
  }
  const parsed = runAgentInputSchema.safeParse(plain);
  // The schema checks every field of the type; the type's index signatures are what keeps it from following.
  if (parsed.success) return { ok: true, input: parsed.data as RunAgentInput };
  const issues = parsed.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  return { ok: false, issues };
}
