import type { ApprovalTable, Changed } from './approvals.ts';
import type { AuditTable } from './audit-table.ts';
import type { Connection } from './connection.ts';

/** How often to look for what other processes changed, in milliseconds, while somebody listens. */
const INTERVAL = 100;

/**
 * Tells listeners what changed: own changes at once, those of other connections to the same file soon after. Every change
 * of an approval has an audit row, so the numbers of these rows are what it counts by.
 */
export class News {
  readonly #connection: Connection;
  readonly #approvals: ApprovalTable;
  readonly #audit: AuditTable;
  readonly #approvalListeners = new Set<(id: string) => void>();
  readonly #auditListeners = new Set<() => void>();
  /** Numbers of own audit rows since the last look. */
  readonly #own = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #version = 0;
  #seen = 0;

  constructor(connection: Connection, approvals: ApprovalTable, audit: AuditTable) {
    this.#connection = connection;
    this.#approvals = approvals;
    this.#audit = audit;
  }

  watchApprovals(listener: (id: string) => void): () => void {
    return this.#watch(this.#approvalListeners, (id: string) => listener(id));
  }

  watchAudit(listener: () => void): () => void {
    return this.#watch(this.#auditListeners, () => listener());
  }

  /** Tells of own changes, of each record once. */
  changed(changes: readonly Changed[]): void {
    this.appended(changes.map(({ seq }) => seq));
    for (const id of new Set(changes.map((change) => change.id))) tell(this.#approvalListeners, id);
  }

  /** Tells of own audit rows. */
  appended(rows: readonly number[]): void {
    if (this.#timer !== undefined) for (const seq of rows) this.#own.add(seq);
    if (rows.length > 0) tell(this.#auditListeners, undefined);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#own.clear();
  }

  #watch<L>(listeners: Set<L>, listener: L): () => void {
    if (this.#timer === undefined) this.#start();
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (this.#approvalListeners.size + this.#auditListeners.size === 0) this.stop();
    };
  }

  #start(): void {
    this.#look(() => {
      this.#version = this.#connection.version();
      this.#seen = this.#audit.head().seq;
    });
    this.#timer = setInterval(() => this.#look(() => this.#poll()), INTERVAL);
    this.#timer.unref();
  }

  /** A store that cannot be read fails whoever uses it; here there is nobody to tell, and the next look may succeed. */
  #look(look: () => void): void {
    try {
      look();
    } catch {}
  }

  #poll(): void {
    // So it is known also when the file comes back before anybody asks.
    this.#connection.checkFile();
    const version = this.#connection.version();
    if (version === this.#version) return this.#catchUp(Math.max(this.#seen, ...this.#own));
    const head = this.#audit.head().seq;
    const foreign = this.#approvals.changedAfter(this.#seen).filter(({ seq }) => !this.#own.has(seq));
    const rows = head - this.#seen - this.#own.size;
    this.#version = version;
    this.#catchUp(head);
    for (const { id } of foreign) tell(this.#approvalListeners, id);
    if (rows > 0) tell(this.#auditListeners, undefined);
  }

  #catchUp(seq: number): void {
    this.#seen = seq;
    this.#own.clear();
  }
}

function tell<T>(listeners: ReadonlySet<(news: T) => void>, news: T): void {
  for (const listener of listeners) {
    try {
      listener(news);
    } catch {
      // A watcher that throws must not undo, delay or hide a change that has happened.
    }
  }
}
