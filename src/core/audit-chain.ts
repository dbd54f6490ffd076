import type { AuditHead, AuditLog, AuditRow } from './audit-log.ts';
import { canonicalJson, digestText } from './digest.ts';
import type { JSONValue } from './json.ts';

/** What the first row of a chain is chained to. */
const GENESIS: AuditHead = Object.freeze({ seq: 0, hash: '0'.repeat(64) });

/** Type of the row that tells of a prune. */
const PRUNED = 'audit_pruned';

/**
 * What is wrong with a chain.
 *
 * | problem | meaning |
 * |---|---|
 * | `missing` | the row `seq` is not there |
 * | `reordered` | the row `seq` stands behind one with a larger number |
 * | `edited` | the row `seq` is not what its hash was taken of, or is stored in other words |
 * | `unlinked` | the row `seq` is not chained to the one before; one of the two was replaced |
 * | `anchor` | the rows up to `seq` are gone, and no row tells of a prune that removed just these |
 * | `cut` | the head that was asked for is not in the chain, which ends at `seq` |
 */
export type ChainProblem = 'missing' | 'reordered' | 'edited' | 'unlinked' | 'anchor' | 'cut';

/** What a verification found. */
export type ChainVerdict =
  | { readonly ok: true; readonly rows: number; readonly head: AuditHead }
  | { readonly ok: false; readonly seq: number; readonly problem: ChainProblem };

/** SHA-256 (lower-case hex) over the RFC 8785 form of `{ seq, at, event, prev }`. */
export function rowHash({ seq, at, event, prev }: Omit<AuditRow, 'hash'>): string {
  return hashOf(seq, at, canonicalJson(event), prev);
}

/** The same where the form of the event is known: names in RFC 8785 order, so the text can be put together. */
function hashOf(seq: number, at: number, event: string, prev: string): string {
  return digestText(
    `{"at":${canonicalJson(at)},"event":${event},"prev":${canonicalJson(prev)},"seq":${canonicalJson(seq)}}`,
  );
}

/**
 * The row that follows a head.
 *
 * @param written - The event's RFC 8785 form, by whoever has it already.
 */
export function nextRow(
  head: AuditHead,
  event: AuditRow['event'],
  at: number,
  written: string = canonicalJson(event),
): AuditRow {
  const seq = head.seq + 1;
  return Object.freeze({ seq, at, event, prev: head.hash, hash: hashOf(seq, at, written, head.hash) });
}

/** The event that tells of a prune which removed `rows` rows, the last of which was `last`. */
export function prunedEvent(rows: number, last: AuditHead, before: number): AuditRow['event'] {
  return { type: PRUNED, rows, lastSeq: last.seq, lastHash: last.hash, before };
}

/**
 * Checks a chain from its first kept row to its last.
 *
 * @param rows - All rows that are kept, in the order in which they stand.
 * @param options.anchor - What the first of them must be chained to; the beginning of all chains by default. One that no
 *   `audit_pruned` row tells of is a problem: rows were cut off at the front.
 * @param options.head - A hash that was the head once and was kept elsewhere. It must be in the chain; this alone finds
 *   rows that were cut off at the end, and a chain that was written anew as a whole.
 */
export async function verifyChain(
  rows: AsyncIterable<AuditRow>,
  options: { readonly anchor?: AuditHead; readonly head?: string } = {},
): Promise<ChainVerdict> {
  const { anchor = GENESIS, head } = options;
  let last = anchor;
  let told = GENESIS;
  let count = 0;
  let met = head === undefined || head === anchor.hash;
  for await (const row of rows) {
    const problem = problemOf(row, last);
    if (problem !== undefined) return problem;
    if (row.event.type === PRUNED) told = toldBy(row.event);
    if (row.hash === head) met = true;
    last = { seq: row.seq, hash: row.hash };
    count++;
  }
  if (told.seq !== anchor.seq || told.hash !== anchor.hash) return { ok: false, seq: anchor.seq, problem: 'anchor' };
  if (!met) return { ok: false, seq: last.seq, problem: 'cut' };
  return { ok: true, rows: count, head: last };
}

/** Every row of a log behind `after`, page by page. */
export async function* auditRows(log: AuditLog, after = 0): AsyncGenerator<AuditRow> {
  let seen = after;
  for (;;) {
    const page = await log.rows({ after: seen, limit: 1000 });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    seen = last.seq;
  }
}

/** Checks a whole log. One that is pruned while it is read is read again. */
export async function verifyLog(log: AuditLog, options: { readonly head?: string } = {}): Promise<ChainVerdict> {
  for (;;) {
    const anchor = await log.anchor();
    const verdict = await verifyChain(auditRows(log, Number.NEGATIVE_INFINITY), { ...options, anchor });
    if (verdict.ok || (await log.anchor()).seq === anchor.seq) return verdict;
  }
}

function problemOf(row: AuditRow, last: AuditHead): Extract<ChainVerdict, { ok: false }> | undefined {
  const expected = last.seq + 1;
  if (row.seq > expected) return { ok: false, seq: expected, problem: 'missing' };
  if (row.seq < expected) return { ok: false, seq: row.seq, problem: 'reordered' };
  // No row was written at a time that is no number, and no hash can be taken over one.
  if (row.altered || !Number.isFinite(row.at) || row.hash !== rowHash(row))
    return { ok: false, seq: row.seq, problem: 'edited' };
  return row.prev === last.hash ? undefined : { ok: false, seq: row.seq, problem: 'unlinked' };
}

function toldBy({ lastSeq, lastHash }: { readonly [key: string]: JSONValue }): AuditHead {
  return { seq: Number(lastSeq), hash: String(lastHash) };
}
