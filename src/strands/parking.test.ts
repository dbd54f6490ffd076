import { BeforeToolCallEvent } from '@strands-agents/sdk';
import type { ApprovalRecord, Policy } from 'strands-tau';
import type { TurnEvent } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import {
  call,
  collect,
  DONE,
  endOf,
  held,
  house,
  rest,
  unlock,
  until,
  type World,
  world,
} from '../../test/support/strands.ts';
import { assertOnlyApproved, refusal, resultTexts, started } from '../../test/support/strands-checks.ts';
import { on } from '../../test/support/strands-parts.ts';
import { readCheckpoint } from './checkpoint.ts';

const PARK = { parked: true } as const;
const ANN = { id: 'ann', kind: 'person' } as const;
const asAnn = { principal: ANN };

/** Parks a turn of ann's and returns the ids of its questions, in order. */
async function park(w: World): Promise<readonly string[]> {
  const end = endOf(await w.turn('go', asAnn));
  expect(end.reason).toBe('parked');
  return end.approvalIds ?? [];
}

function decide(w: World, id: string | undefined, decision: 'approved' | 'rejected', reason?: string) {
  const how = { decision, by: ANN, channel: 'test', ...(reason === undefined ? {} : { reason }) };
  return w.tau.gate.decide(id ?? '', how);
}

function resume(w: World): Promise<TurnEvent[]> {
  return collect(w.tau.resume());
}

async function records(w: World): Promise<readonly ApprovalRecord[]> {
  return (await w.tau.gate.store.list({ limit: 1000 })).records;
}

