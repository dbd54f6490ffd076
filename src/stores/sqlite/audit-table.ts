import { nextRow, prunedEvent } from '../../core/audit-chain.ts';
import type { AuditHead, AuditRow } from '../../core/audit-log.ts';
import { decodeEvent, encodeEvent, isEncoded } from '../shared/codecs.ts';
import type { Connection, SqlRow } from './connection.ts';

/** The table of audit rows. Its changes run inside a transaction of whoever calls. */
export class AuditTable {
  readonly #connection: Connection;
  readonly #redact: (event: AuditRow['event']) => AuditRow['event'];

  /** @param redact - Takes the secrets out of an event before it is written. */
  constructor(connection: Connection, redact: (event: AuditRow['event']) => AuditRow['event']) {
    this.#connection = connection;
    this.#redact = redact;
  }

  append(event: AuditRow['event'], at: number): AuditRow {
    const told = this.#redact(event);
    const written = encodeEvent(told);
    const row = nextRow(this.head(), told, at, written);
    this.#connection.run(
      'INSERT INTO audit (seq, at, event, prev, hash) VALUES (?, ?, ?, ?, ?)',
      row.seq,
      row.at,
      written,
      row.prev,
      row.hash,
    );
    return row;
  }

  rows(after: number, limit: number): readonly AuditRow[] {
    return this.#connection
      .all('SELECT seq, at, event, prev, hash FROM audit WHERE seq > ? ORDER BY seq LIMIT ?', after, limit)
      .map((row) => this.#row(row));
  }

  head(): AuditHead {
    const last = this.#connection.get('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1');
    return last === undefined ? this.anchor() : this.#headOf(last);
  }

  anchor(): AuditHead {
    const row = this.#connection.get('SELECT seq, hash FROM audit_anchor');
    if (row === undefined) throw this.#connection.damaged('the anchor of the audit is gone');
    return this.#headOf(row);
  }

  /**
   * Removes rows from the front that are older than a time, and tells of it in a row: what is left is a whole chain.
   *
   * @param upTo - The last row that may go.
   * @param most - How many may.
   */
  prune(
    before: number,
    at: number,
    { upTo, most }: { readonly upTo: number; readonly most: number },
  ): { readonly removed: number; readonly row?: AuditRow } {
    const front = this.#connection.all(
      'SELECT seq, at, hash FROM audit WHERE seq <= ? ORDER BY seq LIMIT ?',
      upTo,
      most,
    );
    const kept = front.findIndex((row) => this.#connection.number(row, 'at') >= before);
    const last = front.at(kept === -1 ? -1 : kept - 1);
    if (last === undefined || kept === 0) return { removed: 0 };
    const anchor = this.#headOf(last);
    // The row comes first: it is chained to the last one, which may be among those that go.
    const row = this.append(prunedEvent(anchor.seq - this.anchor().seq, anchor, before), at);
    const removed = this.#connection.run('DELETE FROM audit WHERE seq <= ?', anchor.seq);
    this.#connection.run('UPDATE audit_anchor SET seq = ?, hash = ?', anchor.seq, anchor.hash);
    return { removed, row };
  }

  #row(row: SqlRow): AuditRow {
    const written = this.#connection.text(row, 'event');
    const event = decodeEvent(written);
    const seq = this.#connection.number(row, 'seq');
    if (event === undefined) throw this.#connection.damaged(`audit row ${seq} cannot be read`);
    const [prev, hash] = [this.#connection.text(row, 'prev'), this.#connection.text(row, 'hash')];
    const altered = isEncoded(event, written) ? {} : ({ altered: true } as const);
    return Object.freeze({ seq, at: this.#connection.number(row, 'at'), event, prev, hash, ...altered });
  }

  #headOf(row: SqlRow): AuditHead {
    return Object.freeze({ seq: this.#connection.number(row, 'seq'), hash: this.#connection.text(row, 'hash') });
  }
}
