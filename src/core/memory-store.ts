import {
  type ApprovalRecord,
  type ApprovalStep,
  type DecisionRecord,
  type DeliveryReceipt,
  isSettled,
  type OutcomeRecord,
  stepApproval,
  type Transition,
} from './approval-record.ts';
import type { ApprovalFilter, ApprovalPage, ApprovalStore, ParkedTurn } from './approval-store.ts';
import { type Principal, principalOf } from './call.ts';
import { checkOptions } from './check-options.ts';
import { TauError } from './errors.ts';
import { sealJson } from './json.ts';
import { pageSize } from './page-size.ts';
import { silence } from './silence.ts';

/** Cursors of this store: the place of the last record of a page, which stays where it is when the record is forgotten. */
const CURSOR = /^@([1-9]\d{0,15})$/;

/**
 * The reference store: everything in this process, nothing survives it. Settled records are kept until there are
 * more than `keepSettled` of them (default 10,000), then the oldest go first.
 */
export class MemoryApprovalStore implements ApprovalStore {
  readonly #records = new Map<string, ApprovalRecord>();
  readonly #byConversation = new Map<string, Set<string>>();
  readonly #settled = new Set<string>();
  readonly #parked = new Map<string, ParkedTurn>();
  readonly #listeners = new Set<(id: string) => void>();
  /** Where each record stands in the order of creation. */
  readonly #places = new Map<string, number>();
  readonly #keepSettled: number;
  #lastPlace = 0;

  /**
   * @param options.keepSettled - How many settled records are kept; `Infinity` keeps all.
   * @throws ConfigError when that is not a number from 0 on, and for any other option.
   */
  constructor(options: { keepSettled?: number } = {}) {
    checkOptions('MemoryApprovalStore', options, { keepSettled: 'number from 0 on or Infinity' });
    this.#keepSettled = options.keepSettled ?? 10_000;
  }

  async create(record: ApprovalRecord): Promise<void> {
    this.#add(record);
    this.#changed(record);
  }

  async get(id: string): Promise<ApprovalRecord | undefined> {
    return this.#records.get(id);
  }

  async list(filter: ApprovalFilter = {}): Promise<ApprovalPage> {
    const limit = pageSize(filter.limit);
    const isBehind = this.#behind(filter);
    const records: ApprovalRecord[] = [];
    for (const record of this.#candidates(filter)) {
      if (!isBehind(record) || !matches(record, filter)) continue;
      if (records.length === limit)
        return { records, nextCursor: `@${this.#places.get(records[limit - 1]?.id ?? '')}` };
      records.push(record);
    }
    return { records };
  }

  async deliver(id: string, receipt: DeliveryReceipt): Promise<Transition> {
    return this.#step(id, { type: 'deliver', receipt });
  }

  async decide(id: string, decision: DecisionRecord): Promise<Transition> {
    return this.#step(id, { type: 'decide', decision });
  }

  async consume(id: string, token: string, at: number): Promise<Transition> {
    return this.#step(id, { type: 'consume', token, at });
  }

  async finish(id: string, token: string, outcome: OutcomeRecord): Promise<Transition> {
    return this.#step(id, { type: 'finish', token, outcome });
  }

  async lose(id: string, at: number): Promise<Transition> {
    return this.#step(id, { type: 'lose', at });
  }

  async close(
    id: string,
    status: 'cancelled' | 'void' | 'expired',
    at: number,
    because: string,
    by?: Principal,
  ): Promise<Transition> {
    return this.#step(id, { type: 'close', status, at, because, ...(by === undefined ? {} : { by }) });
  }

  async replace(id: string, next: ApprovalRecord, because: string, at: number): Promise<Transition> {
    const record = this.#records.get(id);
    if (record === undefined) return { ok: false, reason: 'unknown_id' };
    const transition = stepApproval(record, { type: 'replace', because, at });
    if (!transition.ok) return transition;
    this.#add(next);
    this.#records.set(id, transition.record);
    this.#changed(transition.record);
    this.#changed(next);
    return { ok: true, record: next };
  }