describe('[S16] a turn that waits', () => {
  it('asks all tier-2 calls of a batch in one round, runs the finished siblings once, and goes on', async () => {
    const batch = [
      call('add_note', { text: 'x' }),
      unlock('front'),
      call('read_lock', { door: 'back' }),
      unlock('back'),
    ];
    const w = await world([batch, DONE], [PARK, PARK]);
    const parked = await w.turn('go', asAnn);
    const { approvalIds: ids = [] } = endOf(parked);
    expect(parked.at(-2)).toEqual({
      type: 'notice',
      key: 'notice.parked',
      text: 'Waiting for approval: unlock_door, unlock_door.',
    });
    expect(w.approver.requests.map((request) => request.id)).toEqual(ids);
    expect(started(w)).toEqual([['add_note', { text: 'x' }]]);
    await decide(w, ids[0], 'approved');
    await decide(w, ids[1], 'rejected', 'not that one');
    const events = await resume(w);
    expect(endOf(events)).toEqual({ type: 'end', reason: 'endTurn' });
    expect(started(w)).toEqual([
      ['add_note', { text: 'x' }],
      ['unlock_door', { door: 'front' }],
      ['read_lock', { door: 'back' }],
    ]);
    expect(resultTexts(w.agent)).toEqual([
      'add_note done',
      'unlock_door done',
      'read_lock done',
      `${refusal('unlock_door')}\nReason: not that one`,
    ]);
    expect(w.of('tool_call')).toHaveLength(4);
    assertOnlyApproved(w);
  });

  it.each([
    [['admin'], ['unlock_door', 'add_note']],
    [[], ['unlock_door']],
    [undefined, ['unlock_door', 'add_note']],
  ])('goes on with the roles %j of who resumes, else with those of when it parked', async (roles, tools) => {
    const policy: Policy = {
      version: 'roles-1',
      sees: ({ roles: held = [] }, { name }) => name !== 'add_note' || held.includes('admin'),
      mayDecide: ({ id }) => id === ANN.id,
    };
    const w = await world([[unlock()], [call('add_note', { text: 'x' })], DONE], [PARK], { policy });
    const { approvalIds: ids = [] } = endOf(await w.turn('go', { principal: { ...ANN, roles: ['admin'] } }));
    await decide(w, ids[0], 'approved');
    await collect(w.tau.resume(roles === undefined ? {} : { principal: { ...ANN, roles } }));
    expect(started(w).map(([name]) => name)).toEqual(tools);
  });

  it('goes on whether the answer came while it parked, before the resume or after one', async () => {
    const w = await world([[unlock()], DONE], [PARK]);
    const [id] = await park(w);
    for (let i = 0; i < 2; i++) {
      const again = endOf(await resume(w));
      expect([again.reason, again.approvalIds]).toEqual(['parked', [id]]);
    }
    expect([w.ran, w.approver.requests.length]).toEqual([[], 1]);
    await decide(w, id, 'approved');
    expect(endOf(await resume(w)).reason).toBe('endTurn');
    expect(w.ran).toHaveLength(1);
    assertOnlyApproved(w);
  });

  it('with some questions answered runs those that come first and parks at the next open one', async () => {
    const w = await world([[unlock('front'), unlock('back')], DONE], [PARK, PARK]);
    const ids = await park(w);
    await decide(w, ids[0], 'approved');
    const end = endOf(await resume(w));
    expect([end.reason, end.approvalIds]).toEqual(['parked', [ids[1]]]);
    expect(w.ran).toHaveLength(1);
    await decide(w, ids[1], 'approved');
    await resume(w);
    expect(w.ran).toHaveLength(2);
    expect(w.approver.requests).toHaveLength(2);
    assertOnlyApproved(w);
  });

  it('cannot be resumed twice: a second resume finds nothing, and two at once run one body', async () => {
    const w = await world([[unlock()], DONE], [PARK]);
    const [id] = await park(w);
    await decide(w, id, 'approved');
    const both = await Promise.allSettled([resume(w), resume(w)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(resume(w)).rejects.toMatchObject({ code: 'not_parked' });
    expect(w.ran).toHaveLength(1);
    assertOnlyApproved(w);
  });

  it('refuses a new prompt with parked, and loses nothing', async () => {
    const w = await world([[unlock()], DONE], [PARK]);
    const [id] = await park(w);
    const before = JSON.stringify(w.agent.messages);
    await expect(w.turn('hello?')).rejects.toMatchObject({ code: 'parked' });
    expect([JSON.stringify(w.agent.messages), w.model.calls.length]).toEqual([before, 1]);
    await decide(w, id, 'approved');
    await resume(w);
    expect(w.ran).toHaveLength(1);
    assertOnlyApproved(w);
  });

  it('nothing runs without a resume, and a no runs nothing', async () => {
    const w = await world([[unlock()], DONE, DONE], [PARK]);
    const [id] = await park(w);
    await decide(w, id, 'rejected');
    await rest();
    expect(w.ran).toEqual([]);
    await resume(w);
    expect([w.ran, resultTexts(w.agent)]).toEqual([[], [refusal('unlock_door')]]);
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertOnlyApproved(w);
  });

  it('keeps who asked, what was visible and what was spent', async () => {
    const turns = [[unlock()], [call('read_lock', { door: 'front' })], [call('read_lock', { door: 'front' })], DONE];
    const w = await world(turns, [PARK], { maxTurns: 3 });
    const [id] = (endOf(await w.turn('go', { ...asAnn, visible: ['unlock_door'] })).approvalIds ?? []) as string[];
    const stranger = { id: 'eve', kind: 'person' } as const;
    const eve = await w.tau.gate.decide(id ?? '', { decision: 'approved', by: stranger, channel: 'test' });
    expect(eve).toEqual({ status: 'not_found' });
    await decide(w, id, 'approved');
    const events = await resume(w);
    expect(endOf(events).reason).toBe('limitTurns');
    expect(w.of('tool_call').map(({ tool, reason }) => [tool, reason])).toEqual([
      ['unlock_door', undefined],
      ['read_lock', 'hidden'],
      ['read_lock', 'hidden'],
    ]);
    expect(new Set(w.of('tool_call').map(({ origin }) => origin.run)).size).toBe(1);
    expect(w.model.calls).toHaveLength(3);
    assertOnlyApproved(w);
  });

  it('asks anew when an earlier hook rewrites the input of the resumed call', async () => {
    let door = 'front';
    const w = await world([[unlock('front')], DONE], [PARK, PARK], {
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          event.toolUse.input = { door };
        }),
      ],
    });
    const [id] = await park(w);
    await decide(w, id, 'approved');
    door = 'back';
    const end = endOf(await resume(w));
    expect([end.reason, w.ran]).toEqual(['parked', []]);
    expect(w.approver.requests.map((request) => request.arguments)).toEqual([{ door: 'front' }, { door: 'back' }]);
    expect((await records(w)).map(({ status }) => status)).toEqual(['void', 'pending']);
    await decide(w, end.approvalIds?.[0], 'approved');
    await resume(w);
    expect(started(w)).toEqual([['unlock_door', { door: 'back' }]]);
    assertOnlyApproved(w);
  });

  it('parks one call and asks the next of a later answer inline', async () => {
    const w = await world([[unlock('front')], [unlock('back')], DONE], [PARK, 'approved']);
    const [id] = await park(w);
    await decide(w, id, 'approved');
    expect(endOf(await resume(w)).reason).toBe('endTurn');
    expect(w.ran).toHaveLength(2);
    assertOnlyApproved(w);
  });

  it('a resume may park again at a later call', async () => {
    const w = await world([[unlock('front')], [unlock('back')], DONE], [PARK, PARK]);
    const [first] = await park(w);
    await decide(w, first, 'approved');
    const end = endOf(await resume(w));
    expect(end.reason).toBe('parked');
    await decide(w, end.approvalIds?.[0], 'approved');
    await resume(w);
    expect(w.ran).toHaveLength(2);
    assertOnlyApproved(w);
  });
});

