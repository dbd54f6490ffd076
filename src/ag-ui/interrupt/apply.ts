import { admit } from '../../core/admission.ts';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import { type CancelResult, isRequester } from '../../core/cancel.ts';
import type { DecideResult } from '../../core/decide.ts';
import type { EditResult } from '../../core/edit.ts';
import type { TierGate } from '../../core/gate.ts';
import { policySees } from '../../core/policy.ts';
import { RunError } from '../run-error.ts';
import type { ApprovalEntry } from './plan.ts';
import { type Answerer, mayDecideIt, standingOf } from './standing.ts';

/** Where an answer over AG-UI is given. */
export const CHANNEL = 'ag-ui';

/**
 * Records the answers of a request as decisions of the caller. What somebody else decided first stands. All answers are
 * checked before the first is recorded, so a request that is refused has decided nothing; one whose caller leaves decides
 * nothing more.
 *
 * @returns The approvals that were decided elsewhere, or by time, so that the client can be told who won.
 * @throws RunError `FORBIDDEN_ANSWER` when the caller may not decide one of them, `UNKNOWN_INTERRUPT_ID` when they may not
 *   even see its tool, `INVALID_PAYLOAD` when an edit does not fit.
 */
export async function applyAnswers(
  gate: TierGate,
  answerer: Answerer,
  planned: readonly ApprovalEntry[],
  signal: AbortSignal,
): Promise<readonly ApprovalRecord[]> {
  // Since the request was read, somebody else may have decided; then it no longer matters who the caller is.
  const entries = await Promise.all(planned.map((entry) => asItIsNow(gate, entry)));
  for (const entry of entries) checkAnswer(gate, answerer, entry);
  const elsewhere: ApprovalRecord[] = [];
  for (const entry of entries) {
    if (signal.aborted) break;
    const over = await applyAnswer(gate, answerer, entry);
    if (over !== undefined) elsewhere.push(over);
  }
  return elsewhere;
}

async function asItIsNow({ store }: TierGate, { record, answer }: ApprovalEntry): Promise<ApprovalEntry> {
  return { record: (await store.get(record.id)) ?? record, answer };
}

/** The same checks as the gate's own, which counts; here they are made for all answers before it is asked for one. */
function checkAnswer(gate: TierGate, answerer: Answerer, { record, answer }: ApprovalEntry): void {
  // Whoever waits for a question is told of its end, also when they could not have decided it.
  if (isOver(gate, record)) return;
  if (!mayDecideIt(gate, answerer, record)) {
    // Nobody needs the right to decide to take back what they asked for themselves.
    if (answer.decision === 'cancelled' && isRequester(answerer.principal, record)) return;
    throw refused(gate, answerer, record);
  }
  if (answer.decision !== 'approved' || answer.editedArgs === undefined) return;
  const { catalog, policy } = gate;
  const { id, tool, origin } = record.request;
  const admitted = admit({ tool, arguments: answer.editedArgs, origin }, { catalog, policy });
  if (!('admitted' in admitted)) throw new RunError('INVALID_PAYLOAD', [id, admitted.refusal]);
}

function isOver(gate: TierGate, record: ApprovalRecord): boolean {
  return standingOf(gate, record) !== 'pending';
}

/** To somebody who may not see the tool, there is no such question. */
function refused({ catalog, policy }: TierGate, { principal }: Answerer, { id, request }: ApprovalRecord): RunError {
  const tool = catalog.get(request.tool);
  const sees = tool !== undefined && policySees(policy, principal, tool);
  return sees ? new RunError('FORBIDDEN_ANSWER') : new RunError('UNKNOWN_INTERRUPT_ID', [id]);
}

/** Records one answer; resolves to the record when it was over before this answer came. */
async function applyAnswer(
  gate: TierGate,
  answerer: Answerer,
  entry: ApprovalEntry,
): Promise<ApprovalRecord | undefined> {
  const { record } = entry;
  if (record.status !== 'pending') return record;
  const may = mayDecideIt(gate, answerer, record);
  // One whose time ran out is ended by the guard when its call goes on.
  if (!may && isOver(gate, record)) return undefined;
  const result = may ? await decide(gate, answerer, entry) : await withdraw(gate, answerer, entry);
  switch (result.status) {
    case 'decided':
    case 'approved':
    case 'asked_again':
    case 'cancelled':
      return undefined;
    case 'already_decided':
      return result.record;
    case 'invalid':
      throw new RunError('INVALID_PAYLOAD', [record.id, result.problem]);
    case 'not_found':
    case 'digest_mismatch':
      throw refused(gate, answerer, record);
    default:
      return result satisfies never;
  }
}

function decide(
  gate: TierGate,
  { principal: by }: Answerer,
  { record, answer }: ApprovalEntry,
): Promise<DecideResult | EditResult> {
  const { id, digest } = record.request;
  const common = { by, channel: CHANNEL, digest };
  if (answer.decision === 'cancelled') return gate.decide(id, { ...common, decision: 'rejected' });
  if (answer.decision === 'approved' && answer.editedArgs !== undefined) {
    return gate.edit(id, { ...common, arguments: answer.editedArgs });
  }
  return gate.decide(id, { ...common, ...answer });
}

/** Only an answer that says so withdraws, and only the requester's: of whoever may decide it, it is a no. */
async function withdraw(
  gate: TierGate,
  { principal: by }: Answerer,
  { record, answer }: ApprovalEntry,
): Promise<CancelResult> {
  if (answer.decision !== 'cancelled' || !isRequester(by, record)) return { status: 'not_found' };
  return gate.cancel(record.id, { by, channel: CHANNEL });
}
