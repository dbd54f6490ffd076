import type { AuditRow } from '../core/audit-log.ts';
import type { Principal } from '../core/call.ts';
import { isJsonObject, type JSONValue } from '../core/json.ts';
import { maySee } from './approval-view.ts';
import { LOOKED_AT_ONCE, letOthers, MOST_LOOKED_AT } from './bounded.ts';
import type { HubParts } from './parts.ts';

/** What somebody may read of the audit log; asks for each approval once. */
class Reader {
  readonly #parts: HubParts;
  readonly #principal: Principal;
  readonly #isAuditor: boolean;
  readonly #seen = new Map<string, boolean>();

  constructor(parts: HubParts, principal: Principal) {
    this.#parts = parts;
    this.#principal = principal;
    this.#isAuditor = parts.principals.mayAudit(principal);
  }

  /** Whether they may read a row: it is about a call of theirs, or an approval that they may know of. */
  async mayRead({ event }: AuditRow): Promise<boolean> {
    if (this.#isAuditor) return true;
    const origin = isJsonObject(event.origin) ? event.origin.principal : undefined;
    const people = [event.requester, event.by, origin];
    if (people.some((person) => idOf(person) === this.#principal.id)) return true;
    return typeof event.approvalId === 'string' && this.#maySee(event.approvalId);
  }

  async #maySee(id: string): Promise<boolean> {
    const known = this.#seen.get(id);
    if (known !== undefined) return known;
    const { store, policy } = this.#parts.gate;
    const record = await store.get(id);
    const may = record !== undefined && maySee(record, this.#principal, policy);
    this.#seen.set(id, may);
    return may;
  }
}

function idOf(person: JSONValue | undefined): JSONValue | undefined {
  return isJsonObject(person) ? person.id : undefined;
}

/**
 * A page of the rows behind `after` that somebody may read, and the last row that was looked at: where to go on. A page may
 * be empty with more behind it.
 */
export async function readableRows(
  parts: HubParts,
  principal: Principal,
  after: number,
  limit: number,
): Promise<{ readonly rows: readonly AuditRow[]; readonly last: number }> {
  const reader = new Reader(parts, principal);
  const readable: AuditRow[] = [];
  let last = after;
  for (let looked = 0; looked < MOST_LOOKED_AT; ) {
    const rows = await parts.audit.rows({ after: last, limit: LOOKED_AT_ONCE });
    for (const row of rows) {
      last = row.seq;
      if (await reader.mayRead(row)) readable.push(row);
      if (readable.length === limit) return { rows: readable, last };
    }
    if (rows.length === 0) break;
    looked += rows.length;
    await letOthers();
  }
  return { rows: readable, last };
}
