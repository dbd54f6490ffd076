import type { ApprovalRecord } from './approval-record.ts';
import { freezePrincipal, type Principal, principalOf } from './call.ts';
import type { GateParts } from './parts.ts';
import { type Policy, policyMayDecide } from './policy.ts';

/** Who withdraws a question. */
export interface CancelInput {
  /** The requester, or somebody who may decide it. */
  readonly by: Principal;
  /** Where, such as `http`. */
  readonly channel: string;
  /** Kept on record. */
  readonly because?: string;
}

/**
 * How withdrawing ended.
 *
 * | status | meaning |
 * |---|---|
 * | `cancelled` | the question, or a yes that was not used yet, is withdrawn |
 * | `already_decided` | it is over in another way, or the body has started; `record` tells how |
 * | `not_found` | no such question, or neither this principal's own nor one they may decide: the two look alike |
 */
export type CancelResult =
  | { readonly status: 'cancelled' | 'already_decided'; readonly record: ApprovalRecord }
  | { readonly status: 'not_found' };

/** Withdraws a question. Rejects only when the store is broken. */
export async function cancelApproval(
  { store, policy, clock }: GateParts,
  approvalId: string,
  input: CancelInput,
): Promise<CancelResult> {
  const by = freezePrincipal(input.by);
  const record = await store.get(approvalId);
  if (record?.kind !== 'question') return { status: 'not_found' };
  if (!mayCancel(policy, by, record)) return { status: 'not_found' };
  const why = input.because === undefined ? '' : `: ${input.because.toWellFormed()}`;
  const text = `withdrawn by ${by.kind} '${by.id}' at ${input.channel}${why}`;
  const closed = await store.close(record.id, 'cancelled', clock.now(), text, by);
  if (closed.ok) return { status: 'cancelled', record: closed.record };
  return closed.reason === 'illegal' ? { status: 'already_decided', record: closed.record } : { status: 'not_found' };
}

/** Whether somebody may withdraw a question: it is their own, or the policy lets them decide it. */
function mayCancel(policy: Policy, by: Principal, record: ApprovalRecord): boolean {
  return isRequester(by, record) || policyMayDecide(policy, by, record.request);
}

/** Whether it is their own question. An agent that only has the requester's id is not the requester. */
export function isRequester({ id, kind }: Principal, { request }: ApprovalRecord): boolean {
  const requester = principalOf(request.origin);
  return requester.id === id && requester.kind === kind;
}
