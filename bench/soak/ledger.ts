import type { ApprovalRecord } from '../../src/core/approval-record.ts';
import type { ApprovalStore } from '../../src/core/approval-store.ts';

/** What happened, counted from outside: by whoever decides, by the bodies, and by what the store went through. */
export class Ledger {
  readonly counts: Map<string, number> = new Map();
  /** What must not happen and did. */
  readonly failures: string[] = [];
  /** Keys of calls that somebody has approved and no body has taken. */
  readonly #approved = new Set<string>();
  readonly #open = new Map<string, ApprovalRecord>();

  count(what: string, by = 1): void {
    this.counts.set(what, this.of(what) + by);
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  fail(what: string): void {
    this.count('failures');
    if (this.failures.length < 20) this.failures.push(what);
  }

  /** Called before the decision is sent. */
  approve(key: string): void {
    this.#approved.add(key);
  }

  /** Called by the body of a tool that needs an approval: each one is good for one body. */
  start(key: string): void {
    this.count('bodies of tier 2');
    if (!this.#approved.delete(key)) this.fail(`The body of ${key} started without an approval of its own`);
  }

  /** Nobody waits for these any more. */
  forget(keys: Iterable<string>): void {
    for (const key of keys) this.#approved.delete(key);
  }

  /** Counts each step of the questions of a store. */
  follow(store: ApprovalStore): void {
    store.watch((id) => {
      store.get(id).then(
        (record) => {
          if (record?.kind === 'question') this.#step(record);
        },
        (error: unknown) => this.fail(`The store failed: ${String(error)}`),
      );
    });
  }

  /** Questions that are neither settled nor forgotten. */
  get open(): readonly ApprovalRecord[] {
    return [...this.#open.values()];
  }

  #step(record: ApprovalRecord): void {
    const before = this.#open.get(record.id)?.status;
    if (before === record.status) return;
    this.count(`question ${record.status}`);
    if (before === 'approved' && record.status !== 'consumed') this.count('approvals withdrawn');
    if (record.status === 'pending' || record.status === 'approved' || record.status === 'consumed') {
      this.#open.set(record.id, record);
    } else {
      this.#open.delete(record.id);
    }
  }
}
