import { type Admitted, admit } from './admission.ts';
import type { ApprovalRecord, CallPosition } from './approval-record.ts';
import { principalOf, type ToolCall } from './call.ts';
import type { CatalogEntry } from './catalog.ts';
import { findRecord, whyVoid } from './claim.ts';
import { definitionDigest, digestJson, requestDigest } from './digest.ts';
import { jsonEquals, sealJson } from './json.ts';
import { closeLapsed, hasLapsed } from './lapse.ts';
import type { CheckOptions } from './options.ts';
import type { GateParts } from './parts.ts';
import { type Asked, ask, NOBODY, recordDecision } from './question.ts';
import { silence } from './silence.ts';
import { type Refusal, type RefusalReason, refusalText, refuse, unknownOutcomeText, type Verdict } from './verdict.ts';

/** A verdict, or the finding that this very call has run before and its stored outcome answers it. */
export type Checked =
  | Verdict
  | { readonly allowed: false; readonly approval: 'replay'; readonly record: ApprovalRecord };

/** What the check found: at once where nobody has to be asked, neither a person nor the store. */
export interface Finding {
  readonly checked: Checked | Promise<Checked>;
  /** The call as it was understood: parsed and frozen once it was admitted. */
  readonly call: ToolCall;
}

/**
 * The check, step by step. Throws or rejects when a policy, effect or store fails; the gate turns that into a refusal.
 */
export function checkCall(parts: GateParts, call: ToolCall, options: CheckOptions): Finding {
  const admitted = admit(call, parts, options);
  if (!('admitted' in admitted)) return { checked: reportUnknown(parts, call, admitted), call };
  return { checked: checkAdmitted(parts, admitted, options), call: admitted.call };
}

function checkAdmitted(parts: GateParts, admitted: Admitted, options: CheckOptions): Checked | Promise<Checked> {
  if (options.signal?.aborted) return cancelledRefusal(admitted.entry.name);
  if (options.attempt !== undefined) return claimAttempt(parts, admitted, options.attempt);
  return needsNoQuestion(parts, admitted) ? permit(parts, admitted, options) : claimOrAsk(parts, admitted, options);
}

async function claimOrAsk(parts: GateParts, admitted: Admitted, options: CheckOptions): Promise<Checked> {
  const claimed = await claim(parts, admitted, options, 'question');
  return claimed ?? askInTurn(parts, admitted, options);
}

/** A new attempt that a person ordered: its record permits the call while everything is as it was, and nothing else does. */
async function claimAttempt(parts: GateParts, admitted: Admitted, id: string): Promise<Checked> {
  const { tool } = admitted.call;
  const record = await parts.store.get(id);
  if (record?.id !== id || record.retryOf === undefined || record.request.tool !== tool)
    return refuse('void', refusalText(tool));
  if (record.status === 'consumed' && parts.running.has(id)) return refuse('already_used', refusalText(tool));
  if (record.status === 'pending') return refuse('void', refusalText(tool));
  if (record.status !== 'approved') return verdictOf(parts, admitted, record);
  const because = whyOther(admitted, record, 'question') ?? whyVoid(record, admitted.entry, parts.policy);
  if (because === undefined && !hasLapsed(parts, record)) return permitStored(parts, admitted, record);
  if (because === undefined) await closeLapsed(parts, record);
  else await parts.store.close(id, 'void', parts.clock.now(), because);
  return refuse('void', refusalText(tool));
}

/** The refusal of a call that was cancelled before its body started. */
export function cancelledRefusal(tool: string): Refusal {
  return refuse('cancelled', refusalText(tool));
}

function reportUnknown(parts: GateParts, call: ToolCall, refusal: Refusal): Refusal {
  if (refusal.reason === 'not_registered' || refusal.reason === 'tier_invalid') {
    const text =
      refusal.reason === 'not_registered' ? refusal.refusal : `Tool '${call.tool}' has no valid tier; it was not run.`;
    parts.reporter.fault('tier_gate', text, call, refusal.reason === 'not_registered' ? 'warn' : 'error');
  }
  return refusal;
}

function needsNoQuestion(parts: GateParts, { entry, call }: Admitted): boolean {
  return entry.tier !== 2 || parts.exemptions.exempt(entry.name, call.arguments, call.origin);
}

