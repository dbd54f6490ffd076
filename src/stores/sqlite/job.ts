import type { DatabaseSync } from 'node:sqlite';

/** One change that waits for its transaction. */
export class Job {
  /** Until when it may wait for a lock, in milliseconds since the epoch. */
  readonly until: number;
  readonly reject: (error: unknown) => void;
  readonly #work: () => () => void;
  #outcome: () => void = () => undefined;

  /**
   * @param work - Makes the change; returns what tells that it is durable.
   * @param reject - Tells that it did not happen.
   */
  constructor(work: () => () => void, reject: (error: unknown) => void, until: number) {
    this.#work = work;
    this.reject = reject;
    this.until = until;
  }

  /**
   * Runs the change among others of the same transaction. A change that throws is undone alone, and told so when the
   * others are told.
   *
   * @throws When the whole transaction is lost.
   */
  attempt(database: DatabaseSync): void {
    database.exec('SAVEPOINT job');
    try {
      this.#outcome = this.#work();
    } catch (error) {
      this.#undo(database, error);
      this.#outcome = () => this.reject(error);
    }
    database.exec('RELEASE job');
  }

  /** Tells how it ended, once everything is durable. */
  settle(): void {
    this.#outcome();
  }

  #undo(database: DatabaseSync, error: unknown): void {
    try {
      database.exec('ROLLBACK TO job');
    } catch {
      // SQLite gave the transaction up, as it may on a full disk.
      throw error;
    }
  }
}
