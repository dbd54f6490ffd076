import type { ApprovalRecord } from './approval-record.ts';
import { freezePrincipal, type Principal } from './call.ts';
import { POLICY_CHANGED } from './claim.ts';
import { TauError } from './errors.ts';
import type { GateParts } from './parts.ts';
import { policyMayDecide } from './policy.ts';
import { recordDecision, reportDecision } from './question.ts';
import { silence } from './silence.ts';

/** Somebody's decision on an open question. */
export interface DecisionInput {
  readonly decision: 'approved' | 'rejected';
  readonly by: Principal;
  /** Where it was given, such as `ag-ui`. */
  readonly channel: string;
  /** Read by the model when the call is rejected. */
  readonly reason?: string;
  /** When given, must be the digest of the open question: the proof that it is the one that was shown. */
  readonly digest?: string;
  /** SHA-256 of exactly what was shown. */
  readonly shownDigest?: string;
}

/**
 * How a decision ended.
 *
 * | status | meaning |
 * |---|---|
 * | `decided` | it counts; `record` is the new state |
 * | `already_decided` | somebody was faster, time ran out, or it was asked under another policy and is void with that; `record` tells |
 * | `not_found` | no such question, or this principal may not decide it: the two look alike |
 * | `digest_mismatch` | what was shown is not what is open |
 */
export type DecideResult =
  | { readonly status: 'decided'; readonly record: ApprovalRecord }
  | { readonly status: 'already_decided'; readonly record: ApprovalRecord }
  | { readonly status: 'not_found' | 'digest_mismatch' };

/** Records a decision that came from outside the asking approver. Rejects only when the store is broken. */
export async function decideApproval(
  parts: GateParts,
  approvalId: string,
  input: DecisionInput,
): Promise<DecideResult> {
  const { decision } = input;
  if (decision !== 'approved' && decision !== 'rejected') {
    throw new TauError('decision', `a decision is 'approved' or 'rejected', not ${JSON.stringify(decision)}`);
  }
  const by = freezePrincipal(input.by);
  const open = await openFor(parts, approvalId, by, input.digest);
  if (open.status !== 'open') return open;
  const { record } = open;
  if (record.policyVersion !== parts.policy.version) {
    return { status: 'already_decided', record: await outdated(parts, record) };
  }
  const at = parts.clock.now();
  const took = { at, tookMs: at - record.createdAt };
  const { record: after, won } = await recordDecision(parts, record, {
    decision,
    by,
    channel: input.channel,
    ...took,
    ...(input.reason === undefined ? {} : { reason: input.reason.toWellFormed() }),
    ...(input.shownDigest === undefined ? {} : { shownDigest: input.shownDigest }),
  });
  return { status: won ? 'decided' : 'already_decided', record: after };
}

/**
 * Ends a question that was asked under another policy, so that whoever asked it asks anew. Who may answer it is not for
 * this policy to say: with one store, another gate's rules may let somebody decide whom its own do not.
 */
async function outdated({ store, clock }: GateParts, { id }: ApprovalRecord): Promise<ApprovalRecord> {
  const closed = await store.close(id, 'void', clock.now(), POLICY_CHANGED);
  if (!closed.ok && closed.reason === 'unknown_id') throw new TauError('store', `approval '${id}' is gone`);
  return closed.record;
}

/**
 * The question that somebody wants to answer, if it is one they may answer. One that has timed out is recorded so and
 * counts as decided.
 */
export async function openFor(
  parts: GateParts,
  approvalId: string,
  by: Principal,
  digest: string | undefined,
): Promise<
  Exclude<DecideResult, { status: 'decided' }> | { readonly status: 'open'; readonly record: ApprovalRecord }
> {
  const record = await parts.store.get(approvalId);
  if (record?.kind !== 'question' || !policyMayDecide(parts.policy, by, record.request)) return { status: 'not_found' };
  if (digest !== undefined && digest !== record.request.digest) return { status: 'digest_mismatch' };
  if (record.status !== 'pending') return { status: 'already_decided', record };
  const at = parts.clock.now();
  if (record.expiresAt === undefined || record.expiresAt > at) return { status: 'open', record };
  const late = await recordDecision(parts, record, silence(record, at));
  return { status: 'already_decided', record: late.record };
}

/** Records the silence on every question whose time has passed. */
export async function expireApprovals({ store, clock, reporter }: GateParts): Promise<readonly string[]> {
  const ids = await store.expire(clock.now());
  for (const id of ids) {
    const record = await store.get(id);
    if (record?.decision !== undefined) reportDecision(reporter, record, record.decision);
  }
  return ids;
}
