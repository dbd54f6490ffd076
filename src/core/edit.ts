import { admit } from './admission.ts';
import type { ApprovalRecord } from './approval-record.ts';
import { freezePrincipal, type Principal } from './call.ts';
import { whyVoid } from './claim.ts';
import { openFor } from './decide.ts';
import { isSealed, type JSONValue, jsonEquals, sealJson } from './json.ts';
import type { GateParts } from './parts.ts';
import { policyMayDecide } from './policy.ts';
import { newQuestion, recordDecision } from './question.ts';
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
 * How an edit ended. The question that was edited is void; the edit is a question of its own.
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
  const { tool, toolUseId, origin, tier } = record.request;
  const call = { tool, arguments: input.arguments, origin, ...(toolUseId === undefined ? {} : { toolUseId }) };
  const admitted = admit(call, { catalog: parts.catalog, policy: parts.policy });
  if (!('admitted' in admitted)) return { status: 'invalid', problem: admitted.refusal };
  const edited = { ...newQuestion(parts, admitted, record.position, editIdOf(record.id)), editOf: record.id };
  const closed = await parts.store.close(record.id, 'void', parts.clock.now(), editedBy(by));
  if (!closed.ok)
    return closed.reason === 'illegal' ? { status: 'already_decided', record: closed.record } : { status: 'not_found' };
  await parts.store.create(edited);
  const { entry } = admitted;
  const nothingHidden =
    entry.tier === tier &&
    typeof entry.effect === 'string' &&
    unchanged(admitted.raw, admitted.call.arguments) &&
    whyVoid(record, entry, parts.policy) === undefined;
  if (!nothingHidden || !policyMayDecide(parts.policy, by, edited.request))
    return { status: 'asked_again', record: edited };
  const at = parts.clock.now();
  const { channel, shownDigest } = input;
  const decision = { decision: 'approved', by, channel, at, tookMs: at - record.createdAt } as const;
  const shown = shownDigest === undefined ? {} : { shownDigest };
  const { record: after, won } = await recordDecision(parts, edited, { ...decision, ...shown });
  return { status: won ? 'approved' : 'already_decided', record: after };
}

function unchanged(raw: JSONValue, parsed: JSONValue): boolean {
  return isSealed(raw) && jsonEquals(raw, sealJson(parsed));
}
