import type {
  ApprovalRecord,
  CallPosition,
  DecisionRecord,
  DeliveryReceipt,
  OutcomeRecord,
} from '../../core/approval-record.ts';
import type { AuditRow } from '../../core/audit-log.ts';
import type { ApprovalRequest, CallOrigin, Principal } from '../../core/call.ts';
import { canonicalJson } from '../../core/digest.ts';
import { TauError } from '../../core/errors.ts';
import { isJsonArray, type JSONValue, sealJson } from '../../core/json.ts';
import { fields, flag, json, listOf, mapOf, number, oneOf, optional, type Shape, text } from './shape.ts';

const principal = fields<Principal>({
  id: text,
  kind: oneOf('person', 'service', 'agent'),
  roles: optional(listOf(text)),
});

const origin = fields<CallOrigin>({
  kind: oneOf('model', 'routine', 'mcp', 'direct'),
  conversation: optional(text),
  run: optional(text),
  principal: optional(principal),
  channel: optional(text),
});

const request = fields<ApprovalRequest>({
  id: text,
  tool: text,
  tier: oneOf(0, 1, 2),
  effect: text,
  arguments: json,
  digest: text,
  toolUseId: optional(text),
  origin,
});

const position = fields<CallPosition>({ conversation: text, batch: text, toolUseId: text, rawDigest: text });

const receipt = fields<DeliveryReceipt>({
  channel: text,
  at: number,
  delivered: flag,
  shownDigest: optional(text),
  error: optional(text),
});

const decision = fields<DecisionRecord>({
  decision: oneOf('approved', 'rejected', 'timeout'),
  by: principal,
  channel: text,
  at: number,
  tookMs: number,
  reason: optional(text),
  shownDigest: optional(text),
});

const outcome = fields<OutcomeRecord>({
  status: oneOf('done', 'failed', 'unknown'),
  at: number,
  result: optional(json),
});

const record: Shape<ApprovalRecord> = fields<ApprovalRecord>({
  id: text,
  kind: oneOf('question', 'journal'),
  status: oneOf(
    ...(['pending', 'approved', 'rejected', 'timeout', 'cancelled', 'void', 'expired'] as const),
    ...(['consumed', 'done', 'failed', 'unknown'] as const),
  ),
  request,
  definition: text,
  policyVersion: text,
  position: optional(position),
  createdAt: number,
  expiresAt: optional(number),
  deliveries: listOf(receipt),
  decision: optional(decision),
  token: optional(text),
  consumedAt: optional(number),
  outcome: optional(outcome),
  editOf: optional(text),
  retryOf: optional(text),
  closedBecause: optional(text),
  closedBy: optional(principal),
  updatedAt: number,
});

const event: Shape<AuditRow['event']> = mapOf(json);

/**
 * A record as it is written down.
 *
 * @throws TauError `record` for one that could not be read back, `not_json` for arguments or a result that are not JSON.
 */
export function encodeRecord(value: ApprovalRecord): string {
  const { id } = value;
  if (!record(value)) throw new TauError('record', `approval '${id}' has a field that is missing or no record has`);
  sealJson(value.request.arguments);
  if (value.outcome?.result !== undefined) sealJson(value.outcome.result);
  return JSON.stringify(value);
}

/** A record as it was written down, frozen, its arguments sealed; `undefined` for a text that holds none. */
export function decodeRecord(written: string): ApprovalRecord | undefined {
  const value = parsed(written);
  if (!record(value)) return undefined;
  const { request: asked, outcome: ended } = value;
  try {
    return frozen({
      ...value,
      request: { ...asked, arguments: sealJson(asked.arguments) },
      ...(ended?.result === undefined ? {} : { outcome: { ...ended, result: sealJson(ended.result) } }),
    });
  } catch {
    return undefined;
  }
}

/** The event of an audit row as it is written down: the one text that a row's hash can stand for. */
export function encodeEvent(value: AuditRow['event']): string {
  return canonicalJson(value);
}

/** Whether a text is just what `encodeEvent` makes of an event that was read from it. */
export function isEncoded(value: AuditRow['event'], written: string): boolean {
  // The usual case, without a sort. Names that are numbers have an order of their own in JavaScript.
  return (JSON.stringify(value) === written && isSorted(value)) || encodeEvent(value) === written;
}

function isSorted(value: JSONValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isJsonArray(value)) return value.every(isSorted);
  let before = '';
  return Object.entries(value).every(([name, item]) => {
    const inOrder = before <= name;
    before = name;
    return inOrder && isSorted(item);
  });
}

/** The event of an audit row, frozen; `undefined` for a text that holds none. */
export function decodeEvent(written: string): AuditRow['event'] | undefined {
  const value = parsed(written);
  return event(value) ? frozen(value) : undefined;
}

/** What a text holds; `undefined` for one that is not JSON. */
export function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) frozen(item);
  return Object.freeze(value);
}
