import type { BaseEvent } from '@ag-ui/core';
import { continueCall } from './calls.ts';
import type { TranslatorInput } from './input.ts';
import type { State } from './state.ts';
import { continueText, textToContinue } from './text.ts';

/** A piece of what the model is saying or asking for: nearly all inputs are. */
export type Piece = Extract<TranslatorInput, { readonly type: 'text' | 'tool_args' }>;

/**
 * Adds a piece that is not empty to the message or the call that is open, without a step of the machine: nothing else
 * follows from it.
 *
 * @returns What is sent for it; `undefined`, with nothing done, when there is more to do.
 */
export function continueOpen(state: State, piece: Piece): BaseEvent | undefined {
  if (piece.type === 'text') {
    const open = textToContinue(state);
    return open === undefined ? undefined : continueText(open, piece.text);
  }
  const { call, halted } = state;
  return call?.mode === 'streamed' && halted === undefined ? continueCall(call, piece.delta) : undefined;
}
