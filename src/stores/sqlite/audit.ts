import { auditable } from '../../core/audit-event.ts';
import type { AuditHead, AuditLog, AuditRow } from '../../core/audit-log.ts';
import { pageSize } from '../../core/page-size.ts';
import type { AuditTable } from './audit-table.ts';
import type { Connection } from './connection.ts';
import { inParts, PART } from './in-parts.ts';
import type { News } from './news.ts';

/** The audit chain in a table. */
export class SqliteAudit implements AuditLog {
  readonly #connection: Connection;
  readonly #table: AuditTable;
  readonly #news: News;

  constructor(connection: Connection, table: AuditTable, news: News) {
    this.#connection = connection;
    this.#table = table;
    this.#news = news;
  }

  async append(event: AuditRow['event'], at: number): Promise<AuditRow> {
    const told = auditable({ ...event, type: String(event.type) });
    const row = await this.#connection.write(() => this.#table.append(told, at));
    this.#news.appended([row.seq]);
    return row;
  }

  rows({ after = 0, limit }: { readonly after?: number; readonly limit?: number } = {}): Promise<readonly AuditRow[]> {
    return this.#connection.read(() => this.#table.rows(after, pageSize(limit)));
  }

  head(): Promise<AuditHead> {
    return this.#connection.read(() => this.#table.head());
  }

  anchor(): Promise<AuditHead> {
    return this.#connection.read(() => this.#table.anchor());
  }

  /** A part at a time; each moves the anchor, and tells of itself in a row. */
  async prune(before: number, at: number): Promise<number> {
    // Rows that tell of this prune stay, however late the time is.
    const { seq: upTo } = await this.head();
    return inParts(async () => {
      const part = { upTo, most: PART };
      const { removed, row } = await this.#connection.write(() => this.#table.prune(before, at, part));
      if (row !== undefined) this.#news.appended([row.seq]);
      return removed;
    });
  }

  watch(listener: () => void): () => void {
    return this.#news.watchAudit(listener);
  }
}
