import { expect, test } from 'vitest';
import type { JSONValue } from '../../../../core/json.ts';
import { HubClient } from '../wire/hub-client.ts';
import type { AuditRow } from '../wire/shapes.ts';
import { wordsOf } from '../words/words.ts';
import { auditLine } from './lines.ts';
import { readBelow, readHead, readRows } from './read-rows.ts';
import { addRows, NO_ROWS } from './rows.ts';

function row(event: { readonly [key: string]: JSONValue }, seq = 1): AuditRow {
  return { seq, at: 0, event, hash: `h${seq}` };
}

test('[P15] rows of the audit chain become sentences in both languages', () => {
  const rows = [
    row({ type: 'tool_call', tool: 'read_lock', status: 'success', approval: 'not_required' }),
    row({ type: 'tool_call', tool: 'unlock_door', status: 'error', approval: 'approved' }),
    row({ type: 'tool_call', tool: 'unlock_door', status: 'error', approval: 'refused', reason: 'hidden' }),
    row({ type: 'approval', tool: 'unlock_door', decision: 'approved', by: { id: 'ada' } }),
    row({ type: 'approval_created', tool: 'unlock_door', requester: { id: 'ada' } }),
    row({ type: 'approval_delivered', tool: 'unlock_door', channel: 'terminal', delivered: true }),
    row({ type: 'approval_delivered', tool: 'unlock_door', channel: 'telegram', delivered: false }),
    row({ type: 'approval_decided', tool: 'unlock_door', decision: 'rejected', by: { id: 'ada' }, channel: 'web' }),
    row({ type: 'approval_consumed', tool: 'unlock_door' }),
    row({ type: 'approval_finished', tool: 'unlock_door', status: 'failed' }),
    row({ type: 'approval_closed', tool: 'unlock_door', status: 'void' }),
    row({ type: 'approval_lost', tool: 'unlock_door' }),
    row({ type: 'error', where: 'store', message: 'gone' }),
    row({ type: 'turn_limit', limit: 'turns', value: 20 }),
    row({ type: 'something_new' }),
  ];
  expect(rows.map((each) => auditLine(each, wordsOf('en')))).toEqual([
    { kind: 'ran', text: 'read_lock ran (no approval needed)' },
    { kind: 'broken', text: 'unlock_door ran and failed (approved)' },
    { kind: 'refused', text: 'unlock_door was not run: refused, hidden' },
    { kind: 'decided', text: 'unlock_door: approved by ada' },
    { kind: 'other', text: 'unlock_door: asked for by ada' },
    { kind: 'other', text: 'unlock_door: delivered to terminal' },
    { kind: 'broken', text: 'unlock_door: could not be delivered to telegram' },
    { kind: 'decided', text: 'unlock_door: rejected by ada on web' },
    { kind: 'other', text: 'unlock_door: begins to run' },
    { kind: 'broken', text: 'unlock_door: approved, failed' },
    { kind: 'other', text: 'unlock_door: void' },
    { kind: 'broken', text: 'unlock_door: outcome unknown' },
    { kind: 'broken', text: 'Error in store: gone' },
    { kind: 'other', text: 'A turn reached its limit of 20 (turns)' },
    { kind: 'other', text: 'something_new' },
  ]);
  expect(auditLine(rows[3] ?? row({}), wordsOf('tr')).text).toBe('unlock_door: ada onayladı');
});

test('[P9] names in a row cannot act on the screen', () => {
  const { text } = auditLine(row({ type: 'tool_call', tool: 'a\u202eb', approval: 'exempt' }), wordsOf('en'));
  expect(text).toBe('a\\u202eb ran (exempt)');
});

test('rows are kept once, the newest first, and the head only moves on', () => {
  const read = addRows(NO_ROWS, [row({}, 1), row({}, 2)], { seq: 2, hash: 'h2' });
  const live = addRows(read, [row({}, 3)], { seq: 3, hash: 'h3' });
  const late = addRows(live, [row({}, 2)], { seq: 2, hash: 'h2' });
  expect(late.rows.map(({ seq }) => seq)).toEqual([3, 2, 1]);
  expect(late.head).toEqual({ seq: 3, hash: 'h3' });
});

/** A hub that shows some rows of many, and looks at 50 of them for one answer. */
function hubShowing(shown: readonly number[], head: number): { readonly hub: HubClient; readonly asked: string[] } {
  const asked: string[] = [];
  const hub = new HubClient(async (path) => {
    asked.push(String(path));
    const query = new URL(String(path), 'http://hub').searchParams;
    const [after, limit] = [Number(query.get('after')), Number(query.get('limit'))];
    const rows = shown.filter((seq) => seq > after && seq <= after + 50).slice(0, limit);
    const last = rows.length === limit ? rows.at(-1) : Math.max(after, Math.min(after + 50, head));
    return Response.json({ rows: rows.map((seq) => row({}, seq)), last, head: { seq: head, hash: 'h' } });
  });
  return { hub, asked };
}

const seqsOf = (read: { readonly rows: readonly AuditRow[] } | undefined): unknown => read?.rows.map(({ seq }) => seq);

test('[P15] the page goes on where an answer stopped, also when it had nothing to show', async () => {
  const { hub } = hubShowing([130, 1000], 1000);
  expect(await readHead(hub)).toEqual({ seq: 1000, hash: 'h' });
  expect(seqsOf(await readRows(hub, 0, 1000))).toEqual([130, 1000]);
  expect(seqsOf(await readRows(hub, 0, 999))).toEqual([130]);
  const newest = await readRows(hub, 900, 1000);
  expect(seqsOf(newest)).toEqual([1000]);
  const older = await readBelow(hub, 900, 100);
  expect([seqsOf(older), older?.floor]).toEqual([[130], 0]);
  const lower = await readBelow(hub, 130, 100);
  expect([seqsOf(lower), lower?.floor]).toEqual([[130], 30]);
  const { hub: empty, asked } = hubShowing([], 0);
  expect([seqsOf(await readRows(empty, 0, 100)), asked.length]).toEqual([[], 1]);
  const broken = new HubClient(async () => Response.json({}, { status: 503 }));
  expect([await readHead(broken), await readBelow(broken, 100, 10)]).toEqual([undefined, undefined]);
});
