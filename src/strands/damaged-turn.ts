import { allRecords } from '../core/all-records.ts';
import type { ApprovalStatus } from '../core/approval-record.ts';
import { TauError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import { isDamaged } from './parked-turn.ts';

/**
 * Ends a parked turn that is not what was stored. It can never go on, and would keep its conversation from everything else:
 * all questions and unused approvals of the conversation are void, and the gate reports it.
 *
 * @returns What was wrong, to be thrown by whoever wanted to go on with it; `undefined` when the turn is sound or there is
 *   none.
 */
export async function endDamagedTurn(gate: TierGate, conversation: string): Promise<TauError | undefined> {
  const turn = await gate.store.parked(conversation);
  if (turn === undefined || !isDamaged(turn)) return undefined;
  for (const status of ['pending', 'approved'] as const) await voidAll(gate, conversation, status);
  await gate.store.unpark(conversation, turn);
  const error = new TauError(
    'store',
    `the parked turn of conversation '${conversation}' in the store is damaged; nothing of it was run and its questions ` +
      'are void. The conversation can go on with a new prompt',
  );
  gate.reportError('store', error.message);
  return error;
}

async function voidAll({ store, clock }: TierGate, conversation: string, status: ApprovalStatus): Promise<void> {
  // An ordered attempt has no place in the conversation and is not among these.
  for (const { id } of await allRecords(store, { conversation, status })) {
    await store.close(id, 'void', clock.now(), 'the parked turn is damaged');
  }
}
