import { Agent, MessageAddedEvent } from '@strands-agents/sdk';
import type { JSONValue } from 'strands-tau';
import { guardTool, type TurnEvent } from 'strands-tau/strands';
import { ScriptedModel, type ScriptedTurn, type TurnFunction } from 'strands-tau/testing';
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
import { assertOnlyApproved, resultTexts } from '../../test/support/strands-checks.ts';

const ANN = { id: 'ann', kind: 'person' } as const;
const BOB = { id: 'bob', kind: 'person' } as const;
const PARK = { parked: true } as const;

type Turns = readonly (ScriptedTurn | TurnFunction)[];

function helper(turns: Turns, tools: Agent['tools'] = [], name: string = 'helper') {
  const model = new ScriptedModel(turns);
  const agent = new Agent({ name, model, tools, printer: false, retryStrategy: null, appState: { from: 'start' } });
  return { agent, model, words: (index: number) => JSON.stringify(model.calls[index]?.messages) };
}

type Helper = ReturnType<typeof helper>;

function asTool({ agent }: Pick<Helper, 'agent'>, options: Parameters<Agent['asTool']>[0] = {}) {
  return guardTool(agent.asTool(options), { tier: 1, effect: `Lets ${agent.name} work` });
}

function ask(input: string, name: string = 'helper') {
  return call(name, { input });
}

/** The agents of two conversations that were given the same helper, under one gate. */
async function two(tool: ReturnType<typeof asTool>, turns: { ann: Turns; bob: Turns }, h = house()) {
  const ann = await world(turns.ann, [PARK, PARK], { tools: [tool], house: h, conversation: 'ann' });
  const bob = await world(turns.bob, [], { tools: [tool], house: h, gate: ann.tau.gate, conversation: 'bob' });
  return { ann, bob, h };
}

async function approve({ tau }: World, events: readonly TurnEvent[]): Promise<void> {
  for (const id of endOf(events).approvalIds ?? []) {
    await tau.gate.decide(id, { decision: 'approved', by: ANN, channel: 'test' });
  }
}

function assertLeftNothing({ agent }: Pick<Helper, 'agent'>): void {
  expect([agent.messages, agent.appState.getAll(), agent.isInvoking]).toEqual([[], { from: 'start' }, false]);
}

/** A turn of a model that waits until it is let go. */
function heldTurn(turn: ScriptedTurn) {
  const { promise, settle } = held<ScriptedTurn>();
  return { turn: (() => promise) as TurnFunction, letGo: () => settle(turn) };
}

