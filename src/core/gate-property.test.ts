import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actions } from '../../test/gate-actions.ts';
import { type Dispatch, GateModel, keyOf, type Start } from '../../test/gate-model.ts';
import type { ApprovalRecord } from './approval-record.ts';

/** How often each key occurs. */
function count(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Keys that occur more often than they may. */
function excess(keys: readonly string[], allowed: ReadonlyMap<string, number>): readonly string[] {
  return [...count(keys)].filter(([key, n]) => n > (allowed.get(key) ?? 0)).map(([key]) => key);
}

const started = ({ tool, args, definition }: Start): string => `${keyOf(tool, args)} ${definition}`;
const consumed = ({ request, definition }: ApprovalRecord): string =>
  `${keyOf(request.tool, request.arguments)} ${definition}`;

function startsOf(dispatches: readonly Dispatch[], approval: string): readonly Start[] {
  return dispatches.filter((dispatch) => dispatch.approval === approval).flatMap((dispatch) => dispatch.starts);
}

function checkBodies({ dispatches, exempted }: GateModel, records: readonly ApprovalRecord[]): void {
  for (const { call, starts, outcome, approval } of dispatches) {
    expect(starts.length).toBeLessThanOrEqual(1);
    if (outcome !== 'check') expect(starts.length).toBe(approval === undefined ? 0 : 1);
    for (const { tool, args } of starts) expect([tool, args]).toEqual([call.tool, call.arguments]);
  }
  const used = records.filter((record) => record.kind === 'question' && record.token !== undefined);
  expect(excess(startsOf(dispatches, 'approved').map(started), count(used.map(consumed)))).toEqual([]);
  const exempt = startsOf(dispatches, 'exempt').map(({ tool, args }) => keyOf(tool, args));
  expect(excess(exempt, exempted)).toEqual([]);
  expect(startsOf(dispatches, 'not_required').every(({ tool }) => tool === 'add_note')).toBe(true);
  const ids = dispatches.flatMap(({ approvalId }) => (approvalId === undefined ? [] : [approvalId]));
  expect(new Set(ids).size).toBe(ids.length);
}

function checkRecords({ asked, yes }: GateModel, records: readonly ApprovalRecord[]): void {
  for (const { id, kind, request, decision, token, consumedAt } of records) {
    if (kind === 'journal') continue;
    if (asked.has(id)) expect(request).toEqual(asked.get(id));
    if (decision?.decision === 'approved') expect(yes.has(id)).toBe(true);
    if (token !== undefined) {
      expect(decision?.decision).toBe('approved');
      expect((consumedAt ?? 0) - (decision?.at ?? 0)).toBeLessThanOrEqual(60_000);
    }
  }
}

function checkEvents({ events, dispatches }: GateModel, records: readonly ApprovalRecord[]): void {
  const told = dispatches.filter(
    ({ outcome }) => outcome !== 'check' && outcome?.status !== 'pending' && outcome?.status !== 'replayed',
  );
  expect(events.filter((event) => event.type === 'tool_call')).toHaveLength(told.length);
  const decided = records.flatMap(({ id, decision }) => (decision === undefined ? [] : [[id, decision.decision]]));
  const approvals = events.flatMap((event) => (event.type === 'approval' ? [[event.approvalId, event.decision]] : []));
  expect(approvals.toSorted()).toEqual(decided.toSorted());
}

describe('[G12, G13, G14] whatever happens, in whatever order', () => {
  it('a body starts only for a ticket of its own: approved for exactly these arguments, or exempt, and once', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (steps) => {
        const model = new GateModel();
        for (const step of steps) await model.act(step);
        const records = await model.end();
        expect(model.violations).toEqual([]);
        checkBodies(model, records);
        checkRecords(model, records);
        checkEvents(model, records);
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
