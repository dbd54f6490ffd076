import { Inbox } from 'strands-tau';
import { ScriptedChannel, type ScriptedDelivery } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { call, collect, DONE, endOf, unlock, until, type World, worldOf } from '../../test/support/strands.ts';
import { assertOnlyApproved, refusal, resultTexts, started } from '../../test/support/strands-checks.ts';
import { Town } from '../../test/support/strands-town.ts';

const ann = { id: 'ann', kind: 'person' } as const;
const bob = { id: 'bob', kind: 'person' } as const;

function channel(
  name: string,
  script: readonly ScriptedDelivery[] = [],
  person: typeof ann | typeof bob = ann,
): ScriptedChannel {
  return new ScriptedChannel({ name, person, script });
}

function three(): readonly [ScriptedChannel, ScriptedChannel, ScriptedChannel] {
  return [channel('a'), channel('b'), channel('c')];
}

const asAnn = { principal: ann };

describe('[P6] an inbox on the real loop', () => {
  it('[P2] 100 answers at once to one question over three channels: one decides, the body runs once', async () => {
    const channels = three();
    const w = await worldOf([[unlock('front')], DONE], new Inbox({ channels }));
    const turn = w.turn('go', asAnn);
    await until(() => channels.every(({ open }) => open.length === 1));
    const [id = ''] = channels[0].open;
    const answers = Array.from({ length: 100 }, (_, i) => channels[i % 3]?.answer(id, { decision: 'approved' }));
    const results = await Promise.all(answers);
    expect(endOf(await turn).reason).toBe('endTurn');
    const winner = results.find((result) => result?.status === 'decided');
    const decision = winner?.status === 'decided' ? winner.record.decision : expect.fail('nobody won');
    const losers = results.filter((result) => result?.status === 'already_decided');
    expect(losers).toHaveLength(99);
    for (const loser of losers) expect(loser).toMatchObject({ record: { decision } });
    expect(started(w)).toEqual([['unlock_door', { door: 'front' }]]);
    for (const each of channels) expect(each.closed).toHaveLength(1);
    assertOnlyApproved(w);
  });

  it('a channel that fails stops nobody; nobody reachable refuses at once, and the model is told', async () => {
    const failing = channel('failing', [new Error('down'), new Error('down')]);
    const inbox = new Inbox({ channels: [failing, channel('b', [{ decision: 'approved' }, new Error('down')])] });
    const w = await worldOf([[unlock('front')], [unlock('back')], DONE], inbox);
    await w.turn('go', asAnn);
    expect(started(w)).toEqual([['unlock_door', { door: 'front' }]]);
    expect(resultTexts(w.agent)).toEqual([
      'unlock_door done',
      `${refusal('unlock_door')}\nReason: nobody who may decide could be reached`,
    ]);
    expect(w.of('tool_call').map(({ reason }) => reason)).toEqual([undefined, 'no_approver']);
    const alone = await worldOf([[unlock('front')], DONE], new Inbox({ channels: [channel('b', [], bob)] }));
    await alone.turn('go', asAnn);
    expect(alone.of('tool_call')).toMatchObject([{ reason: 'no_approver' }]);
    assertOnlyApproved(w);
  });

  it('[P10] a reason for a no reaches the model', async () => {
    const inbox = new Inbox({ channels: [channel('a', [{ decision: 'rejected', reason: 'the cat is out' }])] });
    const w = await worldOf([[unlock('front')], DONE], inbox);
    await w.turn('go', asAnn);
    expect(resultTexts(w.agent)).toEqual([`${refusal('unlock_door')}\nReason: the cat is out`]);
    expect(w.ran).toEqual([]);
  });

  it('[P10] an edit runs, and the model is told what ran', async () => {
    const edit = { decision: 'approved', editedArguments: { door: 'back' } } as const;
    const w = await worldOf([[unlock('front')], DONE], new Inbox({ channels: [channel('a', [edit])] }));
    await w.turn('go', asAnn);
    expect(started(w)).toEqual([['unlock_door', { door: 'back' }]]);
    expect(resultTexts(w.agent)).toEqual([
      'unlock_door doneNote: a person changed the arguments; the call ran with {"door":"back"}',
    ]);
    assertOnlyApproved(w);
  });

  it('[P10] an edit that parsing completes is shown again, and runs as it was shown', async () => {
    const a = channel('a', [{ decision: 'approved', editedArguments: { command: 'ls' } }, { decision: 'approved' }]);
    const w = await worldOf([[call('run_shell', { command: 'rm' })], DONE], new Inbox({ channels: [a] }));
    await w.turn('go', asAnn);
    expect(a.requests.map((request) => request.arguments)).toEqual([
      { command: 'rm', sudo: false },
      { command: 'ls', sudo: false },
    ]);
    expect(started(w)).toEqual([['run_shell', { command: 'ls', sudo: false }]]);
    assertOnlyApproved(w);
  });
});

describe('[P6, S16] an inbox that parks', () => {
  /** A new process of a town with an inbox that parks. */
  function process(
    town: Town,
    channels: readonly ScriptedChannel[],
    turns: Parameters<typeof worldOf>[0],
  ): Promise<World<Inbox>> {
    const { store, clock, disk } = town;
    const options = { house: town.house, tools: town.house.tools, store, clock, sessionManager: disk.session() };
    return worldOf(turns, new Inbox({ channels, waits: false }), options);
  }

  it('after a restart the open questions are delivered again, answered there, and run once', async () => {
    const town = new Town();
    const before = channel('a');
    const old = await process(town, [before], [[unlock('front'), unlock('back')]]);
    expect(endOf(await old.turn('go', asAnn)).reason).toBe('parked');
    expect(before.open).toHaveLength(2);
    const [a, b] = [channel('a'), channel('b')];
    const w = await process(town, [a, b], [DONE]);
    expect(await w.approver.redeliver()).toEqual(before.open);
    await until(() => a.open.length === 2 && b.open.length === 2);
    const [front = '', back = ''] = before.open;
    await a.answer(front, { decision: 'approved' });
    await b.answer(back, { decision: 'rejected', reason: 'only one' });
    expect(await b.answer(front, { decision: 'rejected' })).toMatchObject({ status: 'already_decided' });
    expect(endOf(await collect(w.tau.resume())).reason).toBe('endTurn');
    expect(started(w)).toEqual([['unlock_door', { door: 'front' }]]);
    expect(resultTexts(w.agent)).toEqual(['unlock_door done', `${refusal('unlock_door')}\nReason: only one`]);
    expect([a.closed.length, b.closed.length, w.approver.open]).toEqual([2, 2, []]);
    // The process that died would have seen the same.
    expect(before.closed).toHaveLength(2);
  });

  it('nobody reachable does not park: the call is refused in the same turn', async () => {
    const town = new Town();
    const w = await process(town, [channel('b', [], bob)], [[unlock('front')], DONE]);
    expect(endOf(await w.turn('go', asAnn)).reason).toBe('endTurn');
    expect(w.of('tool_call')).toMatchObject([{ reason: 'no_approver' }]);
    expect(w.ran).toEqual([]);
  });
});
