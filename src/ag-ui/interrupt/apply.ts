import { admit } from '../../core/admission.ts';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { TierGate } from '../../core/gate.ts';
import { policyMayDecide } from '../../core/policy.ts';
import type { RequestContext } from '../config.ts';
import { RunError } from '../run-error.ts';
import type { ApprovalEntry } from './plan.ts';

const CHANNEL = 'ag-ui';

/** Who answers, and whether by a right that lets them decide. */
type Answerer = Pick<RequestContext, 'principal' | 'mayDecide'>;

/**
 * Records the answers of a request as decisions of the caller. What somebody else decided first stands. All answers are
 * checked before the first is recorded, so a request that is refused has decided nothing.
 *
 * @returns The approvals that were decided elsewhere, or by time, so that the client can be told who won.
 * @throws RunError when the caller may not decide one of them, alike for unknown and forbidden, or an edit does not fit;
 *   `FORBIDDEN_ANSWER`, whoever the caller is, when the credential lets nobody decide.
 */
export async function applyAnswers(
  gate: TierGate,
  answerer: Answerer,
  entries: readonly ApprovalEntry[],
): Promise<readonly ApprovalRecord[]> {
  for (const entry of entries) checkAnswer(gate, answerer, entry);
  const elsewhere: ApprovalRecord[] = [];
  for (const entry of entries) {
    const record = await applyAnswer(gate, answerer, entry);
    if (record !== undefined) elsewhere.push(record);
  }
  return elsewhere;
}

/** The same checks as the gate's own, which counts; here they are made for all answers before it is asked for one. */
function checkAnswer(gate: TierGate, { principal: by, mayDecide }: Answerer, { record, answer }: ApprovalEntry): void {
  if (isOver(gate, record)) return;
  const { catalog, policy } = gate;
  const { id, tool, origin } = record.request;
  if (mayDecide !== true) throw new RunError('FORBIDDEN_ANSWER');
  if (!policyMayDecide(policy, by, record.request)) throw forbidden(id);
  if (answer.decision !== 'approved' || answer.editedArgs === undefined) return;
  const admitted = admit({ tool, arguments: answer.editedArgs, origin }, { catalog, policy });
  if (!('admitted' in admitted)) throw new RunError('INVALID_PAYLOAD', [id, admitted.refusal]);
}

/** Whoever waits for a question is told of its end, also when they could not have decided it. */
function isOver({ clock }: TierGate, { status, expiresAt }: ApprovalRecord): boolean {
  return status !== 'pending' || (expiresAt !== undefined && expiresAt <= clock.now());
}

async function applyAnswer(
  gate: TierGate,
  { principal: by, mayDecide }: Answerer,
  { record, answer }: ApprovalEntry,
): Promise<ApprovalRecord | undefined> {
  if (record.status !== 'pending') return record;
  // Its time ran out, or the request would have been refused before.
  if (mayDecide !== true) return undefined;
  const { id, digest } = record.request;
  const result =
    answer.decision === 'approved' && answer.editedArgs !== undefined
      ? await gate.edit(id, { arguments: answer.editedArgs, by, channel: CHANNEL, digest })
      : await gate.decide(id, { ...answer, by, channel: CHANNEL, digest });
  switch (result.status) {
    case 'decided':
    case 'approved':
    case 'asked_again':
      return undefined;
    case 'already_decided':
      return result.record;
    case 'invalid':
      throw new RunError('INVALID_PAYLOAD', [id, result.problem]);
    case 'not_found':
    case 'digest_mismatch':
      // One whose time ran out is ended by the guard when its call goes on.
      if (isOver(gate, record)) return undefined;
      throw forbidden(id);
    default:
      return result satisfies never;
  }
}

function forbidden(id: string): RunError {
  return new RunError('UNKNOWN_INTERRUPT_ID', [id]);
}
