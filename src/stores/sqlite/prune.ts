import type { AuditLog } from '../../core/audit-log.ts';
import { digestText } from '../../core/digest.ts';
import { keyOf } from '../shared/key.ts';
import type { ApprovalTable } from './approvals.ts';
import type { Connection } from './connection.ts';
import { inParts, PART } from './in-parts.ts';
import type { ParkedTable } from './parked.ts';

/** What is old. Times are milliseconds since the epoch; what is not named stays. */
export interface PruneOptions {
  /** Now. Documents that have expired go in any case. */
  readonly at: number;
  /** Settled approvals that last changed before this time go, unless their conversation is parked. */
  readonly approvalsBefore?: number;
  /** Audit rows from before this time go; a row tells of it, and what is left can still be verified. */
  readonly auditBefore?: number;
  /**
   * Sessions that were last saved before this time go, as a whole. That of a conversation that is parked stays, by its name
   * or by what `sessionIdOf` of `strands-tau/ag-ui` makes of it: its calls could not go on without their history.
   */
  readonly sessionsBefore?: number;
}

/** How much was removed. */
export interface Pruned {
  readonly approvals: number;
  readonly auditRows: number;
  readonly sessions: number;
  readonly documents: number;
}

/** What is pruned. */
interface Prunable {
  readonly approvals: ApprovalTable;
  readonly parked: ParkedTable;
  readonly audit: AuditLog;
}

/** Removes what is old. */
export async function prune(
  connection: Connection,
  { approvals, parked, audit }: Prunable,
  { at, approvalsBefore, auditBefore, sessionsBefore }: PruneOptions,
): Promise<Pruned> {
  const parts = (before: number | undefined, remove: (before: number) => number): Promise<number> =>
    before === undefined ? Promise.resolve(0) : inParts(() => connection.write(() => remove(before)));
  return {
    approvals: await parts(approvalsBefore, (before) => approvals.prune(before, PART)),
    sessions: await parts(sessionsBefore, (before) => removeSessions(connection, parked, before)),
    documents: await parts(at, (now) => removeExpired(connection, now)),
    auditRows: auditBefore === undefined ? 0 : await audit.prune(auditBefore, at),
  };
}

function removeExpired(connection: Connection, now: number): number {
  const sql = `DELETE FROM documents WHERE (kind, id) IN (
    SELECT kind, id FROM documents WHERE expires_at <= ? LIMIT ?)`;
  return connection.run(sql, now, PART);
}

/** A session is old once the last of its snapshots is. */
function removeSessions(connection: Connection, parked: ParkedTable, before: number): number {
  const kept = parked.conversations().flatMap((conversation) => [conversation, digestText(conversation)]);
  const old = connection.all(
    `SELECT session FROM snapshots WHERE session NOT IN (SELECT value FROM json_each(?))
      GROUP BY session HAVING max(saved_at) < ? LIMIT ?`,
    JSON.stringify(kept.map(keyOf)),
    before,
    PART,
  );
  for (const row of old) {
    const session = connection.text(row, 'session');
    connection.run('DELETE FROM snapshots WHERE session = ?', session);
    connection.run('DELETE FROM manifests WHERE session = ?', session);
  }
  return old.length;
}
