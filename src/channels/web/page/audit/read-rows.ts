import type { HubClient } from '../wire/hub-client.ts';
import { type AuditRow, auditShape } from '../wire/shapes.ts';

/** What was read of the audit chain. */
export interface RowsRead {
  readonly rows: readonly AuditRow[];
  readonly head: { readonly seq: number; readonly hash: string };
}

type Hub = Pick<HubClient, 'get'>;

/** Rows of one answer at most. */
const MOST = 1000;

/** The widest part of the chain that is asked for at once. */
const WIDEST = 4000;

/** Where the chain ends; `undefined` when the hub does not say. */
export async function readHead(hub: Hub): Promise<RowsRead['head'] | undefined> {
  const reply = await hub.get(`/api/audit?after=${Number.MAX_SAFE_INTEGER}&limit=1`, auditShape);
  return reply.ok ? reply.value.head : undefined;
}

/**
 * Rows behind `after` up to `through` that this person may see, `undefined` when the hub does not say. The hub looks at so
 * many at a time and says where it stopped, also when it had nothing to show.
 */
export async function readRows(hub: Hub, after: number, through: number): Promise<RowsRead | undefined> {
  const rows: AuditRow[] = [];
  for (let from = after; ; ) {
    const limit = Math.min(Math.max(through - from, 1), MOST);
    const reply = await hub.get(`/api/audit?after=${from}&limit=${limit}`, auditShape);
    if (!reply.ok) return undefined;
    const { last, head } = reply.value;
    rows.push(...reply.value.rows.filter(({ seq }) => seq <= through));
    if (last <= from || last >= Math.min(through, head.seq)) return { rows, head };
    from = last;
  }
}

/** Some rows below a number, and the number below which nothing was read; in ever wider steps until there is one. */
export async function readBelow(
  hub: Hub,
  floor: number,
  count: number,
): Promise<(RowsRead & { readonly floor: number }) | undefined> {
  for (let [through, step] = [floor, count]; ; step = Math.min(step * 2, WIDEST)) {
    const after = Math.max(0, through - step);
    const read = await readRows(hub, after, through);
    if (read === undefined) return undefined;
    if (read.rows.length > 0 || after === 0) return { ...read, floor: after };
    through = after;
  }
}
