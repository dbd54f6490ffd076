import { Hono } from 'hono';
import { z } from 'zod';
import type { ApprovalRecord, ApprovalStatus } from '../../core/approval-record.ts';
import { maySee, viewApproval } from '../approval-view.ts';
import { LOOKED_AT_ONCE, letOthers, MOST_LOOKED_AT } from '../bounded.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { notFound, Problem } from '../problem.ts';
import { readQuery } from '../read-query.ts';
import { SealedCursors } from '../sealed-cursor.ts';

const STATUSES = [
  'pending',
  'approved',
  'rejected',
  'timeout',
  'cancelled',
  'void',
  'expired',
  'consumed',
  'done',
  'failed',
  'unknown',
] as const satisfies readonly ApprovalStatus[];

const query = z.strictObject({
  status: z.enum(STATUSES).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.string().min(1).max(400).optional(),
  order: z.enum(['oldest', 'newest']).default('oldest'),
});

type Query = z.infer<typeof query>;

/** `GET /api/approvals` and `GET /api/approvals/{id}`: what the caller asked for or may decide. */
export function approvalRoutes(parts: HubParts): Hono<HubEnv> {
  const { gate } = parts;
  const { store, policy } = gate;
  const cursors = new SealedCursors(parts.proofKey);
  return new Hono<HubEnv>()
    .get('/api/approvals', async (context) => {
      const identity = context.get('identity');
      const wanted = readQuery(context.req.url, query);
      const visible = (record: ApprovalRecord): boolean => maySee(record, identity.principal, policy);
      const { records, nextCursor } = await page(parts, cursors, wanted, visible);
      return context.json({
        approvals: await Promise.all(records.map((record) => viewApproval(record, identity, parts))),
        ...(nextCursor === undefined ? {} : { nextCursor }),
      });
    })
    .get('/api/approvals/:id', async (context) => {
      const identity = context.get('identity');
      const record = await store.get(context.req.param('id'));
      if (record === undefined || !maySee(record, identity.principal, policy)) throw notFound();
      return context.json({ approval: await viewApproval(record, identity, parts) });
    });
}

interface Page {
  readonly records: readonly ApprovalRecord[];
  readonly nextCursor?: string;
}

/**
 * One page of what somebody may see. Its cursor is the id of the last record that is shown, never of another; where so many
 * were looked at that others have waited long enough, it is sealed.
 */
async function page(
  parts: HubParts,
  cursors: SealedCursors,
  query: Query,
  visible: (record: ApprovalRecord) => boolean,
): Promise<Page> {
  const from = query.cursor === undefined ? undefined : await startOf(parts, cursors, query.cursor, visible);
  const found: ApprovalRecord[] = [];
  let looked = 0;
  let last = '';
  for await (const record of recordsFrom(parts, query, from)) {
    if (looked === MOST_LOOKED_AT) return { records: found, nextCursor: cursors.seal(last) };
    looked += 1;
    last = record.id;
    if (!visible(record)) continue;
    if (found.length === query.limit) return { records: found, nextCursor: found[query.limit - 1]?.id ?? '' };
    found.push(record);
  }
  return { records: found };
}

/** The id behind which a page begins. One that names nothing would look like an end. */
async function startOf(
  { gate: { store } }: HubParts,
  cursors: SealedCursors,
  cursor: string,
  visible: (record: ApprovalRecord) => boolean,
): Promise<string> {
  const id = cursors.open(cursor);
  if (id !== cursor) return id;
  const record = await store.get(id);
  if (record !== undefined && visible(record)) return id;
  throw new Problem(400, 'invalid_cursor', 'The cursor names nothing that there is to see; begin anew.');
}

async function* recordsFrom(
  { gate: { store } }: HubParts,
  { status, order }: Query,
  start: string | undefined,
): AsyncGenerator<ApprovalRecord, void, undefined> {
  const filter = { ...(status === undefined ? {} : { status }), order, limit: LOOKED_AT_ONCE };
  let from = start;
  do {
    const { records, nextCursor } = await store.list({ ...filter, ...(from === undefined ? {} : { cursor: from }) });
    yield* records;
    from = nextCursor;
    await letOthers();
  } while (from !== undefined);
}
