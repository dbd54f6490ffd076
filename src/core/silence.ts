import type { ApprovalRecord, DecisionRecord } from './approval-record.ts';
import { TAU } from './call.ts';

/** The decision that silence is, once the time of a question has passed. */
export function silence(record: ApprovalRecord, now: number): DecisionRecord {
  return { decision: 'timeout', by: TAU, channel: 'clock', at: now, tookMs: now - record.createdAt };
}
