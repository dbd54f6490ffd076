import type { Decision } from './approver.ts';
import type { ApprovalRequest, Principal } from './call.ts';
import type { JSONValue } from './json.ts';

/**
 * Where an approval is in its life.
 *
 * | status | meaning | may become |
 * |---|---|---|
 * | `pending` | the question is open | `approved` `rejected` `timeout` `cancelled` `void` |
 * | `approved` | somebody said yes; the body has not started | `consumed` `void` `cancelled` `expired` |
 * | `rejected` `timeout` `cancelled` `void` `expired` | over, the body never starts | nothing |
 * | `consumed` | the one right to start was used | `done` `failed` `unknown` |
 * | `done` `failed` | the body ended, with a result or an error | nothing |
 * | `unknown` | the process died while the body may have run; it is never run again by itself | nothing |
 */
export type ApprovalStatus =
  | 'pending'
  | 'approved'
  | 'rejected'
  | 'timeout'
  | 'cancelled'
  | 'void'
  | 'expired'
  | 'consumed'
  | 'done'
  | 'failed'
  | 'unknown';

/**
 * Which call of which model message a record belongs to. Ids that a model chose are part of it, but only together
 * with the conversation and with the batch, an id that no model chooses.
 */
export interface CallPosition {
  readonly conversation: string;
  /** Id of the model message that asked for the call. */
  readonly batch: string;
  readonly toolUseId: string;
  /** SHA-256 over the input as it arrived, before parsing filled in defaults. */
  readonly rawDigest: string;
}

/** Proof of one delivery of a question to one channel. */
export interface DeliveryReceipt {
  readonly channel: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly delivered: boolean;
  /** SHA-256 of exactly what was shown there. */
  readonly shownDigest?: string;
  /** Why it could not be delivered, in a record of an older version; today the log has it. */
  readonly error?: string;
}

/** Who decided what, where, when and after how long. */
export interface DecisionRecord {
  readonly decision: Decision;
  readonly by: Principal;
  /** Where it was given: the name of the approver or of the channel, such as `http`; `clock` when time ran out. */
  readonly channel: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly tookMs: number;
  readonly reason?: string;
  readonly shownDigest?: string;
}

/** How the body ended. */
export interface OutcomeRecord {
  readonly status: 'done' | 'failed' | 'unknown';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What the caller needs to answer again without running again. */
  readonly result?: JSONValue;
}

/** Everything tau knows about one question, or about one journaled call that needed no question. */
export interface ApprovalRecord {
  readonly id: string;
  /** `question`: a person is asked; `journal`: no question, recorded so that a crash does not run it twice. */
  readonly kind: 'question' | 'journal';
  readonly status: ApprovalStatus;
  readonly request: ApprovalRequest;
  /** Definition digest of the tool when it was asked. */
  readonly definition: string;
  readonly policyVersion: string;
  readonly position?: CallPosition;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When an unanswered question times out, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly deliveries: readonly DeliveryReceipt[];
  readonly decision?: DecisionRecord;
  /** Set when consumed: whoever holds this token started the body. */
  readonly token?: string;
  readonly consumedAt?: number;
  readonly outcome?: OutcomeRecord;
  /** Id of the question that this one replaces, with arguments that a person edited. */
  readonly editOf?: string;
  /** Id of the approval of unknown outcome that a person ordered a new attempt of. */
  readonly retryOf?: string;
  /** Why it became cancelled, void or expired. */
  readonly closedBecause?: string;
  /** Who withdrew it, where somebody did. */
  readonly closedBy?: Principal;
  /** When it last changed, in milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** One step in the life of an approval. `replace` is the part of it that the old record takes. */
export type ApprovalStep =
  | { readonly type: 'deliver'; readonly receipt: DeliveryReceipt }
  | { readonly type: 'decide'; readonly decision: DecisionRecord }
  | {
      readonly type: 'close';
      readonly status: 'cancelled' | 'void' | 'expired';
      readonly at: number;
      readonly because: string;
      readonly by?: Principal;
    }
  | { readonly type: 'replace'; readonly at: number; readonly because: string }
  | { readonly type: 'consume'; readonly token: string; readonly at: number }
  | { readonly type: 'finish'; readonly token: string; readonly outcome: OutcomeRecord }
  | { readonly type: 'lose'; readonly at: number };

/** The result of a step: the new record, or the record as it is because the step does not fit it. */
export type Transition =
  | { readonly ok: true; readonly record: ApprovalRecord }
  | { readonly ok: false; readonly reason: 'unknown_id' }
  | { readonly ok: false; readonly reason: 'illegal'; readonly record: ApprovalRecord };

/**
 * Applies one step to a record. Pure; a store makes it atomic (compare-and-set). An illegal step is a value and
 * changes nothing, so the first valid answer wins and a later one learns who won.
 */
export function stepApproval(record: ApprovalRecord, step: ApprovalStep): Transition {
  if (!isLegal(record, step)) return { ok: false, reason: 'illegal', record };
  return { ok: true, record: Object.freeze({ ...record, ...changesOf(record, step) }) };
}

function isLegal({ status, token }: ApprovalRecord, step: ApprovalStep): boolean {
  switch (step.type) {
    case 'deliver':
    case 'decide':
    case 'replace':
      return status === 'pending';
    case 'close':
      return mayClose(status, step.status);
    case 'consume':
      return status === 'approved';
    case 'finish':
      return status === 'consumed' && token === step.token;
    case 'lose':
      return status === 'consumed';
    default:
      step satisfies never;
      return false;
  }
}

function changesOf(record: ApprovalRecord, step: ApprovalStep): Partial<ApprovalRecord> {
  switch (step.type) {
    case 'deliver':
      return { deliveries: Object.freeze([...record.deliveries, step.receipt]), updatedAt: step.receipt.at };
    case 'decide':
      return { status: step.decision.decision, decision: step.decision, updatedAt: step.decision.at };
    case 'close':
      return { status: step.status, closedBecause: step.because, ...closedBy(step), updatedAt: step.at };
    case 'replace':
      return { status: 'void', closedBecause: step.because, updatedAt: step.at };
    case 'consume':
      return { status: 'consumed', token: step.token, consumedAt: step.at, updatedAt: step.at };
    case 'finish':
      return { status: step.outcome.status, outcome: step.outcome, updatedAt: step.outcome.at };
    case 'lose':
      return { status: 'unknown', outcome: { status: 'unknown', at: step.at }, updatedAt: step.at };
    default:
      return step satisfies never;
  }
}

function closedBy({ by }: Extract<ApprovalStep, { type: 'close' }>): Pick<ApprovalRecord, 'closedBy'> {
  return by === undefined ? {} : { closedBy: by };
}

function mayClose(from: ApprovalStatus, to: 'cancelled' | 'void' | 'expired'): boolean {
  return from === 'approved' || (from === 'pending' && to !== 'expired');
}

/** Whether nothing more can happen to a record of this status. */
export function isSettled(status: ApprovalStatus): boolean {
  return status !== 'pending' && status !== 'approved' && status !== 'consumed';
}
