import type { SnapshotStorage } from '@strands-agents/sdk';
import type {
  ApprovalRecord,
  ApprovalStep,
  DecisionRecord,
  DeliveryReceipt,
  OutcomeRecord,
  Transition,
} from '../../core/approval-record.ts';
import type { ApprovalFilter, ApprovalPage, ApprovalStore, ParkedTurn } from '../../core/approval-store.ts';
import type { AuditLog } from '../../core/audit-log.ts';
import { type AuditRedaction, auditRedactor } from '../../core/audit-redact.ts';
import type { Principal } from '../../core/call.ts';
import { checkOptions } from '../../core/check-options.ts';
import type { ValueStore } from '../../core/value-store.ts';
import { ApprovalTable, type Changed } from './approvals.ts';
import { SqliteAudit } from './audit.ts';
import { AuditTable } from './audit-table.ts';
import { Connection } from './connection.ts';
import { News } from './news.ts';
import { openDatabase } from './open-database.ts';
import { ParkedTable } from './parked.ts';
import { type Pruned, type PruneOptions, prune } from './prune.ts';
import { SqliteSessions } from './sessions.ts';
import { SqliteValues } from './values.ts';

/** How a store is opened. */
export interface SqliteStoreOptions {
  /** How long to wait for a lock that another process holds, in milliseconds; default 5000. */
  readonly lockTimeoutMs?: number;
  /** What the audit must not hold. */
  readonly redact?: AuditRedaction;
}

/**
 * A whole installation in one file: approvals, parked turns, sessions, audit and small documents. Several processes may
 * open the same file. A step of an approval and the audit row that tells of it are one transaction, and on disk before
 * the step is told.
 *
 * Every method rejects with a `TauError` when the file fails: `store_locked`, `store_corrupt`, `store_full`,
 * `store_readonly`, `store_replaced`, `store_closed` or `store_failed`. What was asked for has then not happened.
 *
 * @example
 * ```ts
 * const store = SqliteStore.open('.tau/tau.db');
 * const agent = await buildAgent({
 *   model,
 *   tools,
 *   approver: new ParkingApprover(),
 *   store,
 *   sinks: [auditSink(store.audit)],
 *   sessionManager: new SessionManager({ sessionId: 'one', storage: { snapshot: store.sessions } }),
 * });
 * ```
 */
export class SqliteStore implements ApprovalStore {
  /** What happened, in one chain. */
  readonly audit: AuditLog;
  /** Small documents. */
  readonly values: ValueStore;
  /** Sessions, for the SDK's `SessionManager`. */
  readonly sessions: SnapshotStorage;
  readonly #connection: Connection;
  readonly #approvals: ApprovalTable;
  readonly #parked: ParkedTable;
  readonly #news: News;
  /** One write tells everybody who asks meanwhile. */
  #proving: Promise<void> | undefined;

