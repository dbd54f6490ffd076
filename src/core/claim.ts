import { allRecords } from './all-records.ts';
import type { ApprovalRecord, CallPosition } from './approval-record.ts';
import type { ApprovalStore } from './approval-store.ts';
import { principalOf } from './call.ts';
import type { CatalogEntry } from './catalog.ts';
import { definitionDigest, requestDigest } from './digest.ts';
import { isAsMade } from './own-requests.ts';
import type { Policy } from './policy.ts';

/**
 * Finds the record that was made for this very call in an earlier dispatch: same conversation, batch, tool-use
 * position and tool. The exact input comes first, the latest record wins, closed ones do not count.
 */
export async function findRecord(
  store: ApprovalStore,
  tool: string,
  position: CallPosition,
): Promise<ApprovalRecord | undefined> {
  const records = (await recordsOfBatch(store, position)).filter(
    (record) => record.position?.toolUseId === position.toolUseId && record.request.tool === tool && !isClosed(record),
  );
  const exact = records.findLast((record) => record.position?.rawDigest === position.rawDigest);
  return exact ?? records.findLast(isOpen);
}

async function recordsOfBatch(
  store: ApprovalStore,
  { conversation, batch }: CallPosition,
): Promise<readonly ApprovalRecord[]> {
  const records = await allRecords(store, { conversation, batch });
  // The store is asked for this batch; a record of another one must not slip in if it answers too much.
  return records.filter(({ position }) => position?.conversation === conversation && position.batch === batch);
}

/** Why a question, or a yes, of another version of the policy is void. */
export const POLICY_CHANGED = 'the policy changed';

/** Why a yes that nobody used in time is over. */
export const NOT_USED_IN_TIME = 'the approval was not used in time';

/**
 * What makes an earlier approval void: another input, another tool definition, other policy rules, or stored
 * arguments that are not the ones that were asked about.
 *
 * @returns Why it is void, or `undefined` when it still holds.
 */
export function whyVoid(
  record: ApprovalRecord,
  entry: CatalogEntry,
  policy: Policy,
  position?: CallPosition,
): string | undefined {
  if (position !== undefined && record.position?.rawDigest !== position.rawDigest) return 'the input changed';
  const definition = definitionDigest(entry);
  if (record.definition !== definition) return 'the tool was redefined';
  if (record.policyVersion !== policy.version) return POLICY_CHANGED;
  const intact = isAsMade(record.request, definition) || record.request.digest === digestOf(record, definition);
  if (!intact) return 'the stored question was altered';
  return undefined;
}

function digestOf(record: ApprovalRecord, definition: string): string {
  const { id, tool, tier, effect, arguments: args, origin } = record.request;
  return requestDigest({ id, tool, tier, effect, arguments: args, definition, requester: principalOf(origin).id });
}

function isClosed(record: ApprovalRecord): boolean {
  return record.status === 'void' || record.status === 'expired';
}

function isOpen(record: ApprovalRecord): boolean {
  return record.status === 'pending' || record.status === 'approved';
}
