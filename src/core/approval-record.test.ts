import { describe, expect, it } from 'vitest';
import {
  type ApprovalRecord,
  type ApprovalStatus,
  type ApprovalStep,
  isSettled,
  stepApproval,
} from './approval-record.ts';

const by = { id: 'ada', kind: 'person' } as const;
const base: ApprovalRecord = {
  id: 'q1',
  kind: 'question',
  status: 'pending',
  request: {
    id: 'q1',
    tool: 'unlock_door',
    tier: 2,
    effect: 'Unlocks',
    arguments: { door: 'front' },
    digest: 'd',
    origin: { kind: 'direct' },
  },
  definition: 'e',
  policyVersion: 'p',
  createdAt: 1,
  deliveries: [],
  updatedAt: 1,
};

const STATUSES: readonly ApprovalStatus[] = [
  'pending',
  'approved',
  'rejected',
  'timeout',
  'cancelled',
  'void',
  'expired',
  'consumed',
  'done',
  'failed',
  'unknown',
];

const STEPS: Readonly<Record<string, ApprovalStep>> = {
  deliver: { type: 'deliver', receipt: { channel: 'x', at: 2, delivered: true } },
  approve: { type: 'decide', decision: { decision: 'approved', by, channel: 'x', at: 2, tookMs: 1 } },
  reject: { type: 'decide', decision: { decision: 'rejected', by, channel: 'x', at: 2, tookMs: 1 } },
  timeout: { type: 'decide', decision: { decision: 'timeout', by, channel: 'x', at: 2, tookMs: 1 } },
  cancel: { type: 'close', status: 'cancelled', at: 2, because: 'b' },
  void: { type: 'close', status: 'void', at: 2, because: 'b' },
  expire: { type: 'close', status: 'expired', at: 2, because: 'b' },
  consume: { type: 'consume', token: 't', at: 2 },
  finish: { type: 'finish', token: 't', outcome: { status: 'done', at: 2 } },
  fail: { type: 'finish', token: 't', outcome: { status: 'failed', at: 2 } },
  'finish wrongly': { type: 'finish', token: 'x', outcome: { status: 'done', at: 2 } },
  lose: { type: 'lose', at: 2 },
};

describe('[P2] the life of an approval', () => {
  it('is exactly this table', () => {
    const table = STATUSES.map((status) => {
      const record = { ...base, status, token: 't' };
      const legal = Object.entries(STEPS).flatMap(([name, step]) => {
        const transition = stepApproval(record, step);
        return transition.ok ? [`${name}: ${transition.record.status}`] : [];
      });
      return [status, legal];
    });
    expect(Object.fromEntries(table)).toEqual({
      pending: [
        'deliver: pending',
        'approve: approved',
        'reject: rejected',
        'timeout: timeout',
        'cancel: cancelled',
        'void: void',
      ],
      approved: ['cancel: cancelled', 'void: void', 'expire: expired', 'consume: consumed'],
      rejected: [],
      timeout: [],
      cancelled: [],
      void: [],
      expired: [],
      consumed: ['finish: done', 'fail: failed', 'lose: unknown'],
      done: [],
      failed: [],
      unknown: [],
    });
  });

  it('returns the record as it is for a step that does not fit, and a new frozen one for a step that does', () => {
    const rejected: ApprovalRecord = Object.freeze({ ...base, status: 'rejected' });
    const approve = STEPS.approve ?? { type: 'lose', at: 0 };
    expect(stepApproval(rejected, approve)).toEqual({ ok: false, reason: 'illegal', record: rejected });
    const taken = stepApproval(base, approve);
    expect(taken.ok && Object.isFrozen(taken.record)).toBe(true);
    expect(base.status).toBe('pending');
  });

  it('is over in every status but pending, approved and consumed', () => {
    expect(STATUSES.filter((status) => !isSettled(status))).toEqual(['pending', 'approved', 'consumed']);
  });

  it('has no place for a record without a token to be finished', () => {
    const consumed: ApprovalRecord = { ...base, status: 'consumed' };
    const finish: ApprovalStep = { type: 'finish', token: '', outcome: { status: 'done', at: 2 } };
    expect(stepApproval(consumed, finish).ok).toBe(false);
  });
});
