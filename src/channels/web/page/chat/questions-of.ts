import type { Approval } from '../wire/shapes.ts';
import type { ChatItem } from './chat-item.ts';

/** The questions of a conversation at the calls that they are about. */
export interface PlacedQuestions {
  /** By the place of the item in the conversation; the oldest first. */
  readonly at: ReadonlyMap<number, readonly Approval[]>;
  /** Those whose call is not in the conversation, the oldest first. */
  readonly rest: readonly Approval[];
}

/**
 * Puts each question to its call. A question whose arguments a person changed is left out: the one that stands in its
 * place says so. A model may use the id of a call twice; then the first question goes to the first of them.
 */
export function placeQuestions(items: readonly ChatItem[], approvals: readonly Approval[]): PlacedQuestions {
  const replaced = new Set(approvals.map(({ editOf }) => editOf));
  const current = approvals.filter(({ id }) => !replaced.has(id)).sort((a, b) => a.createdAt - b.createdAt);
  const at = new Map<number, readonly Approval[]>();
  const rest: Approval[] = [];
  for (const approval of current) {
    const place = placeOf(items, approval, at);
    if (place === undefined) rest.push(approval);
    else at.set(place, [...(at.get(place) ?? []), approval]);
  }
  return { at, rest };
}

function placeOf(
  items: readonly ChatItem[],
  { toolCallId, tool }: Approval,
  taken: ReadonlyMap<number, unknown>,
): number | undefined {
  const places = items.flatMap((item, place) =>
    item.type === 'tool' && item.id === toolCallId && item.name === tool ? [place] : [],
  );
  return places.find((place) => !taken.has(place)) ?? places.at(-1);
}

/** The id that a question keeps through every change of its arguments: that of the first of them. */
export function rootOf(approval: Approval, approvals: readonly Approval[]): string {
  const before = approvals.find(({ id }) => id === approval.editOf);
  return before === undefined ? (approval.editOf ?? approval.id) : rootOf(before, approvals);
}
