import { readThreadKey } from '../ag-ui/thread/thread-key.ts';
import type { ApprovalRecord, DecisionRecord, DeliveryReceipt } from '../core/approval-record.ts';
import { type Principal, principalOf } from '../core/call.ts';
import type { JSONValue } from '../core/json.ts';
import { type Policy, policyMayDecide } from '../core/policy.ts';
import { attemptAt, mayBeAttempted } from '../core/retry.ts';
import { canAttempt } from '../strands/attempt-again.ts';
import type { Identity } from './auth/identity.ts';
import type { HubParts } from './parts.ts';

/** A principal as the API shows it. */
interface PrincipalView {
  readonly id: string;
  readonly kind: Principal['kind'];
}

/** One delivery of a question, as the API shows it. */
type DeliveryView = Pick<DeliveryReceipt, 'channel' | 'at' | 'delivered'>;

/** An approval as the API shows it. All of it is data; nothing is markup. */
export interface ApprovalView {
  readonly id: string;
  readonly status: ApprovalRecord['status'];
  readonly tool: string;
  readonly tier: number;
  readonly effect: string;
  readonly arguments: JSONValue;
  readonly digest: string;
  readonly requester: PrincipalView;
  readonly threadId?: string;
  readonly runId?: string;
  /** The model's id of the call, as the conversation's messages have it. */
  readonly toolCallId?: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly updatedAt: number;
  readonly deliveries: readonly DeliveryView[];
  readonly decision?: Omit<DecisionRecord, 'by'> & { readonly by: PrincipalView };
  readonly outcome?: NonNullable<ApprovalRecord['outcome']>;
  readonly editOf?: string;
  readonly retryOf?: string;
  /** The attempt at it that was ordered, when its outcome is unknown. */
  readonly retriedAs?: string;
  readonly closedBecause?: string;
  /** Whether the caller may answer it, now, with this credential. */
  readonly mayDecide: boolean;
  /** Whether the caller may order a new attempt of it, now, with this credential: nobody has, and the hub can run it. */
  readonly mayRetry: boolean;
}

/** What showing an approval needs. */
type ViewParts = Pick<HubParts, 'gate' | 'agent'>;

/** Shows an approval to somebody. Rejects only when the store is broken. */
export async function viewApproval(
  record: ApprovalRecord,
  identity: Identity,
  parts: ViewParts,
): Promise<ApprovalView> {
  const attempt = await attemptAt(parts.gate.store, record);
  const { id, status, request, createdAt, updatedAt, deliveries, decision } = record;
  const { tool, tier, effect, arguments: args, digest, origin } = request;
  return {
    id,
    status,
    tool,
    tier,
    effect,
    arguments: args,
    digest,
    requester: viewPrincipal(principalOf(origin)),
    createdAt,
    updatedAt,
    deliveries: deliveries.map(({ channel, at, delivered }) => ({ channel, at, delivered })),
    ...optional(record),
    ...(decision === undefined ? {} : { decision: { ...decision, by: viewPrincipal(decision.by) } }),
    ...(attempt === undefined ? {} : { retriedAs: attempt.id }),
    mayDecide: mayAnswer(record, identity, parts) && record.status === 'pending',
    mayRetry:
      attempt === undefined && mayOrder(record, identity, parts) && canAttempt(parts.agent, record.request.tool),
  };
}

function mayAnswer({ request }: ApprovalRecord, { principal, scopes }: Identity, { gate }: ViewParts): boolean {
  return scopes.has('decide') && policyMayDecide(gate.policy, principal, request);
}

/** Whether somebody may order a new attempt of it, if it can be run. */
export function mayOrder(record: ApprovalRecord, identity: Identity, parts: ViewParts): boolean {
  return mayAnswer(record, identity, parts) && identity.principal.kind === 'person' && mayBeAttempted(record);
}

function optional(
  record: ApprovalRecord,
): Pick<
  ApprovalView,
  'threadId' | 'runId' | 'toolCallId' | 'expiresAt' | 'outcome' | 'editOf' | 'retryOf' | 'closedBecause'
> {
  const { expiresAt, outcome, editOf, retryOf, closedBecause } = record;
  const { toolUseId, origin } = record.request;
  const { conversation, run } = origin;
  return {
    ...(conversation === undefined ? {} : { threadId: readThreadKey(conversation).threadId }),
    ...(run === undefined ? {} : { runId: run }),
    ...(toolUseId === undefined ? {} : { toolCallId: toolUseId }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(editOf === undefined ? {} : { editOf }),
    ...(retryOf === undefined ? {} : { retryOf }),
    ...(closedBecause === undefined ? {} : { closedBecause }),
  };
}

function viewPrincipal({ id, kind }: Principal): PrincipalView {
  return { id, kind };
}

/** Whether somebody may know of an approval: it is their own, or the policy lets them decide it. */
export function maySee(record: ApprovalRecord, principal: Principal, policy: Policy): boolean {
  if (record.kind !== 'question') return false;
  const { request } = record;
  return principalOf(request.origin).id === principal.id || policyMayDecide(policy, principal, request);
}
