import type { ApprovalRecord } from './approval-record.ts';
import type { ApprovalFilter } from './approval-store.ts';
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
  for (const { id } of await everyRecord(parts, { status: 'consumed' })) {
    if (parts.running.has(id)) continue;
    if ((await store.lose(id, clock.now())).ok) lost.push(id);
  }
  for (const { id, retryOf } of await everyRecord(parts, { status: 'approved' })) {
    if (retryOf === undefined || parts.running.has(id)) continue;
    if ((await store.close(id, 'cancelled', clock.now(), 'the process ended before it started')).ok) cancelled.push(id);
  }
  return { lost, cancelled };
}

/** The records that match, of all pages. */
export async function everyRecord(
  { store }: Pick<GateParts, 'store'>,
  filter: ApprovalFilter,
): Promise<readonly ApprovalRecord[]> {
  const records: ApprovalRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...filter, limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    records.push(...page.records);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return records;
}