/** A call that needs no question; journaled where a crash must not run it twice. */
function permit(parts: GateParts, admitted: Admitted, options: CheckOptions): Checked | Promise<Checked> {
  const { entry, call } = admitted;
  const approval = entry.tier === 2 ? 'exempt' : 'not_required';
  const journaled = options.journal === true && entry.tier !== 0;
  const mayBeStored = journaled || (approval === 'exempt' && options.claim === true);
  if (mayBeStored && options.position !== undefined) return permitByRecord(parts, admitted, options, journaled);
  return { allowed: true, approval, ticket: parts.tickets.issue(entry, call, approval) };
}

async function permitByRecord(
  parts: GateParts,
  admitted: Admitted,
  options: CheckOptions,
  journaled: boolean,
): Promise<Checked> {
  const earlier = await answered(parts, admitted, options, journaled ? 'journal' : 'question');
  if (earlier !== undefined) return earlier;
  const { entry, call } = admitted;
  const approval = entry.tier === 2 ? 'exempt' : 'not_required';
  const position = journaled ? positionOf(admitted, options) : undefined;
  if (position === undefined) return { allowed: true, approval, ticket: parts.tickets.issue(entry, call, approval) };
  const record = journalRecord(parts, admitted, position);
  await parts.store.create(record);
  return { allowed: true, approval, ticket: parts.tickets.issue(entry, call, approval, { approvalId: record.id }) };
}

/**
 * What a person decided about this very call, or that it was started: an exemption that came later undoes neither. A
 * question that is still open is closed.
 */
async function answered(
  parts: GateParts,
  admitted: Admitted,
  options: CheckOptions,
  needs: ApprovalRecord['kind'],
): Promise<Checked | undefined> {
  const earlier = await claim(parts, admitted, options, needs);
  if (earlier === undefined || earlier.allowed || earlier.approval !== 'pending') return earlier;
  const closed = await parts.store.close(earlier.approvalId, 'void', parts.clock.now(), 'the call is exempt by now');
  // Somebody was faster: what they said counts.
  return closed.ok ? undefined : answered(parts, admitted, options, needs);
}

function journalRecord(parts: GateParts, { entry, call }: Admitted, position: CallPosition): ApprovalRecord {
  const now = parts.clock.now();
  const id = parts.random();
  const definition = definitionDigest(entry);
  const subject = { id, tool: entry.name, tier: entry.tier, effect: '', arguments: call.arguments };
  const digest = requestDigest({ ...subject, definition, requester: principalOf(call.origin).id });
  return Object.freeze({
    id,
    kind: 'journal',
    status: 'approved',
    request: Object.freeze({
      ...subject,
      digest,
      ...(call.toolUseId === undefined ? {} : { toolUseId: call.toolUseId }),
      origin: call.origin,
    }),
    definition,
    policyVersion: parts.policy.version,
    position,
    createdAt: now,
    deliveries: Object.freeze([]),
    updatedAt: now,
  });
}

function positionOf({ raw }: Admitted, { position }: CheckOptions): CallPosition | undefined {
  return position === undefined ? undefined : Object.freeze({ ...position, rawDigest: digestJson(raw) });
}

async function askInTurn(parts: GateParts, admitted: Admitted, options: CheckOptions): Promise<Checked> {
  const release = await parts.questions.acquire(admitted.call.origin.conversation ?? '', options.signal);
  if (release === undefined) return cancelledRefusal(admitted.entry.name);
  try {
    const asked = await ask(parts, admitted, positionOf(admitted, options), options.signal);
    if (asked.record.status === 'pending' && options.mayPark === false) return await cannotPark(parts, asked.record);
    if (asked.record.status === 'approved') return await useYes(parts, admitted, asked);
    return verdictOf(parts, admitted, asked.record, asked.because);
  } finally {
    release();
  }
}

/** A yes counts for what was asked: the same tool, policy and arguments as before the question, or as edited by a person. */
async function useYes(parts: GateParts, { entry, call }: Admitted, { record, edited }: Asked): Promise<Checked> {
  const now = parts.catalog.get(entry.name);
  const because = now === undefined ? 'the tool is gone' : whyVoid(record, now, parts.policy);
  const args = edited === true ? sealJson(record.request.arguments) : call.arguments;
  const altered = jsonEquals(record.request.arguments, args) ? undefined : 'the stored question was altered';
  const reason = because ?? altered;
  if (reason === undefined) return permitAsked(parts, entry, { ...call, arguments: args }, record);
  await parts.store.close(record.id, 'void', parts.clock.now(), reason);
  return refuse('void', refusalText(entry.name));
}

