import type { ScriptedTurn } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { call, DONE, endOf, held, rest, unlock, until, world } from '../../test/support/strands.ts';
import { assertOnlyApproved, refusal, resultTexts } from '../../test/support/strands-checks.ts';
import { decide, resume, Town } from '../../test/support/strands-town.ts';

const PARK = { parked: true } as const;

describe('[S17] at most once', () => {
  it('a process that died while the body ran: unknown, told to model and human, not run again', async () => {
    const town = new Town();
    const { w: old, ids } = await town.park([unlock('front')], [PARK], {});
    await decide(old, ids[0], 'approved');
    await town.store.consume(ids[0] ?? '', 'a process that died', town.clock.now());
    const w = await town.process([DONE, DONE], ['approved']);
    const events = await resume(w);
    expect(events).toContainEqual({
      type: 'notice',
      key: 'notice.unknown_outcome',
      text: 'It is unknown whether unlock_door took effect; it was not run again.',
    });
    expect(resultTexts(w.agent)[0]).toMatch(/^The outcome of unlock_door is unknown: .* It was not run again/);
    expect(w.of('tool_call')).toMatchObject([{ reason: 'unknown_outcome', approval: 'refused' }]);
    expect([w.ran, w.approver.requests, await town.statuses()]).toEqual([[], [], ['unknown']]);
    await w.turn();
    expect(w.ran).toEqual([]);
    assertOnlyApproved(w);
  });

  it('two processes that resume at the same time run one body, whoever comes first', async () => {
    const town = new Town();
    const opened = held<string>();
    const tools = [town.house.tool('unlock_door', 2, undefined, () => opened.promise)];
    const { w: old, ids } = await town.park([call('unlock_door', {})], [PARK], { tools });
    await decide(old, ids[0], 'approved');
    const one = await town.process([DONE], [], { tools });
    const two = await town.process([DONE], [], { tools });
    const turns = [resume(one), resume(two)];
    await until(() => town.house.ran.length > 0);
    await rest();
    opened.settle('open');
    await Promise.all(turns);
    expect(town.house.ran).toHaveLength(1);
  });

  it('the record is consumed before the body starts, and a store that fails there stops it', async () => {
    const town = new Town();
    const seen: string[][] = [];
    const tools = [
      town.house.tool('unlock_door', 2, undefined, async () => void seen.push([...(await town.statuses())])),
    ];
    const { w: old, ids } = await town.park([call('unlock_door', {})], [PARK], { tools });
    await decide(old, ids[0], 'approved');
    const w = await town.process([DONE], [], { tools });
    await resume(w);
    expect([seen, await town.statuses()]).toEqual([[['consumed']], ['done']]);

    const broken = new Town();
    const parked = await broken.park([unlock('front')], [PARK]);
    await decide(parked.w, parked.ids[0], 'approved');
    const next = await broken.process([DONE]);
    broken.store.consume = () => Promise.reject(new Error('disk full'));
    await resume(next);
    expect([next.ran, resultTexts(next.agent)]).toEqual([[], [refusal('unlock_door')]]);
    expect(next.of('tool_call')).toMatchObject([{ reason: 'gate_failed' }]);
  });
});

describe('[S17] the journal of a durable conversation', () => {
  it('records tier-1 calls without a question, and not tier-0 calls', async () => {
    const town = new Town();
    const w = await town.process([[call('add_note', { text: 'x' }), call('read_lock', { door: 'front' })], DONE]);
    await w.turn();
    const { records } = await town.store.list();
    expect(records).toMatchObject([
      { kind: 'journal', status: 'done', request: { tool: 'add_note', tier: 1, arguments: { text: 'x' } } },
    ]);
    expect([w.approver.requests, w.of('approval')]).toEqual([[], []]);
    const fleeting = await world([[call('add_note', { text: 'x' })], DONE]);
    await fleeting.turn();
    expect((await fleeting.tau.gate.store.list()).records).toEqual([]);
  });

  it('the session is saved before each model call, so a crash in one does not lose what ran', async () => {
    const town = new Town();
    const saved: string[] = [];
    const second = (): ScriptedTurn => {
      saved.push(...town.disk.files.values());
      return DONE as ScriptedTurn;
    };
    const w = await town.process([[call('add_note', { text: 'x' })], second]);
    await w.turn();
    expect(saved).toHaveLength(1);
    expect(saved[0]).toContain('add_note done');
  });

  it('a crash after a resumed batch ran writes nothing twice: results are told again from the store', async () => {
    const town = new Town();
    const { w: old, ids } = await town.park([unlock('front'), call('add_note', { text: 'x' })], [PARK]);
    await decide(old, ids[0], 'approved');
    const disk = new Map(town.disk.files);
    const dying = await town.process([]);
    // The process dies in the middle of its model call: its stream is never read on, nothing is closed.
    const stream = dying.tau.resume();
    for (let seen = 0; seen < 2; ) {
      const { value } = await stream.next();
      if (value !== undefined && value.type === 'tool_call') seen++;
    }
    expect(town.house.ran.map(({ tool }) => tool)).toEqual(['unlock_door', 'add_note']);
    for (const [name, text] of disk) town.disk.files.set(name, text);
    const w = await town.process([DONE], ['approved', 'approved']);
    expect(endOf(await resume(w)).reason).toBe('endTurn');
    expect(town.house.ran).toHaveLength(2);
    expect(resultTexts(w.agent)).toEqual(['unlock_door done', 'add_note done']);
    expect(w.approver.requests).toEqual([]);
    assertOnlyApproved({ ...w, events: [...old.events, ...dying.events, ...w.events] });
  });

  it('a crash in a tier-1 body of a resumed batch is unknown, and not run again', async () => {
    const town = new Town();
    const stuck = held<string>();
    const tools = [town.house.tool('unlock_door', 2), town.house.tool('add_note', 1, undefined, () => stuck.promise)];
    const { w: old, ids } = await town.park([call('unlock_door', {}), call('add_note', {})], [PARK], { tools });
    await decide(old, ids[0], 'approved');
    const dying = await town.process([], [], { tools });
    const lost = resume(dying);
    await until(() => town.house.ran.length === 2);
    const w = await town.process([DONE], [], { tools });
    const events = await resume(w);
    expect(town.house.ran).toHaveLength(2);
    expect(events.filter((event) => event.type === 'notice').map(({ key }) => key)).toEqual(['notice.unknown_outcome']);
    stuck.settle('late');
    await lost;
    expect(town.house.ran).toHaveLength(2);
  });
});
