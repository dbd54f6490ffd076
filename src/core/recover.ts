import { allRecords } from './all-records.ts';
import type { GateParts } from './parts.ts';

/** What a store had to be told that nobody else could tell it. */
export interface Recovered {
  /** Ids of approvals that are `unknown` now: a process ended in the middle of their bodies. */
  readonly lost: readonly string[];
  /** Ids of ordered attempts that are `cancelled` now: a process ended before they started. */
  readonly cancelled: readonly string[];
}

/**
 * Puts in order what a process left that ended in the middle. Only whoever is alone on a store may say that what is used up
 * and has not ended is lost; the bodies of this process are left out.
 */
export async function recoverStore(parts: GateParts): Promise<Recovered> {
  const { store, clock } = parts;
  const [lost, cancelled]: [string[], string[]] = [[], []];
  for (const { id } of await allRecords(store, { status: 'consumed' })) {
    if (parts.running.has(id)) continue;
    if ((await store.lose(id, clock.now())).ok) lost.push(id);
  }
  for (const { id, retryOf } of await allRecords(store, { status: 'approved' })) {
    if (retryOf === undefined || parts.running.has(id)) continue;
    if ((await store.close(id, 'cancelled', clock.now(), 'the process ended before it started')).ok) cancelled.push(id);
  }
  return { lost, cancelled };
}
