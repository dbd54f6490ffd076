import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { Principal } from '../../core/call.ts';
import type { TierGate } from '../../core/gate.ts';
import { RunError } from '../run-error.ts';
import type { ApprovalEntry } from './plan.ts';

const CHANNEL = 'ag-ui';

/**
 * Records the answers of a request as decisions of the caller. What somebody else decided first stands.
 *
 * @returns The approvals that were decided elsewhere, or by time, so that the client can be told who won.
 * @throws RunError when the caller may not decide one of them, alike for unknown and forbidden, or an edit does not fit.
 */
export async function applyAnswers(
  gate: TierGate,
  principal: Principal,
  entries: readonly ApprovalEntry[],
): Promise<readonly ApprovalRecord[]> {
  const elsewhere: ApprovalRecord[] = [];
  for (const entry of entries) {
    const record = await applyAnswer(gate, principal, entry);
    if (record !== undefined) elsewhere.push(record);
  }
  return elsewhere;
}

async function applyAnswer(
  gate: TierGate,
  by: Principal,
  { record, answer }: ApprovalEntry,
): Promise<ApprovalRecord | undefined> {
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
      throw new RunError('UNKNOWN_INTERRUPT_ID', [id]);
    default:
      return result satisfies never;
  }
}
