import type { Approval } from '../wire/shapes.ts';

/** A list that was read in pages, with a page that was read again: what is newer wins, and the order is kept. */
export function newestFirst(page: readonly Approval[], before: readonly Approval[]): readonly Approval[] {
  const byId = new Map([...before, ...page].map((approval) => [approval.id, approval]));
  return [...byId.values()].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}
