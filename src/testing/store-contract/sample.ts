import type {
  ApprovalRecord,
  CallPosition,
  DecisionRecord,
  DeliveryReceipt,
  OutcomeRecord,
} from '../../core/approval-record.ts';
import type { Decision } from '../../core/approver.ts';

/** When the records of the suite were made, in milliseconds since the epoch. */
export const NOW: number = Date.UTC(2026, 0, 1);

/** An open question; `given` replaces what a test cares about. */
export function question(id: string, given: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    id,
    kind: 'question',
    status: 'pending',
    request: {
      id,
      tool: 'unlock_door',
      tier: 2,
      effect: 'Unlocks a door',
      arguments: { door: 'front', note: 'ünïcödé 🔑', nested: [{ a: null }, [], 0.1, 1e21, -7, true, ''] },
      digest: 'd'.repeat(64),
      toolUseId: 'tooluse_1',
      origin: {
        kind: 'model',
        conversation: 'conversation-1',
        run: 'run-1',
        principal: { id: 'ada', kind: 'person', roles: ['owner'] },
        channel: 'terminal',
      },
    },
    definition: 'e'.repeat(64),
    policyVersion: 'default-1',
    createdAt: NOW,
    deliveries: [],
    updatedAt: NOW,
    ...given,
  };
}

/** A position in a conversation. */
export function position(conversation: string, batch: string, toolUseId: string = 'tooluse_1'): CallPosition {
  return { conversation, batch, toolUseId, rawDigest: 'f'.repeat(64) };
}

/** A decision by `who`. */
export function decision(verdict: Decision, who: string = 'ada', at: number = NOW + 1000): DecisionRecord {
  return {
    decision: verdict,
    by: { id: who, kind: 'person', roles: ['owner'] },
    channel: 'terminal',
    at,
    tookMs: at - NOW,
    reason: 'because; "quoted"\n😀',
    shownDigest: 'a'.repeat(64),
  };
}

/** A delivery to one channel. */
export const receipt: DeliveryReceipt = {
  channel: 'telegram',
  at: NOW + 500,
  delivered: true,
  shownDigest: 'b'.repeat(64),
};

/** How a body ended. */
export function outcome(status: OutcomeRecord['status'], at: number = NOW + 3000): OutcomeRecord {
  return { status, at, result: { content: [{ text: 'the door is open' }], 'odd key ✓': [1, null] } };
}
