import { errorText } from './errors.ts';
import type { JSONValue } from './json.ts';
import type { Described } from './options.ts';
import type { Refusal } from './verdict.ts';

/**
 * How one call ended.
 *
 * | `status` | meaning |
 * |---|---|
 * | `success` | the body ran and returned `value` |
 * | `error` | the body ran and threw `error` |
 * | `refused` | the body did not start |
 * | `pending` | the question is parked; the body did not start |
 * | `suspended` | the body stopped itself to wait for an answer; it goes on in a later dispatch |
 * | `replayed` | the body ran in an earlier attempt; `result` is what was stored of it |
 */
export type CallOutcome<T> =
  | {
      readonly status: 'success';
      readonly value: T;
      readonly approval: 'not_required' | 'approved' | 'exempt';
      readonly approvalId?: string;
      readonly durationMs: number;
    }
  | {
      readonly status: 'error';
      readonly error: unknown;
      readonly approval: 'not_required' | 'approved' | 'exempt';
      readonly approvalId?: string;
      readonly durationMs: number;
    }
  | { readonly status: 'refused'; readonly refusal: Refusal; readonly approvalId?: string; readonly durationMs: number }
  | { readonly status: 'pending'; readonly approvalId: string }
  | { readonly status: 'suspended'; readonly error: unknown }
  | {
      readonly status: 'replayed';
      readonly result: JSONValue | undefined;
      readonly approvalId: string;
      readonly failed: boolean;
    };

const SUMMARY_LENGTH = 200;

/** A short text of any value for events and logs. */
export function summarize(value: unknown): string {
  let text: string | undefined;
  try {
    text = typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    text = '(a value that JSON cannot carry)';
  }
  return truncate(text ?? String(value));
}

/** What a body's value means. A description that fails says so; it cannot undo that the body ran. */
export function describeValue<T>(value: T, describe: ((value: T) => Described) | undefined): Described {
  try {
    return describe?.(value) ?? { status: 'success', summary: summarize(value) };
  } catch (error) {
    return { status: 'success', summary: `(no summary: ${errorText(error)})` };
  }
}

/** Cuts a text to summary length, never through a surrogate pair. */
export function truncate(text: string): string {
  return text.length <= SUMMARY_LENGTH ? text : `${text.slice(0, SUMMARY_LENGTH - 1).toWellFormed()}…`;
}