describe('[S20] an agent used as a tool by two conversations', () => {
  it.each(['model', 'hook'] as const)(
    'who goes on after a yes waits for who is using it, at its %s: neither meets the words or calls of the other',
    async (where) => {
      const h = house();
      const hold = heldTurn([call('read_lock', { door: 'front' })]);
      const bobs = where === 'model' ? hold.turn : [call('read_lock', { door: 'front' })];
      const inner = helper([[unlock('back')], bobs, [{ text: 'front is shut' }], [{ text: 'back is open' }]], h.tools);
      let inHook = false;
      inner.agent.addHook(MessageAddedEvent, async ({ message }) => {
        if (where !== 'hook' || !JSON.stringify(message).includes('BOB')) return;
        inHook = true;
        await hold.turn([], undefined as never);
      });
      const turns = { ann: [[ask('ANN: my code is 1234')], DONE], bob: [[ask('BOB: look')], DONE] };
      const { ann, bob } = await two(asTool(inner), turns, h);
      const parked = await ann.turn('go', { principal: ANN });
      expect(endOf(parked).reason).toBe('parked');
      assertLeftNothing(inner);
      await approve(ann, parked);
      const bobsTurn = bob.turn('go', { principal: BOB });
      await until(() => inHook || inner.model.calls.length === 2);
      const annsTurn = collect(ann.tau.resume());
      await rest();
      hold.letGo();
      expect([endOf(await bobsTurn).reason, endOf(await annsTurn).reason]).toEqual(['endTurn', 'endTurn']);
      expect([resultTexts(bob.agent), resultTexts(ann.agent)]).toEqual([['front is shut'], ['back is open']]);
      expect([inner.words(1), inner.words(2)].join()).not.toMatch(/ANN|1234|back/);
      expect(inner.words(3)).not.toContain('BOB');
      const { records } = await ann.tau.gate.store.list();
      expect(records.map(({ status, request }) => [status, request.origin.principal])).toEqual([['done', ANN]]);
      expect(h.ran.map(({ tool }) => tool)).toEqual(['read_lock', 'unlock_door']);
      assertLeftNothing(inner);
      assertOnlyApproved({ ...ann, events: ann.events });
    },
  );

  it('serves those who wait in the order they came; one that is cancelled leaves the line', async () => {
    const hold = heldTurn([{ text: 'one' }]);
    const inner = helper([hold.turn, [{ text: 'three' }], [{ text: 'four' }]]);
    const tool = asTool(inner);
    const { ann, bob } = await two(tool, { ann: [[ask('1')], DONE], bob: [[ask('2')], DONE] });
    const third = await world([[ask('3')], DONE], [], { tools: [tool], gate: ann.tau.gate });
    const fourth = await world([[ask('4')], DONE], [], { tools: [tool], gate: ann.tau.gate });
    const stop = new AbortController();
    const first = ann.turn();
    await until(() => inner.model.calls.length === 1);
    const second = bob.turn('go', { signal: stop.signal });
    await rest();
    const thirds = third.turn();
    await rest();
    const fourths = fourth.turn();
    await rest();
    stop.abort();
    expect(endOf(await second).reason).toBe('cancelled');
    hold.letGo();
    await Promise.all([first, thirds, fourths]);
    expect(inner.model.calls.map(({ messages }) => messages[0]?.content[0])).toEqual(
      ['1', '3', '4'].map((text) => ({ text })),
    );
    expect([third, fourth].map(({ agent }) => resultTexts(agent)[0])).toEqual(['three', 'four']);
  });

  it('works one at a time also for two calls of one message', async () => {
    const inner = helper([[{ text: 'one' }], [{ text: 'two' }]]);
    const w = await world([[ask('a'), ask('b')], DONE], [], { tools: [asTool(inner)] });
    await w.turn();
    expect(resultTexts(w.agent).toSorted()).toEqual(['one', 'two']);
  });

  it('warns of a call that has waited long', async () => {
    const hold = heldTurn(DONE);
    const inner = helper([hold.turn, DONE]);
    const { ann, bob } = await two(asTool(inner), { ann: [[ask('1')], DONE], bob: [[ask('2')], DONE] });
    const first = ann.turn();
    await until(() => inner.model.calls.length === 1);
    const second = bob.turn();
    await rest();
    await ann.clock.advance(30_000);
    expect(ann.log.filter((line) => line.includes('waited 30 seconds'))).toHaveLength(1);
    hold.letGo();
    await Promise.all([first, second]);
    expect(ann.clock.timers).toBe(0);
  });
});

describe('[S20] nothing of a call stays in an agent used as a tool', () => {
  it('when it failed', async () => {
    const inner = helper([
      () => {
        throw new Error('no model');
      },
      [{ text: 'fine' }],
    ]);
    const w = await world([[ask('secret')], [ask('again')], DONE], [], { tools: [asTool(inner)] });
    await w.turn();
    expect(resultTexts(w.agent)).toEqual(['Error: no model', 'fine']);
    expect(inner.words(1)).not.toContain('secret');
    assertLeftNothing(inner);
  });

  it('when its turn was left: the next one finds it free', async () => {
    const h = house();
    const hold = held<void>();
    const slow = h.tool('slow', 0, undefined, async function* () {
      yield 'begun';
      await hold.promise;
      yield 'half way';
      return 'whole';
    });
    const inner = helper([[call('slow', {})], [{ text: 'later' }]], [slow]);
    const { ann, bob } = await two(asTool(inner), { ann: [[ask('secret')], DONE], bob: [[ask('2')], DONE] }, h);
    const stream = ann.tau.stream('go');
    const reading = collect(stream);
    await until(() => h.ran.length === 1);
    const leaving = stream.return(undefined);
    hold.settle();
    await Promise.all([leaving, reading]);
    await bob.turn();
    expect([resultTexts(bob.agent), inner.words(1)]).toEqual([['later'], expect.not.stringContaining('secret')]);
    assertLeftNothing(inner);
  });
});

