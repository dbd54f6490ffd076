import { type ApprovalRecord, type ApprovalStep, stepApproval, type Transition } from '../../core/approval-record.ts';
import type { ApprovalFilter, ApprovalPage } from '../../core/approval-store.ts';
import { type ApprovalChange, approvalAuditEvent, changedAt } from '../../core/audit-event.ts';
import { principalOf } from '../../core/call.ts';
import { TauError } from '../../core/errors.ts';
import { pageSize } from '../../core/page-size.ts';
import { silence } from '../../core/silence.ts';
import { decodeRecord, encodeRecord } from '../shared/codecs.ts';
import { keyOf } from '../shared/key.ts';
import { cursorAt, pageQuery } from './approval-query.ts';
import type { AuditTable } from './audit-table.ts';
import type { Connection, SqlRow } from './connection.ts';

/** A record that changed, and the number of the audit row that tells of it. */
export interface Changed {
  readonly id: string;
  readonly seq: number;
}

/**
 * The table of approvals. Its changes run inside a transaction of whoever calls; each writes its audit row in the same
 * one, and adds what changed to `changed`.
 */
export class ApprovalTable {
  readonly #connection: Connection;
  readonly #audit: AuditTable;

  constructor(connection: Connection, audit: AuditTable) {
    this.#connection = connection;
    this.#audit = audit;
  }

  create(record: ApprovalRecord, changed: Changed[]): void {
    const { id } = record;
    if (this.#row(id) !== undefined) throw new TauError('duplicate_id', `approval '${id}' exists already`);
    const created = this.#tell(record, { type: 'create' }, changed);
    const { decision } = record;
    // Who said yes to it, where it comes into being with one.
    const seq = decision === undefined ? created : this.#tell(record, { type: 'decide', decision }, changed);
    const { conversation, batch } = record.position ?? {};
    this.#connection.run(
      `INSERT INTO approvals (id, status, requester, conversation, batch, expires_at, updated_at, changed, record)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      keyOf(id),
      record.status,
      keyOf(principalOf(record.request.origin).id),
      conversation === undefined ? null : keyOf(conversation),
      batch === undefined ? null : keyOf(batch),
      record.expiresAt ?? null,
      record.updatedAt,
      seq,
      encodeRecord(record),
    );
  }

  get(id: string): ApprovalRecord | undefined {
    const row = this.#row(id);
    return row === undefined ? undefined : this.#record(row);
  }

  list(filter: ApprovalFilter): ApprovalPage {
    const limit = pageSize(filter.limit);
    const query = pageQuery(filter, limit);
    const rows = this.#connection.all(query.sql, ...query.values);
    const shown = rows.slice(0, limit);
    const records = shown.map((row) => this.#record(row));
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return last === undefined ? { records } : { records, nextCursor: cursorAt(this.#connection.number(last, 'seq')) };
  }

  replace(id: string, next: ApprovalRecord, step: ApprovalStep, changed: Changed[]): Transition {
    const closed = this.step(id, step, changed);
    if (!closed.ok) return closed;
    this.create(next, changed);
    return { ok: true, record: next };
  }

  step(id: string, step: ApprovalStep, changed: Changed[]): Transition {
    const record = this.get(id);
    if (record === undefined) return { ok: false, reason: 'unknown_id' };
    const transition = stepApproval(record, step);
    if (!transition.ok) return transition;
    const { record: after } = transition;
    const seq = this.#tell(after, step, changed);
    this.#connection.run(
      'UPDATE approvals SET status = ?, updated_at = ?, changed = ?, record = ? WHERE id = ?',
      after.status,
      after.updatedAt,
      seq,
      encodeRecord(after),
      keyOf(id),
    );
    return transition;
  }

  expire(now: number, changed: Changed[]): readonly string[] {
    const due = this.#connection
      .all(
        `SELECT id, status, record FROM approvals INDEXED BY approvals_due
         WHERE status = 'pending' AND expires_at IS NOT NULL AND expires_at <= ? ORDER BY seq`,
        now,
      )
      .map((row) => this.#record(row));
    for (const record of due) this.step(record.id, { type: 'decide', decision: silence(record, now) }, changed);
    return due.map(({ id }) => id);
  }

  /** Records that changed after an audit row. One that cannot be read is left out: it fails whoever asks for it. */
  changedAfter(seq: number): readonly Changed[] {
    return this.#connection
      .all('SELECT id, status, record, changed FROM approvals WHERE changed > ? ORDER BY changed', seq)
      .flatMap((row) => {
        const id = decodeRecord(this.#connection.text(row, 'record'))?.id;
        return id === undefined ? [] : [{ id, seq: this.#connection.number(row, 'changed') }];
      });
  }

  /**
   * Removes settled records that last changed before a time. Those of a conversation that is parked stay: its calls
   * would be asked about, and run, a second time.
   */
  prune(before: number, limit: number): number {
    return this.#connection.run(
      `DELETE FROM approvals WHERE seq IN (
         SELECT seq FROM approvals
         WHERE updated_at < ? AND status NOT IN ('pending', 'approved', 'consumed')
           AND (conversation IS NULL OR conversation NOT IN (SELECT conversation FROM parked))
         LIMIT ?)`,
      before,
      limit,
    );
  }

  #row(id: string): SqlRow | undefined {
    return this.#connection.get('SELECT id, status, record FROM approvals WHERE id = ?', keyOf(id));
  }

  /** The record of a row; what the columns say must be what it says. */
  #record(row: SqlRow): ApprovalRecord {
    const record = decodeRecord(this.#connection.text(row, 'record'));
    if (record !== undefined && keyOf(record.id) === row.id && record.status === row.status) return record;
    throw this.#connection.damaged(`approval '${String(row.id)}' cannot be read`);
  }

  #tell(record: ApprovalRecord, change: ApprovalChange, changed: Changed[]): number {
    const { seq } = this.#audit.append(approvalAuditEvent(record, change), changedAt(record, change));
    changed.push({ id: record.id, seq });
    return seq;
  }
}
