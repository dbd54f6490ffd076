import type { AuditRow } from '../core/audit-log.ts';
import type { Principal } from '../core/call.ts';
import { isJsonObject, type JSONValue } from '../core/json.ts';
import { maySee } from './approval-view.ts';
import type { HubParts } from './parts.ts';

/** Whether somebody may read a row: it is about a call of theirs, or an approval that they may know of. */
async function mayReadRow({ gate, principals }: HubParts, row: AuditRow, principal: Principal): Promise<boolean> {
  if (principals.mayAudit(principal)) return true;
  const { event } = row;
  const origin = isJsonObject(event.origin) ? event.origin.principal : undefined;
  const people = [event.requester, event.by, origin];
  if (people.some((person) => idOf(person) === principal.id)) return true;
  if (typeof event.approvalId !== 'string') return false;
  const record = await gate.store.get(event.approvalId);
  return record !== undefined && maySee(record, principal, gate.policy);
}

function idOf(person: JSONValue | undefined): JSONValue | undefined {
  return isJsonObject(person) ? person.id : undefined;
}

/** A page of the rows behind `after` that somebody may read, and the last row that was looked at. */
export async function readableRows(
  parts: HubParts,
  principal: Principal,
  after: number,
  limit: number,
): Promise<{ readonly rows: readonly AuditRow[]; readonly last: number }> {
  const readable: AuditRow[] = [];
  let last = after;
  for (;;) {
    const rows = await parts.audit.rows({ after: last, limit: 1000 });
    if (rows.length === 0) return { rows: readable, last };
    for (const row of rows) {
      if (readable.length === limit) return { rows: readable, last };
      last = row.seq;
      if (await mayReadRow(parts, row, principal)) readable.push(row);
    }
  }
}
