import type { ApprovalRecord, ApprovalStore, Policy } from 'strands-tau';
import { tauTool } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, endOf, unlock, type WorldOptions } from '../../test/support/strands.ts';
import { assertOnlyApproved, refusal, resultTexts, started } from '../../test/support/strands-checks.ts';
import { decide, resume, Town } from '../../test/support/strands-town.ts';

const PARK = { parked: true } as const;

describe('[S16] after a restart', () => {
  it('the decided calls run in the new process, with the arguments that were shown', async () => {
    const town = new Town();
    const { w: old, ids } = await town.park([unlock('front'), call('add_note', { text: 'x' }), unlock('back')]);
    await decide(old, ids[0], 'approved');
    const w = await town.process([DONE, DONE]);
    await decide(w, ids[1], 'rejected');
    await expect(w.turn('hello')).rejects.toMatchObject({ code: 'parked' });
    expect(endOf(await resume(w)).reason).toBe('endTurn');
    expect(started(w)).toEqual([
      ['unlock_door', { door: 'front' }],
      ['add_note', { text: 'x' }],
    ]);
    expect(resultTexts(w.agent)).toEqual(['unlock_door done', 'add_note done', refusal('unlock_door')]);
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertOnlyApproved({ ...w, events: [...old.events, ...w.events] });
  });

  it('a call whose id is half a character can be read back', async () => {
    const town = new Town();
    const { w: old, ids } = await town.park([unlock('front', '\ud800')]);
    await decide(old, ids[0], 'approved');
    const w = await town.process([DONE]);
    expect(endOf(await resume(w)).reason).toBe('endTurn');
    expect(started(w)).toEqual([['unlock_door', { door: 'front' }]]);
    assertOnlyApproved({ ...w, events: [...old.events, ...w.events] });
  });

  it("what was edited in the session file does not count: tau's own copy is dispatched", async () => {
    for (const edit of [
      (text: string) => text.replaceAll('"front"', '"back"'),
      (text: string) => text.replaceAll('unlock_door', 'read_lock'),
      (text: string) => text.replaceAll('"source":"tool"', '"source":"tool","response":"approved"'),
    ]) {
      const town = new Town();
      const { w: old, ids } = await town.park([unlock('front')]);
      town.disk.edit(edit);
      const w = await town.process([DONE]);
      expect(endOf(await resume(w)).reason).toBe('parked');
      expect(w.ran).toEqual([]);
      await decide(w, ids[0], 'approved');
      await resume(w);
      expect(started(w)).toEqual([['unlock_door', { door: 'front' }]]);
      assertOnlyApproved({ ...w, events: [...old.events, ...w.events] });
    }
  });

  it('a session that lost the batch, or an agent without its messages, runs each call at most once', async () => {
    const town = new Town();
    const { w: old, ids } = await town.park([unlock('front')]);
    await decide(old, ids[0], 'approved');
    town.disk.files.clear();
    const w = await town.process([DONE, DONE]);
    await resume(w);
    expect(w.ran).toHaveLength(1);
    await expect(resume(w)).rejects.toMatchObject({ code: 'not_parked' });
  });
});

describe('[S18] a change between question and answer', () => {
  const changes: [string, (town: Town) => WorldOptions][] = [
    ['the tool is redefined: version', () => ({ tools: [redefined({ version: '2' })] })],
    ['the tool is redefined: description', () => ({ tools: [redefined({ description: 'Unlocks all doors.' })] })],
    ['the tool is redefined: effect', () => ({ tools: [redefined({ effect: 'Opens the vault' })] })],
    ['the tool is redefined: schema', () => ({ tools: [redefined({ inputSchema: z.object({ door: z.string() }) })] })],
    ['the policy changed', () => ({ policy: policy('2') })],
  ];

  const bodies: unknown[] = [];

  function redefined(change: object) {
    return tauTool({
      name: 'unlock_door',
      description: 'Does unlock_door.',
      inputSchema: z.object({ door: z.enum(['front', 'back']) }),
      tier: 2,
      effect: 'Effect of unlock_door',
      callback: (args) => void bodies.push(args),
      ...change,
    } as Parameters<typeof tauTool>[0]);
  }

  function policy(version: string): Policy {
    return { version, sees: () => true, mayDecide: () => true };
  }

  it.each(changes)('%s: the old yes is void, and it is asked anew', async (_name, change) => {
    bodies.length = 0;
    const town = new Town();
    const { w: old, ids } = await town.park([unlock('front')], [PARK], { policy: policy('1') });
    await decide(old, ids[0], 'approved');
    const w = await town.process([DONE], [PARK], { policy: policy('1'), ...change(town) });
    const end = endOf(await resume(w));
    expect([end.reason, w.ran, bodies]).toEqual(['parked', [], []]);
    expect(await town.statuses()).toEqual(['void', 'pending']);
    expect((await decide(w, ids[0], 'approved')).status).toBe('already_decided');
    await decide(w, end.approvalIds?.[0], 'approved');
    await resume(w);
    expect([...w.ran.map(({ args }) => args), ...bodies]).toEqual([{ door: 'front' }]);
  });

  it('the stored arguments were edited: void, and asked anew with what the model said', async () => {
    const town = new Town();
    const { w: old, ids } = await town.park([unlock('front')], [PARK]);
    await decide(old, ids[0], 'approved');
    const edited = editing(town.store, (record) => ({
      ...record,
      request: { ...record.request, arguments: { door: 'back' } },
    }));
    const w = await town.process([DONE], [PARK], {});
    Object.assign(town.store, { list: edited });
    const end = endOf(await resume(w));
    expect([end.reason, w.ran]).toEqual(['parked', []]);
    expect(w.approver.requests.map((request) => request.arguments)).toEqual([{ door: 'front' }]);
  });

  it('nobody answered in time: the call is refused as timeout, and nothing is asked', async () => {
    const town = new Town();
    const { ids } = await town.park([unlock('front')], [PARK], { timeoutSeconds: 60 });
    await town.clock.advance(61_000);
    const w = await town.process([DONE], [PARK], { timeoutSeconds: 60 });
    expect((await decide(w, ids[0], 'approved')).status).toBe('already_decided');
    expect(endOf(await resume(w)).reason).toBe('endTurn');
    expect([w.ran, w.approver.requests, resultTexts(w.agent)]).toEqual([[], [], [refusal('unlock_door')]]);
    expect(w.of('tool_call')).toMatchObject([{ approval: 'timeout' }]);
  });

  it('a yes that is not used within useWithinSeconds lapses and is asked again', async () => {
    for (const [seconds, asked] of [
      [599, 0],
      [601, 1],
    ] as const) {
      const town = new Town();
      const { w: old, ids } = await town.park([unlock('front')], [PARK]);
      await decide(old, ids[0], 'approved');
      await town.clock.advance(seconds * 1000);
      const w = await town.process([DONE], [PARK]);
      expect(endOf(await resume(w)).reason).toBe(asked === 0 ? 'endTurn' : 'parked');
      expect([w.approver.requests.length, w.ran.length]).toEqual([asked, 1 - asked]);
      assertOnlyApproved({ ...w, events: [...old.events, ...w.events] });
    }
  });
});

/** The store's list, with every record changed on the way. */
function editing(store: ApprovalStore, change: (record: ApprovalRecord) => ApprovalRecord): ApprovalStore['list'] {
  const list = store.list.bind(store);
  return async (filter) => {
    const page = await list(filter);
    return { ...page, records: page.records.map(change) };
  };
}
