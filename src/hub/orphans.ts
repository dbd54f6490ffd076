import { allRecords } from '../core/all-records.ts';
import type { ApprovalRecord } from '../core/approval-record.ts';
import { errorText } from '../core/errors.ts';
import { loadParkedTurn, type ParkedState } from '../strands/parked-turn.ts';
import type { HubParts } from './parts.ts';

/** What looking for orphans needs. */
type Parts = Pick<HubParts, 'gate' | 'runs' | 'threads' | 'log'>;

/** Read by people in the history of the question. */
const BECAUSE = 'the process ended before its turn could wait for the answer';

/**
 * Closes as void what no turn will ever claim: questions, and yeses that were not used, that a process put on record and
 * did not live to park their turn. Nobody should be asked about a call that cannot run. Only for a hub that is alone on its
 * store; what runs of this process ask is left alone, and so is what belongs to no conversation of the hub.
 *
 * @returns Ids of what was closed. Rejects when the store is broken.
 */
export async function closeOrphans(parts: Parts): Promise<readonly string[]> {
  const { store, clock } = parts.gate;
  const closed: string[] = [];
  for (const status of ['pending', 'approved'] as const) {
    for (const record of await allRecords(parts.gate.store, { status })) {
      if (!(await isOrphan(parts, record))) continue;
      if ((await store.close(record.id, 'void', clock.now(), BECAUSE)).ok) closed.push(record.id);
    }
  }
  return closed;
}

async function isOrphan({ gate, runs, threads, log }: Parts, record: ApprovalRecord): Promise<boolean> {
  const { conversation } = record.request.origin;
  // An ordered attempt belongs to no turn; `TierGate.recover` has dealt with it.
  if (conversation === undefined || record.retryOf !== undefined) return false;
  if ((await threads.get(conversation)) === undefined) return false;
  // First this, then what is parked: a run is under way from before its first question until its turn is parked.
  if (runs.isBusy(conversation)) return false;
  try {
    const parked = await loadParkedTurn(gate.store, conversation);
    return parked === undefined || !(await holds(parked, record, gate.store));
  } catch (error) {
    log.error('It cannot be told what a thread waits for', { key: conversation, error: errorText(error) });
    return false;
  }
}

/** Whether a parked turn will come back to a record: it waits for it, or dispatches its batch again. */
async function holds(turn: ParkedState, record: ApprovalRecord, store: Parts['gate']['store']): Promise<boolean> {
  if (record.position?.batch === turn.batch) return true;
  // An edited question stands for the one that the turn waited for.
  for (let at: ApprovalRecord | undefined = record; at !== undefined; ) {
    if (turn.open.includes(at.id)) return true;
    at = at.editOf === undefined ? undefined : await store.get(at.editOf);
  }
  return false;
}
