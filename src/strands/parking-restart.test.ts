import type { ApprovalRecord, ApprovalStore, Policy } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { type TurnEvent, tauTool } from 'strands-tau/strands';
import { ManualClock, type ScriptedAnswer, type ScriptedTurn } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  call,
  collect,
  DONE,
  endOf,
  type House,
  held,
  house,
  rest,
  unlock,
  until,
  type World,
  type WorldOptions,
  world,
} from '../../test/support/strands.ts';
import { assertOnlyApproved, refusal, resultTexts, started } from '../../test/support/strands-checks.ts';
import { SessionDisk } from '../../test/support/strands-parts.ts';

const PARK = { parked: true } as const;
const ANN = { id: 'ann', kind: 'person' } as const;

/** A place where processes come and go: one disk, one store, one house, one clock. */
class Town {
  readonly disk: SessionDisk = new SessionDisk();
  readonly store: ApprovalStore = new MemoryApprovalStore();
  readonly clock: ManualClock = new ManualClock();
  readonly house: House = house();

  /** A new process on the same session. */
  process(turns: readonly ScriptedTurn[], answers: readonly ScriptedAnswer[] = [], options: WorldOptions = {}) {
    const { store, clock } = this;
    const { tools = this.house.tools } = options;
    const sessionManager = this.disk.session();
    return world(turns, answers, { house: this.house, ...options, tools, store, clock, sessionManager });
  }

  /** Parks a turn in a process that then is gone; returns the ids of its questions. */
  async park(turn: ScriptedTurn, answers: readonly ScriptedAnswer[] = [PARK, PARK], options: WorldOptions = {}) {
    const w = await this.process([turn], answers, options);
    const end = endOf(await w.turn('go', { principal: ANN }));
    expect(end.reason).toBe('parked');
    return { w, ids: end.approvalIds ?? [] };
  }

  async statuses(): Promise<readonly ApprovalRecord['status'][]> {
    return (await this.store.list({ limit: 1000 })).records.map(({ status }) => status);
  }
}

function decide(w: World, id: string | undefined, decision: 'approved' | 'rejected') {
  return w.tau.gate.decide(id ?? '', { decision, by: ANN, channel: 'test' });
}

function resume(w: World): Promise<TurnEvent[]> {
  return collect(w.tau.resume());
}

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
