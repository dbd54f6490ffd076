import type { ApprovalRecord, ApprovalStep } from './approval-record.ts';
import type { AuditRow } from './audit-log.ts';
import { type Principal, principalOf } from './call.ts';
import { isJsonArray, isJsonObject, type JSONValue, MAX_DEPTH } from './json.ts';

/** What happened to an approval: it was created, or it took a step. */
export type ApprovalChange = ApprovalStep | { readonly type: 'create' };

/**
 * The audit event of a change of an approval.
 *
 * | `type` | beside what every one has |
 * |---|---|
 * | `approval_created` | `status`, `expiresAt`, `editOf`, `retryOf` |
 * | `approval_delivered` | `channel`, `delivered`, `shownDigest` |
 * | `approval_decided` | `decision`, `by`, `channel`, `tookMs`, `reason`, `shownDigest` |
 * | `approval_consumed` | nothing more |
 * | `approval_finished` | `status` |
 * | `approval_closed` | `status`, `because`, `by` where somebody withdrew it |
 * | `approval_lost` | nothing more |
 *
 * Every one has `approvalId`, `kind`, `tool`, `tier`, `effect`, `arguments`, `digest`, `requester`, and the
 * conversation, run, channel of origin and id of the call where they are known. When it happened is the row's `at`.
 *
 * @param record - The record as it is after the change.
 */
export function approvalAuditEvent(record: ApprovalRecord, change: ApprovalChange): AuditRow['event'] {
  const { request } = record;
  const { conversation, run, channel, kind } = request.origin;
  return auditable({
    ...detailsOf(record, change),
    approvalId: record.id,
    kind: record.kind,
    tool: request.tool,
    tier: request.tier,
    effect: request.effect,
    arguments: request.arguments,
    digest: request.digest,
    requester: person(principalOf(request.origin)),
    origin: { kind, conversation, run, channel },
    toolUseId: request.toolUseId,
  });
}

interface Details {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** When a change happened, in milliseconds since the epoch. */
export function changedAt(record: ApprovalRecord, change: ApprovalChange): number {
  return change.type === 'create' ? record.createdAt : record.updatedAt;
}

function detailsOf(record: ApprovalRecord, change: ApprovalChange): Details {
  switch (change.type) {
    case 'create':
      return { type: 'approval_created', status: record.status, ...pick(record, 'expiresAt', 'editOf', 'retryOf') };
    case 'deliver':
      return {
        type: 'approval_delivered',
        ...pick(change.receipt, 'channel', 'delivered', 'shownDigest'),
      };
    case 'decide':
      return {
        type: 'approval_decided',
        by: person(change.decision.by),
        ...pick(change.decision, 'decision', 'channel', 'tookMs', 'reason', 'shownDigest'),
      };
    case 'consume':
      return { type: 'approval_consumed' };
    case 'finish':
      return { type: 'approval_finished', status: change.outcome.status };
    case 'lose':
      return { type: 'approval_lost' };
    case 'replace':
      return { type: 'approval_closed', status: record.status, because: change.because };
    case 'close':
      return {
        type: 'approval_closed',
        ...pick(change, 'status', 'because'),
        ...(change.by === undefined ? {} : { by: person(change.by) }),
      };
    default:
      return change satisfies never;
  }
}

function pick<T extends object, K extends keyof T>(from: T, ...keys: readonly K[]): { readonly [k in K]?: T[K] } {
  const picked: { [k in K]?: T[K] } = {};
  for (const key of keys) picked[key] = from[key];
  return picked;
}

function person({ id, kind, roles }: Principal): object {
  return { id, kind, roles };
}

/**
 * Anything as an event of the audit: what JSON cannot carry becomes text or, where it is nothing, is left out. Never
 * throws, because what happened has to be told.
 */
export function auditable(event: Details): AuditRow['event'] {
  const plain = plainOf(event, 0);
  return isJsonObject(plain) ? plain : { type: event.type };
}

function plainOf(value: unknown, depth: number): JSONValue | undefined {
  try {
    if (typeof value === 'string') return value.toWellFormed();
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'object') return depth > MAX_DEPTH ? '(nested too deep)' : plainObject(value, depth);
    return value === undefined || typeof value === 'function' ? undefined : String(value);
  } catch {
    return '(unreadable)';
  }
}

function plainObject(value: object, depth: number): JSONValue {
  if (Array.isArray(value)) return value.map((item: unknown) => plainOf(item, depth + 1) ?? null);
  const entries = Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const plain = plainOf(item, depth + 1);
    return plain === undefined ? [] : [[plainKey(key), plain] as const];
  });
  return Object.fromEntries(entries);
}

/** A key that makes an own property wherever the event is parsed again. */
function plainKey(key: string): string {
  return key === '__proto__' ? '(__proto__)' : key.toWellFormed();
}

/** Every text, number and truth value inside a JSON value. */
export function leavesOf(value: JSONValue): readonly (string | number | boolean)[] {
  if (isJsonArray(value)) return value.flatMap(leavesOf);
  if (isJsonObject(value)) return Object.values(value).flatMap(leavesOf);
  return value === null ? [] : [value];
}
