import { allRecords } from './all-records.ts';
import type { ApprovalRecord } from './approval-record.ts';
import { NOT_USED_IN_TIME } from './claim.ts';
import type { GateParts } from './parts.ts';

/** Whether a yes was not used in time, also where nobody has said so in the store yet. */
export function hasLapsed({ tickets, clock }: GateParts, record: ApprovalRecord): boolean {
  const usableUntil = tickets.usableUntil(record);
  return record.status === 'approved' && usableUntil !== undefined && clock.now() > usableUntil;
}

/** Says in the store that a yes has lapsed; resolves with the record as it is then, which somebody may have used after all. */
export async function closeLapsed({ store, clock }: GateParts, record: ApprovalRecord): Promise<ApprovalRecord> {
  const closed = await store.close(record.id, 'expired', clock.now(), NOT_USED_IN_TIME);
  return closed.ok || closed.reason === 'illegal' ? closed.record : record;
}

/** Closes every yes whose time has passed; returns their ids. */
export async function lapseApprovals(parts: GateParts): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const record of await allRecords(parts.store, { status: 'approved' })) {
    if (hasLapsed(parts, record) && (await closeLapsed(parts, record)).status === 'expired') ids.push(record.id);
  }
  return ids;
}