  private constructor(connection: Connection, options: SqliteStoreOptions) {
    const rows = new AuditTable(connection, auditRedactor(options.redact ?? { paths: [], key: '' }));
    this.#connection = connection;
    this.#approvals = new ApprovalTable(connection, rows);
    this.#parked = new ParkedTable(connection);
    this.#news = new News(connection, this.#approvals, rows);
    this.audit = new SqliteAudit(connection, rows, this.#news);
    this.values = new SqliteValues(connection);
    this.sessions = new SqliteSessions(connection);
  }

  /**
   * Opens the store of a file; makes the file, readable by this user only, where there is none.
   *
   * @param path - Of the file, or `:memory:` for a store that ends with the process.
   * @throws TauError `store_locked`, `store_corrupt`, `store_full`, `store_readonly`, `store_link` for a symbolic link,
   *   `store_newer` for a file of a later version of tau; ConfigError for a redaction key that is too
   *   short, an option that does not exist, and a `lockTimeoutMs` that is no number from 0 on.
   */
  static open(path: string, options: SqliteStoreOptions = {}): SqliteStore {
    checkOptions('SqliteStore.open', options, { lockTimeoutMs: 'number from 0 on', redact: 'object' });
    const patience = options.lockTimeoutMs ?? 5000;
    const connection = new Connection(openDatabase(path, patience), path, patience);
    try {
      return new SqliteStore(connection, options);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  async create(record: ApprovalRecord): Promise<void> {
    await this.#change((changed) => this.#approvals.create(record, changed));
  }

  get(id: string): Promise<ApprovalRecord | undefined> {
    return this.#connection.read(() => this.#approvals.get(id));
  }

  list(filter: ApprovalFilter = {}): Promise<ApprovalPage> {
    return this.#connection.read(() => this.#approvals.list(filter));
  }

  deliver(id: string, receipt: DeliveryReceipt): Promise<Transition> {
    return this.#step(id, { type: 'deliver', receipt });
  }

  decide(id: string, decision: DecisionRecord): Promise<Transition> {
    return this.#step(id, { type: 'decide', decision });
  }

  consume(id: string, token: string, at: number): Promise<Transition> {
    return this.#step(id, { type: 'consume', token, at });
  }

  finish(id: string, token: string, outcome: OutcomeRecord): Promise<Transition> {
    return this.#step(id, { type: 'finish', token, outcome });
  }

  lose(id: string, at: number): Promise<Transition> {
    return this.#step(id, { type: 'lose', at });
  }

  close(
    id: string,
    status: 'cancelled' | 'void' | 'expired',
    at: number,
    because: string,
    by?: Principal,
  ): Promise<Transition> {
    return this.#step(id, { type: 'close', status, at, because, ...(by === undefined ? {} : { by }) });
  }

  replace(id: string, next: ApprovalRecord, because: string, at: number): Promise<Transition> {
    return this.#change((changed) => this.#approvals.replace(id, next, { type: 'replace', because, at }, changed));
  }

  expire(now: number): Promise<readonly string[]> {
    return this.#change((changed) => this.#approvals.expire(now, changed));
  }

  /** Own changes are heard at once, those of other processes within a quarter of a second. */
  watch(listener: (id: string) => void): () => void {
    return this.#news.watchApprovals(listener);
  }

  park(turn: ParkedTurn): Promise<void> {
    return this.#parked.put(turn);
  }

  parked(conversation: string): Promise<ParkedTurn | undefined> {
    return this.#parked.get(conversation);
  }

  parkedConversations(): Promise<readonly string[]> {
    return this.#connection.read(() => this.#parked.conversations());
  }

  unpark(conversation: string, turn?: Pick<ParkedTurn, 'run' | 'at'>): Promise<void> {
    return this.#parked.remove(conversation, turn);
  }

  /** Removes what is old, a part at a time so that nobody waits long for the file. Open and used approvals stay. */
  async prune(options: PruneOptions): Promise<Pruned> {
    const prunable = { approvals: this.#approvals, parked: this.#parked, audit: this.audit };
    return prune(this.#connection, prunable, options);
  }

  /** Resolves when the store answers and was written, without a change; rejects as every method does. */
  async ready(): Promise<void> {
    this.#proving ??= this.#connection
      .write(() => this.#connection.touch())
      .finally(() => {
        this.#proving = undefined;
      });
    await this.#proving;
  }

  /**
   * Ends the store: writes what is still waiting, stops listening, closes the file. `close` is a step of an approval.
   * Whatever is asked for later rejects with `store_closed`.
   */
  async end(): Promise<void> {
    this.#news.stop();
    this.#connection.close();
  }

  /** `end`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  #step(id: string, step: ApprovalStep): Promise<Transition> {
    return this.#change((changed) => this.#approvals.step(id, step, changed));
  }

  async #change<T>(change: (changed: Changed[]) => T): Promise<T> {
    const { result, changed } = await this.#connection.write(() => {
      const list: Changed[] = [];
      return { result: change(list), changed: list };
    });
    this.#news.changed(changed);
    return result;
  }
}