  async expire(now: number): Promise<readonly string[]> {
    const due = [...this.#records.values()].filter(
      (r) => r.status === 'pending' && r.expiresAt !== undefined && r.expiresAt <= now,
    );
    for (const record of due) this.#step(record.id, { type: 'decide', decision: silence(record, now) });
    return due.map((record) => record.id);
  }

  watch(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async park(turn: ParkedTurn): Promise<void> {
    this.#parked.set(turn.conversation, Object.freeze({ ...turn, state: sealJson(turn.state) }));
  }

  async parked(conversation: string): Promise<ParkedTurn | undefined> {
    return this.#parked.get(conversation);
  }

  async parkedConversations(): Promise<readonly string[]> {
    return [...this.#parked.keys()];
  }

  async unpark(conversation: string, turn?: Pick<ParkedTurn, 'run' | 'at'>): Promise<void> {
    const parked = this.#parked.get(conversation);
    if (turn !== undefined && (parked?.run !== turn.run || parked.at !== turn.at)) return;
    this.#parked.delete(conversation);
  }

  #add(record: ApprovalRecord): void {
    if (this.#records.has(record.id)) throw new TauError('duplicate_id', `approval '${record.id}' exists already`);
    this.#records.set(record.id, Object.freeze(record));
    this.#lastPlace += 1;
    this.#places.set(record.id, this.#lastPlace);
    const conversation = record.position?.conversation;
    if (conversation !== undefined) this.#idsOf(conversation).add(record.id);
  }

  #step(id: string, step: ApprovalStep): Transition {
    const record = this.#records.get(id);
    if (record === undefined) return { ok: false, reason: 'unknown_id' };
    const transition = stepApproval(record, step);
    if (transition.ok) {
      this.#records.set(id, transition.record);
      this.#changed(transition.record);
    }
    return transition;
  }

  #changed(record: ApprovalRecord): void {
    if (isSettled(record.status)) {
      this.#settled.add(record.id);
      this.#forgetOldest();
    }
    for (const listener of this.#listeners) {
      try {
        listener(record.id);
      } catch {
        // A watcher that throws must not undo, delay or hide a step that has been taken.
      }
    }
  }

  #forgetOldest(): void {
    for (const id of this.#settled) {
      if (this.#settled.size <= this.#keepSettled) return;
      this.#settled.delete(id);
      const conversation = this.#records.get(id)?.position?.conversation;
      this.#records.delete(id);
      this.#places.delete(id);
      if (conversation === undefined) continue;
      const ids = this.#byConversation.get(conversation);
      ids?.delete(id);
      if (ids?.size === 0) this.#byConversation.delete(conversation);
    }
  }

  #idsOf(conversation: string): Set<string> {
    const ids = this.#byConversation.get(conversation) ?? new Set<string>();
    this.#byConversation.set(conversation, ids);
    return ids;
  }

  /** Which records are behind the cursor: a place, or a record; behind one that is not there is nothing. */
  #behind({ cursor, order }: ApprovalFilter): (record: ApprovalRecord) => boolean {
    if (cursor === undefined) return () => true;
    const named = CURSOR.exec(cursor)?.[1];
    const place = named === undefined ? this.#places.get(cursor) : Number(named);
    if (place === undefined) return () => false;
    const step = order === 'newest' ? -1 : 1;
    return ({ id }) => ((this.#places.get(id) ?? place) - place) * step > 0;
  }

  #candidates({ conversation, order }: ApprovalFilter): Iterable<ApprovalRecord> {
    const records =
      conversation === undefined
        ? this.#records.values()
        : [...(this.#byConversation.get(conversation) ?? [])].flatMap((id) => this.#records.get(id) ?? []);
    return order === 'newest' ? [...records].reverse() : records;
  }
}

function matches(record: ApprovalRecord, filter: ApprovalFilter): boolean {
  return (
    (filter.status === undefined || record.status === filter.status) &&
    (filter.conversation === undefined || record.position?.conversation === filter.conversation) &&
    (filter.batch === undefined || record.position?.batch === filter.batch) &&
    (filter.requester === undefined || principalOf(record.request.origin).id === filter.requester)
  );
}