async function cannotPark(parts: GateParts, record: ApprovalRecord): Promise<Refusal> {
  await parts.store.close(record.id, 'cancelled', parts.clock.now(), 'nobody can wait for an answer here');
  return refuse('no_approver', refusalText(record.request.tool));
}

/** What an earlier record of this position means for this dispatch; `undefined` asks anew. */
async function claim(
  parts: GateParts,
  admitted: Admitted,
  options: CheckOptions,
  needs: ApprovalRecord['kind'],
): Promise<Checked | undefined> {
  const position = options.claim === true ? positionOf(admitted, options) : undefined;
  if (position === undefined) return undefined;
  const record = await findRecord(parts.store, admitted.entry.name, position);
  if (record === undefined) return undefined;
  if (record.status === 'pending' || record.status === 'approved')
    return claimOpen(parts, admitted, record, position, needs);
  if (record.status === 'consumed' && parts.running.has(record.id))
    return refuse('already_used', refusalText(admitted.entry.name));
  if (record.status === 'consumed') await parts.store.lose(record.id, parts.clock.now());
  return verdictOf(parts, admitted, record);
}

async function claimOpen(
  parts: GateParts,
  admitted: Admitted,
  record: ApprovalRecord,
  position: CallPosition,
  needs: ApprovalRecord['kind'],
): Promise<Checked | undefined> {
  const now = parts.clock.now();
  const because = whyOther(admitted, record, needs) ?? whyVoid(record, admitted.entry, parts.policy, position);
  if (because !== undefined) {
    await parts.store.close(record.id, 'void', now, because);
    return undefined;
  }
  if (record.status === 'pending' && record.expiresAt !== undefined && record.expiresAt <= now) {
    const { record: after } = await recordDecision(parts, record, silence(record, now));
    return verdictOf(parts, admitted, after);
  }
  if (hasLapsed(parts, record)) {
    await closeLapsed(parts, record);
    return undefined;
  }
  return verdictOf(parts, admitted, record);
}

/** What makes a record one of another call, although it stands in this call's place. */
function whyOther({ call }: Admitted, record: ApprovalRecord, needs: ApprovalRecord['kind']): string | undefined {
  if (needs === 'question' && record.kind === 'journal') return 'the call is no longer exempt';
  const same = principalOf(call.origin).id === principalOf(record.request.origin).id;
  return same ? undefined : 'it was asked for somebody else';
}

/** Reads a record: what its status permits, and nothing else does. */
function verdictOf(parts: GateParts, admitted: Admitted, record: ApprovalRecord, because?: RefusalReason): Checked {
  const { tool } = record.request;
  const text = refusalText(tool, record.decision?.reason);
  switch (record.status) {
    case 'pending':
      return { allowed: false, approval: 'pending', approvalId: record.id };
    case 'approved':
      return permitStored(parts, admitted, record);
    case 'rejected':
      return { allowed: false, approval: 'rejected', reason: because ?? 'rejected', refusal: text };
    case 'timeout':
      return { allowed: false, approval: 'timeout', reason: 'timeout', refusal: text };
    case 'cancelled':
      return because === 'no_approver' ? refuse('no_approver', refusalText(tool, NOBODY)) : cancelledRefusal(tool);
    case 'void':
    case 'expired':
      return refuse('void', text);
    case 'done':
    case 'failed':
      return { allowed: false, approval: 'replay', record };
    case 'consumed':
    case 'unknown':
      return refuse('unknown_outcome', unknownOutcomeText(tool));
    default:
      return record.status satisfies never;
  }
}

/** Permits the arguments that are on record, whatever this dispatch parsed. */
function permitStored(parts: GateParts, { entry, call }: Admitted, record: ApprovalRecord): Checked {
  return permitAsked(parts, entry, { ...call, arguments: sealJson(record.request.arguments) }, record);
}

function permitAsked(parts: GateParts, entry: CatalogEntry, call: ToolCall, record: ApprovalRecord): Checked {
  const approval = approvalOf(record);
  const usableUntil = parts.tickets.usableUntil(record);
  const stored = { approvalId: record.id, ...(usableUntil === undefined ? {} : { usableUntil }) };
  return { allowed: true, approval, ticket: parts.tickets.issue(entry, call, approval, stored) };
}

function approvalOf({ kind, request }: ApprovalRecord): 'not_required' | 'approved' | 'exempt' {
  if (kind === 'question') return 'approved';
  return request.tier === 2 ? 'exempt' : 'not_required';
}