describe('[S20] an agent used as a tool that could only wait for itself', () => {
  it('through its own tools is refused, and everything ends', async () => {
    const low = helper([[ask('up', 'high')], [{ text: 'low' }]], [], 'low');
    const high = helper([[ask('down', 'low')], [{ text: 'high' }]], [asTool(low)], 'high');
    low.agent.toolRegistry.add(asTool(high));
    const w = await world([[ask('go', 'high')], DONE], [], { tools: [asTool(high)] });
    await w.turn();
    expect(low.words(1)).toContain("Agent 'high' is at work on this very call");
    expect(resultTexts(w.agent)).toEqual(['high']);
  });

  it('because two agents want each other, in two conversations, is refused for one of them', async () => {
    const hold = heldTurn([ask('b', 'right')]);
    const left = helper([hold.turn, DONE, DONE], [], 'left');
    const right = helper([[ask('a', 'left')], DONE, DONE], [asTool(left)], 'right');
    left.agent.toolRegistry.add(asTool(right));
    const tools = [asTool(left), asTool(right)];
    const ann = await world([[ask('x', 'left')], DONE], [], { tools });
    const bob = await world([[ask('y', 'right')], DONE], [], { tools, gate: ann.tau.gate });
    const annsTurn = ann.turn();
    await until(() => left.model.calls.length === 1);
    const bobsTurn = bob.turn();
    await until(() => right.model.calls.length === 1);
    await rest();
    hold.letGo();
    expect([endOf(await annsTurn).reason, endOf(await bobsTurn).reason]).toEqual(['endTurn', 'endTurn']);
    expect(left.words(1)).toContain("Agent 'right' is at work on this very call");
    expect(resultTexts(bob.agent)).toEqual(['Done.']);
  });
});

describe('[S20] an agent that is in use', () => {
  it('refuses a direct call at once, and one that comes while somebody invokes it without the gate', async () => {
    const hold = heldTurn(DONE);
    const inner = helper([hold.turn, hold.turn]);
    const w = await world([[ask('1')], DONE, [ask('2')], DONE], [], { tools: [asTool(inner)] });
    const turn = w.turn();
    await until(() => inner.model.calls.length === 1);
    const direct = await w.agent.toolRegistry
      .get('helper')
      ?.stream(contextOf(w, { input: 'direct' }))
      .next();
    expect(JSON.stringify(direct?.value)).toContain("Agent 'helper' is already processing a request");
    hold.letGo();
    await turn;
    const own = heldTurn(DONE);
    const other = helper([own.turn]);
    const guarded = await world([[ask('2')], DONE], [], { tools: [asTool(other)] });
    const invoked = other.agent.invoke('mine');
    await until(() => other.model.calls.length === 1);
    await guarded.turn();
    expect(resultTexts(guarded.agent)[0]).toContain("Agent 'helper' is in use outside of its tool");
    own.letGo();
    await invoked;
    expect(JSON.stringify(other.agent.messages)).toMatch(/mine.*Done/);
  });
});

function contextOf({ agent }: World, input: JSONValue) {
  const toolUse = { name: 'helper', toolUseId: 'direct', input };
  const { signal } = new AbortController();
  return { toolUse, agent, invocationState: {}, cancelSignal: signal, interrupt: () => undefined } as never;
}

describe('[S20] an agent that keeps its context', () => {
  it('keeps it for one conversation', async () => {
    const inner = helper([[{ text: 'one' }], [{ text: 'two' }]]);
    const tool = asTool(inner, { preserveContext: true });
    const w = await world([[ask('first')], [ask('second')], DONE], [], { tools: [tool] });
    await w.turn();
    expect(inner.words(1)).toMatch(/first.*one.*second/);
  });

  it('is refused to every other one, whatever it holds, also at second hand', async () => {
    for (const deep of [false, true]) {
      const bottom = helper([[{ text: 'kept' }]], [], deep ? 'bottom' : 'helper');
      const kept = asTool(bottom, { preserveContext: true });
      const middle = helper([[ask('ANN: 1234', 'bottom')], DONE, [ask('BOB', 'bottom')], DONE], [kept]);
      const turns = { ann: [[ask('ANN: 1234')], DONE], bob: [[ask('BOB')], DONE] };
      const { ann, bob } = await two(deep ? asTool(middle) : kept, turns);
      await ann.turn();
      await bob.turn();
      expect(deep ? middle.words(3) : resultTexts(bob.agent)[0]).toContain('keeps its context');
      expect(bottom.model.calls).toHaveLength(1);
    }
  });
});
