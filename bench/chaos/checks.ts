import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApprovalRecord, type AuditHead, auditRows, verifyLog } from '../../src/index.ts';
import type { SqliteStore } from '../../src/stores/sqlite/index.ts';
import { BODIES } from './house.ts';

/** What happened so far, counted. */
export interface Counts {
  readonly approvals: number;
  readonly bodies: number;
  readonly unknown: number;
  readonly auditRows: number;
}

/** Looks, after each round, for what must never happen. */
export class Checks {
  readonly #folder: string;
  readonly #store: SqliteStore;
  #head: AuditHead = { seq: 0, hash: '0'.repeat(64) };

  constructor(folder: string, store: SqliteStore) {
    this.#folder = folder;
    this.#store = store;
  }

  /** Everything that is wrong, in words, and what was counted. */
  async run(
    told: ReadonlyMap<string, string>,
    ended: ReadonlySet<string>,
  ): Promise<{ readonly problems: readonly string[]; readonly counts: Counts }> {
    const records = await this.#records();
    const bodies = this.#bodies();
    const problems = [
      ...lostDecisions(records, told),
      ...doubleStarts(bodies),
      ...starts(records, bodies, ended),
      ...(await this.#auditProblems(records)),
    ];
    const unknown = records.filter(({ status }) => status === 'unknown').length;
    return {
      problems,
      counts: { approvals: records.length, bodies: bodies.length, unknown, auditRows: this.#head.seq },
    };
  }

  async #records(): Promise<readonly ApprovalRecord[]> {
    const records: ApprovalRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#store.list({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
      records.push(...page.records);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return records;
  }

  #bodies(): readonly string[] {
    const file = join(this.#folder, BODIES);
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((key) => key !== '')
      : [];
  }

  /** The chain verifies, holds the head of the round before, and each step of each record has its one row. */
  async #auditProblems(records: readonly ApprovalRecord[]): Promise<readonly string[]> {
    const verdict = await verifyLog(this.#store.audit, { head: this.#head.hash });
    if (!verdict.ok) return [`the audit does not verify: row ${verdict.seq} is ${verdict.problem}`];
    this.#head = verdict.head;
    const rows = new Map<string, number>();
    for await (const { event } of auditRows(this.#store.audit)) {
      if (event.approvalId === undefined) continue;
      const decision = event.type === 'approval_decided' ? ` ${event.decision}` : '';
      const key = `${event.type}${decision} ${event.approvalId}`;
      rows.set(key, (rows.get(key) ?? 0) + 1);
    }
    return records.flatMap((record) => missingRows(record, rows));
  }
}

function lostDecisions(records: readonly ApprovalRecord[], told: ReadonlyMap<string, string>): readonly string[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  return [...told].flatMap(([id, decision]) => {
    const found = byId.get(id)?.decision?.decision;
    return found === decision ? [] : [`the decision '${decision}' on ${id} was told and is lost: it is ${found}`];
  });
}

function doubleStarts(bodies: readonly string[]): readonly string[] {
  const twice = bodies.filter((key, index) => bodies.indexOf(key) !== index);
  return twice.map((key) => `the body of ${key} started twice`);
}

/** A body starts after a yes only; of a conversation that has ended, it is `done`, or `unknown` if it was cut off. */
function starts(
  records: readonly ApprovalRecord[],
  bodies: readonly string[],
  ended: ReadonlySet<string>,
): readonly string[] {
  const started = new Set(bodies);
  const keys = new Set(records.map(keyOf));
  const strangers = bodies
    .filter((key) => !keys.has(key))
    .map((key) => `the body of ${key} started without a question`);
  const odd = records.flatMap((record) => oddStart(record, started.has(keyOf(record)), ended) ?? []);
  return [...strangers, ...odd];
}

function oddStart(record: ApprovalRecord, ran: boolean, ended: ReadonlySet<string>): string | undefined {
  const { id, status, decision, position } = record;
  if (ran && decision?.decision !== 'approved') return `the body of ${id} started without a yes`;
  if (status === 'consumed') {
    return ended.has(position?.conversation ?? '') ? `${id} is still consumed after recovery` : undefined;
  }
  if (status === 'done' && !ran) return `${id} is done, and its body never started`;
  return ran && status !== 'done' && status !== 'unknown'
    ? `the body of ${id} started, and it is ${status}`
    : undefined;
}

function keyOf({ request }: ApprovalRecord): string {
  const { arguments: args } = request;
  return typeof args === 'object' && args !== null && 'key' in args ? String(args.key) : '';
}

function missingRows(record: ApprovalRecord, rows: ReadonlyMap<string, number>): readonly string[] {
  const { id, status, decision, token } = record;
  const expected: readonly (readonly [type: string, times: number])[] = [
    ['approval_created', 1],
    [`approval_decided ${decision?.decision}`, decision === undefined ? 0 : 1],
    ['approval_consumed', token === undefined ? 0 : 1],
    ['approval_finished', status === 'done' || status === 'failed' ? 1 : 0],
    ['approval_lost', status === 'unknown' ? 1 : 0],
    ['approval_closed', record.closedBecause === undefined ? 0 : 1],
  ];
  return expected.flatMap(([type, times]) => {
    const found = rows.get(`${type} ${id}`) ?? 0;
    return found === times ? [] : [`${id} is ${status} and has ${found} rows of ${type}, not ${times}`];
  });
}
