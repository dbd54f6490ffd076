import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TauError } from '../../core/errors.ts';
import { corrupt, storeError } from './errors.ts';
import { Job } from './job.ts';
import type { OpenDatabase } from './open-database.ts';
import type { OpenFile } from './open-file.ts';

/** A row as `node:sqlite` gives it; it has no prototype. */
export type SqlRow = Record<string, SQLOutputValue>;

/** How long a process does something else before it asks for a lock again, in milliseconds. */
const LOCK_RETRY = 15;

/**
 * One connection. Reads run at once. Writes that are asked for in one turn of the event loop share one transaction, and
 * so one wait for the disk; each of them still happens as a whole or not at all, and none is told before it is durable.
 */
export class Connection {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #file: OpenFile | undefined;
  readonly #patience: number;
  readonly #statements = new Map<string, StatementSync>();
  #queue: Job[] = [];
  #scheduled = false;

  /** @param patience - How long to wait for other processes, in milliseconds. */
  constructor({ database, file }: OpenDatabase, path: string, patience: number) {
    this.#database = database;
    this.#file = file;
    this.path = path;
    this.#patience = patience;
  }

  /** Runs a query. Rejects with a `TauError` as `storeError` says. */
  async read<T>(query: () => T): Promise<T> {
    const until = Date.now() + this.#patience;
    for (;;) {
      try {
        this.checkFile();
        return query();
      } catch (error) {
        const failure = this.#failure(error);
        if (failure.code !== 'store_locked' || Date.now() >= until) throw failure;
      }
      await sleep(LOCK_RETRY);
    }
  }

  /**
   * Runs changes as a whole; resolves once they are durable.
   *
   * @param change - Runs inside a transaction, later in this turn of the event loop or in a later one. When it throws,
   *   what it changed is undone.
   */
  write<T>(change: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const work = (): (() => void) => {
      const value = change();
      return () => resolve(value);
    };
    const fail = (error: unknown): void => reject(this.#failure(error));
    this.#queue.push(new Job(work, fail, Date.now() + this.#patience));
    this.#schedule(0);
    return promise;
  }

  /** The rows of a query. */
  all(sql: string, ...values: SQLInputValue[]): readonly SqlRow[] {
    return this.#prepared(sql).all(...values);
  }

  /** The first row of a query. */
  get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined {
    return this.#prepared(sql).get(...values);
  }

  /** Runs a statement; returns how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  /** A text of a row. */
  text(row: SqlRow, column: string): string {
    const value = row[column];
    if (typeof value !== 'string') throw this.damaged(`column ${column} is no text`);
    return value;
  }

  /** A number of a row. */
  number(row: SqlRow | undefined, column: string): number {
    const value = row?.[column];
    if (typeof value !== 'number') throw this.damaged(`column ${column} is no number`);
    return value;
  }

  /** The error of a row that is not what tau wrote. */
  damaged(detail: string): TauError {
    return corrupt(this.path, detail);
  }

  /** @throws TauError `store_replaced` when what was opened is not there any more. */
  checkFile(): void {
    // One that was closed says so itself.
    if (this.#database.isOpen) this.#file?.check();
  }

  /** Changes whenever another connection has written. */
  version(): number {
    return this.number(this.get('PRAGMA data_version'), 'data_version');
  }

  /** Writes the first page as it is: for a proof that there is room, and that the file takes it. */
  touch(): void {
    const version = this.number(this.get('PRAGMA user_version'), 'user_version');
    this.#database.exec(`PRAGMA user_version = ${version}`);
  }

  /** Writes what is still waiting, then closes the file; the second time it does nothing. */
  close(): void {
    if (!this.#database.isOpen) return;
    this.#flush(true);
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #schedule(delay: number): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const flush = (): void => {
      this.#scheduled = false;
      this.#flush(false);
    };
    if (delay === 0) setImmediate(flush);
    else setTimeout(flush, delay);
  }

  #flush(isLast: boolean): void {
    const jobs = this.#queue;
    this.#queue = [];
    if (jobs.length === 0) return;
    try {
      this.#commit(jobs);
    } catch (error) {
      this.#retryOrFail(jobs, this.#failure(error), isLast);
      return;
    }
    for (const job of jobs) job.settle();
  }

  #commit(jobs: readonly Job[]): void {
    const database = this.#database;
    this.checkFile();
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const job of jobs) job.attempt(database);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Nothing of the jobs has happened. While others hold the lock, those that can wait do so. */
  #retryOrFail(jobs: readonly Job[], failure: TauError, isLast: boolean): void {
    const now = Date.now();
    const canWait = (job: Job): boolean => !isLast && failure.code === 'store_locked' && now < job.until;
    this.#queue = [...jobs.filter(canWait), ...this.#queue];
    for (const job of jobs.filter((each) => !canWait(each))) job.reject(failure);
    if (this.#queue.length > 0) this.#schedule(LOCK_RETRY);
  }

  #failure(error: unknown): TauError {
    return storeError(error, this.path);
  }
}
