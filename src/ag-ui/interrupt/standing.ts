import type { ApprovalRecord, ApprovalStatus } from '../../core/approval-record.ts';
import type { TierGate } from '../../core/gate.ts';
import { policyMayDecide } from '../../core/policy.ts';
import type { RequestContext } from '../config.ts';

/** Who answers, and whether by a right that lets them decide. */
export type Answerer = Pick<RequestContext, 'principal' | 'mayDecide'>;

/** How a question stands now: one whose time has passed is over, whether somebody has noted it or not. */
export function standingOf({ clock }: Pick<TierGate, 'clock'>, { status, expiresAt }: ApprovalRecord): ApprovalStatus {
  const late = status === 'pending' && expiresAt !== undefined && expiresAt <= clock.now();
  return late ? 'timeout' : status;
}

/** Whether somebody can decide anything at all: an agent never does. */
export function mayEverDecide({ principal, mayDecide }: Answerer): boolean {
  return mayDecide === true && principal.kind !== 'agent';
}

/** Whether somebody may decide a question: by their credential, and by the rules. */
export function mayDecideIt(
  { policy }: Pick<TierGate, 'policy'>,
  { principal, mayDecide }: Answerer,
  { request }: ApprovalRecord,
): boolean {
  return mayDecide === true && policyMayDecide(policy, principal, request);
}
