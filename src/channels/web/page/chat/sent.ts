import type { ThreadStatus } from '../wire/shapes.ts';
import type { ChatItem } from './chat-item.ts';
import type { ChatState, Returned } from './chat-shape.ts';
import { phaseAfter } from './phase.ts';

type Said = Extract<ChatItem, { readonly text: string }>;

/** The conversation without what was sent last: the hub did not take it. */
export function giveBack(state: ChatState, why: Returned['why']): ChatState {
  const unsure = state.items.filter(isUnsure);
  const items = state.items.filter((item) => !isUnsure(item));
  return { ...state, items, phase: 'idle', returned: { text: joined(unsure), why } };
}

/** What was sent and may not have been heard. */
export function unsureOf({ items }: ChatState): readonly ChatItem[] {
  return items.filter(isUnsure);
}

/** The conversation once its run has ended as it should: what was said in it is on record. */
export function confirm(state: ChatState): ChatState {
  return { ...state, items: state.items.map((item) => (isUnsure(item) ? { ...item, unsure: undefined } : item)) };
}

/**
 * The conversation as the hub has it. What was sent and is not in it was never heard, or was lost with the process: it is given
 * back, unless a run goes on, which may not have been recorded yet. The hub names messages anew, so they are told by what they
 * say.
 */
export function afterReading(before: ChatState, items: readonly ChatItem[], status: ThreadStatus): ChatState {
  const phase = phaseAfter(before.phase, status);
  const missing = missingFrom(items, before.items);
  if (missing.length === 0) return { ...before, items, phase };
  if (status === 'running') return { ...before, items: [...items, ...missing], phase };
  return { ...before, items, phase, returned: { text: joined(missing), why: { type: 'lost' } } };
}

function missingFrom(read: readonly ChatItem[], before: readonly ChatItem[]): readonly Said[] {
  const known = before.filter((item) => !isUnsure(item));
  const found = new Map<string, number>();
  return before.filter(isUnsure).filter(({ text }) => {
    const already = found.get(text) ?? timesSaid(known, text);
    found.set(text, already + 1);
    return timesSaid(read, text) <= already;
  });
}

function timesSaid(items: readonly ChatItem[], text: string): number {
  return items.filter((item) => item.type === 'user' && item.text === text).length;
}

function isUnsure(item: ChatItem): item is Said {
  return item.type === 'user' && item.unsure === true;
}

function joined(said: readonly Said[]): string {
  return said.map(({ text }) => text).join('\n');
}
