import { expect, test } from 'vitest';
import type { JSONValue } from '../../../../core/json.ts';
import type { Reader } from '../told/who.ts';
import { HubClient } from '../wire/hub-client.ts';
import type { AuditRow } from '../wire/shapes.ts';
import { wordsOf } from '../words/words.ts';
import { groupRows, kindOf, stepsOf } from './groups.ts';
import { auditLine } from './lines.ts';
import { readBelow, readHead, readRows } from './read-rows.ts';
import { addRows, NO_ROWS } from './rows.ts';

function row(event: { readonly [key: string]: JSONValue }, seq = 1): AuditRow {
  return { seq, at: 0, event, hash: `h${seq}` };
}

const ada: Reader = { me: { id: 'ada', kind: 'person' }, words: wordsOf('en') };

test('[P15] rows of the audit chain become sentences in both languages', () => {
  const rows = [
    row({ type: 'tool_call', tool: 'read_lock', status: 'success', approval: 'not_required' }),
    row({ type: 'tool_call', tool: 'unlock_door', status: 'error', approval: 'approved' }),
    row({ type: 'tool_call', tool: 'unlock_door', status: 'error', approval: 'refused', reason: 'hidden' }),
    row({ type: 'approval', tool: 'unlock_door', decision: 'approved', by: { id: 'ada' } }),
    row({ type: 'approval_created', tool: 'unlock_door', requester: { id: 'grace' } }),
    row({ type: 'approval_delivered', tool: 'unlock_door', channel: 'terminal', delivered: true }),
    row({ type: 'approval_delivered', tool: 'unlock_door', channel: 'pager', delivered: false }),
    row({ type: 'approval_decided', tool: 'unlock_door', decision: 'rejected', by: { id: 'grace' }, channel: 'web' }),
    row({ type: 'approval_decided', tool: 'unlock_door', decision: 'timeout', by: { id: 'tau' }, channel: 'hub' }),
    row({ type: 'approval_consumed', tool: 'unlock_door' }),
    row({ type: 'approval_finished', tool: 'unlock_door', status: 'failed' }),
    row({ type: 'approval_closed', tool: 'unlock_door', status: 'void', because: 'the policy changed' }),
    row({ type: 'approval_closed', status: 'cancelled', because: "withdrawn by person 'ada' at web: no" }),
    row({ type: 'approval_lost', tool: 'unlock_door' }),
    row({ type: 'error', where: 'store', message: 'gone' }),
    row({ type: 'turn_limit', limit: 'turns', value: 20 }),
    row({ type: 'something_new' }),
  ];
  expect(rows.map((each) => auditLine(each, ada))).toEqual([
    { kind: 'ran', text: 'Ran: no approval needed' },
    { kind: 'broken', text: 'Failed: approved' },
    { kind: 'refused', text: 'Not run: this tool may not be used here' },
    { kind: 'decided', text: 'You approved this' },
    { kind: 'other', text: 'Asked by grace' },
    { kind: 'other', text: 'Shown in the terminal' },
    { kind: 'broken', text: 'Could not be shown on pager' },
    { kind: 'decided', text: 'Rejected by grace, on the page' },
    { kind: 'decided', text: 'Nobody answered in time' },
    { kind: 'other', text: 'Started' },
    { kind: 'broken', text: 'The tool ended with an error' },
    { kind: 'other', text: 'no longer valid' },
    { kind: 'decided', text: 'You withdrew this question' },
    { kind: 'broken', text: 'It is unknown whether it took effect; it was not run again' },
    { kind: 'broken', text: 'Error in store: gone' },
    { kind: 'other', text: 'A turn reached its limit of 20 (turns)' },
    { kind: 'other', text: 'something_new' },
  ]);
  expect(auditLine(rows[4] ?? row({}), { ...ada, words: wordsOf('tr') }).text).toBe('grace istedi');
});

test('[P9] names in a row cannot act on the screen', () => {
  const created = row({ type: 'approval_created', tool: 'a\u202eb', requester: { id: 'gr\u202eace' } });
  expect(auditLine(created, ada).text).not.toContain('\u202e');
  expect(groupRows([created])[0]?.tool).toBe('a\\u202eb');
});

test('[P15] the rows of one call stand together, and its end is told once', () => {
  const of = (seq: number, event: { readonly [key: string]: JSONValue }): AuditRow => row(event, seq);
  const rows = [
    of(1, { type: 'approval_created', tool: 'unlock_door', approvalId: 'a', requester: { id: 'ada' } }),
    of(2, { type: 'tool_call', tool: 'read_lock', approval: 'not_required' }),
    of(3, { type: 'approval_decided', tool: 'unlock_door', approvalId: 'a', decision: 'approved', by: { id: 'ada' } }),
    of(4, { type: 'approval_finished', tool: 'unlock_door', approvalId: 'a', status: 'done' }),
    of(5, { type: 'tool_call', tool: 'unlock_door', approvalId: 'a', approval: 'approved' }),
    of(6, { type: 'error', where: 'store', message: 'gone' }),
  ];
  const call = { toolUseId: 'c', origin: { conversation: 'k' } };
  const edited = [
    of(7, { type: 'approval_created', tool: 'set', approvalId: 'old', requester: { id: 'ada' }, ...call }),
    of(8, { type: 'approval_closed', tool: 'set', approvalId: 'old', because: "edited by person 'ada'", ...call }),
    of(9, {
      type: 'approval_created',
      tool: 'set',
      approvalId: 'new',
      editOf: 'old',
      requester: { id: 'ada' },
      ...call,
    }),
    of(10, {
      type: 'approval_closed',
      tool: 'set',
      approvalId: 'new',
      because: "withdrawn by person 'ada' at web",
      ...call,
    }),
    of(11, { type: 'tool_call', tool: 'set', approval: 'refused', reason: 'cancelled', ...call }),
  ];
  const groups = groupRows([...rows, ...edited].reverse());
  const told = groups.map((group) => {
    const steps = stepsOf(group, ada);
    return [group.tool, group.rows.map(({ seq }) => seq), kindOf(steps), steps.map(({ text }) => text)];
  });
  expect(told).toEqual([
    [
      'set',
      [7, 8, 9, 10, 11],
      'decided',
      ['Asked by you', 'You changed the arguments', 'Asked by you', 'You withdrew this question'],
    ],
    [undefined, [6], 'broken', ['Error in store: gone']],
    ['unlock_door', [1, 3, 4, 5], 'ran', ['Asked by you', 'You approved this', 'The tool ended with a result']],
    ['read_lock', [2], 'ran', ['Ran: no approval needed']],
  ]);
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
