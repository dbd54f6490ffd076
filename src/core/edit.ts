import { type Admitted, admit } from './admission.ts';
import type { ApprovalRecord, DecisionRecord } from './approval-record.ts';
import { freezePrincipal, type Principal } from './call.ts';
import { whyVoid } from './claim.ts';
import { openFor } from './decide.ts';
import { isSealed, type JSONValue, jsonEquals, sealJson } from './json.ts';
import type { GateParts } from './parts.ts';
import { policyMayDecide } from './policy.ts';
import { newQuestion, reportDecision } from './question.ts';
import { editedBy, editIdOf } from './replacement.ts';

/** Other arguments that somebody would approve. */
export interface EditInput {
  readonly arguments: JSONValue;
  readonly by: Principal;
  /** Where it was given, such as `ag-ui`. */
  readonly channel: string;
  /** When given, must be the digest of the open question. */
  readonly digest?: string;
  /** SHA-256 of exactly what was shown of the question that is edited. */
  readonly shownDigest?: string;
}

/**
 * How an edit ended. The question that was edited is void; the edit is a question of its own. The two change in one
 * step, so that a question which somebody else decided first is not edited, and an edit is never half done.
 *
 * | status | meaning |
 * |---|---|
 * | `approved` | nothing about the edit needed a second look: it counts as approved by its author |
 * | `asked_again` | more changed than was typed (defaults, a computed effect, the tool or the policy meanwhile), or its author may not decide it: `record` must be shown and decided |
 * | `invalid` | it does not fit the tool; `problem` says why, the question stays open |
 * | `already_decided` `not_found` `digest_mismatch` | as in `DecideResult` |
 */
export type EditResult =
  | { readonly status: 'approved' | 'asked_again' | 'already_decided'; readonly record: ApprovalRecord }
  | { readonly status: 'invalid'; readonly problem: string }
  | { readonly status: 'not_found' | 'digest_mismatch' };

/** Replaces an open question by one with other arguments, which go through schema, tier and policy like any call. */
export async function editApproval(parts: GateParts, approvalId: string, input: EditInput): Promise<EditResult> {
  const by = freezePrincipal(input.by);
  const open = await openFor(parts, approvalId, by, input.digest);
  if (open.status !== 'open') return open;
  const { record } = open;
  const { tool, toolUseId, origin } = record.request;
  const call = { tool, arguments: input.arguments, origin, ...(toolUseId === undefined ? {} : { toolUseId }) };
  const admitted = admit(call, { catalog: parts.catalog, policy: parts.policy });
  if (!('admitted' in admitted)) return { status: 'invalid', problem: admitted.refusal };
  const edit = { ...newQuestion(parts, admitted, record.position, editIdOf(record.id)), editOf: record.id };
  const needsNoLook = nothingHidden(parts, record, admitted) && policyMayDecide(parts.policy, by, edit.request);
  const decision = needsNoLook ? approvalBy(by, record, edit, input) : undefined;
  const next: ApprovalRecord = Object.freeze(
    decision === undefined ? edit : { ...edit, status: decision.decision, decision },
  );
  const replaced = await parts.store.replace(record.id, next, editedBy(by), edit.createdAt);
  if (!replaced.ok && replaced.reason === 'unknown_id') return { status: 'not_found' };
  if (!replaced.ok) return { status: 'already_decided', record: replaced.record };
  if (decision !== undefined) reportDecision(parts.reporter, next, decision);
  return { status: decision === undefined ? 'asked_again' : 'approved', record: next };
}

/** The yes of whoever edits, to what they typed. */
function approvalBy(
  by: Principal,
  old: ApprovalRecord,
  { createdAt: at }: ApprovalRecord,
  { channel, shownDigest }: EditInput,
): DecisionRecord & { readonly decision: 'approved' } {
  const shown = shownDigest === undefined ? {} : { shownDigest };
  return Object.freeze({ decision: 'approved', by, channel, at, tookMs: at - old.createdAt, ...shown });
}

/** Whether the edit is what was typed and nothing more, of a tool and under rules that are those of the question. */
function nothingHidden({ policy }: GateParts, old: ApprovalRecord, { entry, raw, call }: Admitted): boolean {
  return (
    typeof entry.effect === 'string' && unchanged(raw, call.arguments) && whyVoid(old, entry, policy) === undefined
  );
}

function unchanged(raw: JSONValue, parsed: JSONValue): boolean {
  return isSealed(raw) && jsonEquals(raw, sealJson(parsed));
}