describe('[S11, S16] a turn that waits and is cancelled', () => {
  it('before its calls run again: nothing runs, the questions are void, the next turn works', async () => {
    const w = await world([[unlock('front'), unlock('back')], DONE], [PARK, PARK]);
    const ids = await park(w);
    await decide(w, ids[0], 'approved');
    const controller = new AbortController();
    controller.abort();
    const end = endOf(await collect(w.tau.resume({ signal: controller.signal })));
    expect([end.reason, w.ran]).toEqual(['cancelled', []]);
    expect((await records(w)).map(({ status }) => status)).toEqual(['void', 'void']);
    expect((await decide(w, ids[1], 'approved')).status).toBe('already_decided');
    await expect(resume(w)).rejects.toMatchObject({ code: 'not_parked' });
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertOnlyApproved(w);
  });

  it('while a resumed body runs: it ends, the rest does not start', async () => {
    const opened = held<string>();
    const h = house();
    const tools = [h.tool('unlock_door', 2, undefined, () => opened.promise), h.tool('run_shell', 2)];
    const w = await world([[call('unlock_door', {}), call('run_shell', {})], DONE], [PARK, PARK], { tools, house: h });
    for (const id of await park(w)) await decide(w, id, 'approved');
    const controller = new AbortController();
    const turn = collect(w.tau.resume({ signal: controller.signal }));
    await until(() => w.ran.length === 1);
    controller.abort();
    opened.settle('open');
    expect(endOf(await turn).reason).toBe('cancelled');
    expect(started(w)).toEqual([['unlock_door', {}]]);
    expect((await records(w)).map(({ status }) => status)).toEqual(['done', 'void']);
    await w.turn();
    assertOnlyApproved(w);
  });

  it('by a consumer that leaves the resume', async () => {
    const w = await world([[unlock()], DONE], [PARK]);
    const [id] = await park(w);
    await decide(w, id, 'approved');
    for await (const event of w.tau.resume()) if (event.type === 'tool_start') break;
    await rest();
    expect([w.ran, readCheckpoint(w.agent).pending]).toEqual([[], undefined]);
    await w.turn();
    assertOnlyApproved(w);
  });
});
