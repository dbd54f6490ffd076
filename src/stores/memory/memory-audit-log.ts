import { nextRow, prunedEvent } from '../../core/audit-chain.ts';
import type { AuditHead, AuditLog, AuditRow } from '../../core/audit-log.ts';
import { isJsonObject, type JSONValue, sealJson } from '../../core/json.ts';
import { pageSize } from '../../core/page-size.ts';

const GENESIS: AuditHead = Object.freeze({ seq: 0, hash: '0'.repeat(64) });

/** The reference chain: everything in this process, nothing survives it. */
export class MemoryAuditLog implements AuditLog {
  readonly #rows: AuditRow[] = [];
  readonly #listeners = new Set<() => void>();
  #anchor: AuditHead = GENESIS;

  async append(event: { readonly [key: string]: JSONValue }, at: number): Promise<AuditRow> {
    const row = this.#add(event, at);
    this.#tell();
    return row;
  }

  async rows(options: { readonly after?: number; readonly limit?: number } = {}): Promise<readonly AuditRow[]> {
    const first = Math.max(0, Math.trunc(options.after ?? 0) - this.#anchor.seq);
    return this.#rows.slice(first, first + pageSize(options.limit));
  }

  async head(): Promise<AuditHead> {
    return this.#head();
  }

  async anchor(): Promise<AuditHead> {
    return this.#anchor;
  }

  async prune(before: number, at: number): Promise<number> {
    const kept = this.#rows.findIndex((row) => row.at >= before);
    const removed = this.#rows.splice(0, kept === -1 ? this.#rows.length : kept);
    const last = removed.at(-1);
    if (last === undefined) return 0;
    this.#anchor = Object.freeze({ seq: last.seq, hash: last.hash });
    this.#add(prunedEvent(removed.length, this.#anchor, before), at);
    this.#tell();
    return removed.length;
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #head(): AuditHead {
    const last = this.#rows.at(-1);
    return last === undefined ? this.#anchor : { seq: last.seq, hash: last.hash };
  }

  #add(event: { readonly [key: string]: JSONValue }, at: number): AuditRow {
    const sealed = sealJson(event);
    const row = nextRow(this.#head(), isJsonObject(sealed) ? sealed : {}, at);
    this.#rows.push(row);
    return row;
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch {
        // A watcher that throws must not undo or hide a row that was added.
      }
    }
  }
}
