import type { ApprovalRecord } from './approval-record.ts';
import type { ApprovalFilter, ApprovalStore } from './approval-store.ts';

/** Records that are asked for at once; no store gives more. */
const PAGE = 1000;

/** All records that fit a filter, the oldest first, however many pages they fill. */
export async function allRecords(
  store: ApprovalStore,
  filter: Omit<ApprovalFilter, 'limit' | 'cursor'>,
): Promise<readonly ApprovalRecord[]> {
  const records: ApprovalRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...filter, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    records.push(...page.records);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return records;
}
