import type { Message } from '@ag-ui/core';
import type { MessageData } from '@strands-agents/sdk';
import { errorText } from '../../core/errors.ts';
import { RunError } from '../run-error.ts';
import { replayHistory } from './history.ts';
import type { KnownCalls } from './known-calls.ts';

/**
 * What was said before this request, as an agent's history: the client's conversation without the user message that
 * ends it. `undefined` when nothing was said before.
 *
 * @throws RunError with code `SEED_BUILD_ERROR`
 */
export function seedOf(
  input: { readonly messages: readonly Message[] },
  known?: KnownCalls,
): MessageData[] | undefined {
  try {
    const { messages } = input;
    const earlier = messages.at(-1)?.role === 'user' ? messages.slice(0, -1) : messages;
    const seed = replayHistory(earlier, known === undefined ? {} : { known }).messages;
    return seed.length === 0 ? undefined : seed;
  } catch (cause) {
    throw new RunError('SEED_BUILD_ERROR', [errorText(cause)], { cause });
  }
}

/** A seed that a prompt can follow: the prompt is a turn of the user, so the turn before it must be the assistant's. */
export function seedForPrompt(input: { readonly messages: readonly Message[] }, known?: KnownCalls): MessageData[] {
  const seed = seedOf(input, known) ?? [];
  return seed.at(-1)?.role === 'user' ? [...seed, { role: 'assistant', content: [{ text: ' ' }] }] : seed;
}
