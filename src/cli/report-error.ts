import { errorText, TauError } from '../core/errors.ts';
import { safeLines } from './chat/safe-text.ts';
import type { Say } from './messages.ts';
import { UsageError } from './usage-error.ts';

/** What a command that failed prints, and its exit code. */
export function failure(
  error: unknown,
  env: Readonly<Record<string, string | undefined>>,
  say: Say,
): { readonly text: string; readonly exitCode: number } {
  const message = error instanceof TauError ? error.message : say('error.unexpected', { message: errorText(error) });
  const lines = message.split('\n').map((line) => say('error.prefix', { message: readable(line) }));
  const stack = env.TAU_DEBUG && error instanceof Error ? [error.stack ?? ''] : [];
  return { text: [...lines, ...stack, ''].join('\n'), exitCode: error instanceof UsageError ? 2 : 1 };
}

/** Harmless for a terminal; a path of Windows keeps its single backslashes. */
function readable(line: string): string {
  return safeLines(line).replaceAll('\\\\', '\\');
}
