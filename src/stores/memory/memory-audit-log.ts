import type { AuditHead, AuditLog, AuditRow } from '../../core/audit-log.ts';
import { digestJson } from '../../core/digest.ts';
import { type JSONValue, sealJson } from '../../core/json.ts';

const BEGINNING: AuditHead = Object.freeze({ seq: 0, hash: '0'.repeat(64) });

/** The reference chain: everything in this process, nothing survives it. */
export class MemoryAuditLog implements AuditLog {
  readonly #rows: AuditRow[] = [];
  readonly #listeners = new Set<() => void>();
  #anchor: AuditHead = BEGINNING;

  async append(event: { readonly [key: string]: JSONValue }, at: number): Promise<AuditRow> {
    const row = this.#add(event, at);
    this.#tell();
    return row;
  }

  async rows({
    after = 0,
    limit = 100,
  }: {
    readonly after?: number;
    readonly limit?: number;
  } = {}): Promise<readonly AuditRow[]> {
    const first = Math.max(0, Math.trunc(after) - this.#anchor.seq);
    return this.#rows.slice(first, first + Math.min(Math.max(Math.trunc(limit), 1), 1000));
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
    this.#add({ type: 'prune', removed: removed.length, before, seq: last.seq, hash: last.hash }, at);
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
    const { seq: before, hash: prev } = this.#head();
    // A copy that nobody can change, whatever the caller does with its own. It was given an object and stays one.
    const sealed = sealJson(event) as AuditRow['event'];
    const seq = before + 1;
    const row = Object.freeze({ seq, at, event: sealed, prev, hash: digestJson({ seq, at, event: sealed, prev }) });
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
