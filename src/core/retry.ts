import type { ApprovalRecord, DecisionRecord } from './approval-record.ts';
import { type ApprovalRequest, freezePrincipal, type Principal, principalOf } from './call.ts';
import type { CatalogEntry } from './catalog.ts';
import { whyVoid } from './claim.ts';
import { definitionDigest, digestJson, requestDigest } from './digest.ts';
import { closeLapsed, hasLapsed } from './lapse.ts';
import { rememberRequest } from './own-requests.ts';
import type { GateParts } from './parts.ts';
import { policyMayDecide } from './policy.ts';
import { reportDecision } from './question.ts';

/** Who orders a new attempt of what. */
export interface RetryInput {
  /** A person who may decide the question. */
  readonly by: Principal;
  /** Where, such as `http`. */
  readonly channel: string;
  /** Digest of the approval that was shown; the order is a yes to exactly that. */
  readonly digest: string;
  /** SHA-256 of exactly what was shown. */
  readonly shownDigest?: string;
  readonly reason?: string;
}

/**
 * How ordering a new attempt ended.
 *
 * | status | meaning |
 * |---|---|
 * | `ordered` | `record` is approved and can be run once, with `TierGate.attempt` |
 * | `already_ordered` | somebody ordered it before; `record` is that attempt |
 * | `not_unknown` | only an approval of unknown outcome can be attempted again, or an attempt that never started; `record` tells |
 * | `void` | the tool, the policy or the stored arguments are not those of the question any more; have the agent ask anew |
 * | `digest_mismatch` | what was shown is not this approval |
 * | `not_found` | no such question, no person, or one who may not decide it: they look alike |
 */
export type RetryResult =
  | { readonly status: 'ordered' | 'already_ordered' | 'not_unknown'; readonly record: ApprovalRecord }
  | { readonly status: 'void'; readonly because: string }
  | { readonly status: 'digest_mismatch' | 'not_found' };

/**
 * Makes a new, approved question of one whose outcome is unknown. Its id follows from the old one's, so that of all who
 * order one, in whatever process, one succeeds. Rejects only when the store is broken.
 */
export async function retryApproval(parts: GateParts, approvalId: string, input: RetryInput): Promise<RetryResult> {
  const by = freezePrincipal(input.by);
  const found = await parts.store.get(approvalId);
  const mayOrder =
    by.kind === 'person' && found?.kind === 'question' && policyMayDecide(parts.policy, by, found.request);
  if (found === undefined || !mayOrder) return { status: 'not_found' };
  if (input.digest !== found.request.digest) return { status: 'digest_mismatch' };
  const old = found.retryOf !== undefined && hasLapsed(parts, found) ? await closeLapsed(parts, found) : found;
  if (!mayBeAttempted(old)) return { status: 'not_unknown', record: old };
  const entry = parts.catalog.get(old.request.tool);
  const because = entry === undefined ? 'the tool is gone' : whyVoid(old, entry, parts.policy);
  if (entry === undefined || because !== undefined) return { status: 'void', because: because ?? '' };
  return order(parts, newAttempt(parts, old, entry, { ...input, by }));
}

/** Whether a new attempt can be ordered: of what was cut off, or of an attempt at it that was ordered and did not start. */
export function mayBeAttempted({ status, retryOf }: ApprovalRecord): boolean {
  return status === 'unknown' || (retryOf !== undefined && (status === 'expired' || status === 'cancelled'));
}

/**
 * The attempt at something of unknown outcome that was ordered already; `undefined` when there is none. Rejects when the store
 * is broken.
 */
export async function attemptAt(store: GateParts['store'], old: ApprovalRecord): Promise<ApprovalRecord | undefined> {
  // Only of these few there can be one: nothing is asked about any other.
  if (!mayBeAttempted(old)) return undefined;
  const found = await store.get(attemptId(old));
  return found?.retryOf === old.id ? found : undefined;
}

/** It follows from the id of the old one. */
function attemptId({ id }: ApprovalRecord): string {
  return digestJson({ retryOf: id });
}

/** A new question about the same, approved. It has no position: no dispatch finds it, it is run by its id. */
function newAttempt(
  { clock, policy }: GateParts,
  old: ApprovalRecord,
  entry: CatalogEntry,
  { by, channel, shownDigest, reason }: RetryInput,
): ApprovalRecord & { readonly decision: DecisionRecord } {
  const id = attemptId(old);
  const { tool, tier, effect, arguments: args, toolUseId, origin } = old.request;
  const definition = definitionDigest(entry);
  const subject = { id, tool, tier, effect, arguments: args };
  const request: ApprovalRequest = Object.freeze({
    ...subject,
    digest: requestDigest({ ...subject, definition, requester: principalOf(origin).id }),
    ...(toolUseId === undefined ? {} : { toolUseId }),
    origin,
  });
  rememberRequest(request, definition);
  const at = clock.now();
  const decision: DecisionRecord = Object.freeze({
    decision: 'approved',
    by,
    channel,
    at,
    tookMs: 0,
    ...(reason === undefined ? {} : { reason: reason.toWellFormed() }),
    ...(shownDigest === undefined ? {} : { shownDigest }),
  });
  return Object.freeze({
    id,
    kind: 'question',
    status: 'approved',
    request,
    definition,
    policyVersion: policy.version,
    createdAt: at,
    deliveries: Object.freeze([]),
    decision,
    retryOf: old.id,
    updatedAt: at,
  });
}

async function order(
  { store, reporter }: GateParts,
  attempt: ApprovalRecord & { readonly decision: DecisionRecord },
): Promise<RetryResult> {
  try {
    await store.create(attempt);
  } catch (error) {
    const earlier = await store.get(attempt.id);
    if (earlier === undefined || earlier.retryOf !== attempt.retryOf) throw error;
    return { status: 'already_ordered', record: earlier };
  }
  reportDecision(reporter, attempt, attempt.decision);
  return { status: 'ordered', record: attempt };
}
