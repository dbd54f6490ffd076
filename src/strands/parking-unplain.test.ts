import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, collect, DONE, endOf, house, unlock, type World, world } from '../../test/support/strands.ts';
import { assertOnlyApproved, assertValidHistory, started } from '../../test/support/strands-checks.ts';
import { UNCOPYABLE } from '../../test/support/strands-parts.ts';
import { decide, resume, Town } from '../../test/support/strands-town.ts';
import type { JSONValue } from '../core/json.ts';
import { isWaiting } from './checkpoint.ts';

const PARK = { parked: true } as const;
const HALF = 'Party tonight \ud83c';
const polluted = (): JSONValue => JSON.parse('{"__proto__":{"admin":true},"text":"x"}') as JSONValue;

function nested(levels: number): JSONValue {
  let value: JSONValue = 1;
  for (let i = 0; i < levels; i++) value = { a: value };
  return value;
}

/** A town whose house can read the web, and takes anything. */
function webTown(page: unknown = HALF) {
  const town = new Town();
  const read = town.house.tool('read_web', 0, z.object({}), () => page);
  const send = town.house.tool('send_data', 2, z.looseObject({}));
  return { town, tools: [...town.house.tools, read, send] };
}

async function statuses(w: World): Promise<readonly string[]> {
  return (await w.tau.gate.store.list()).records.map(({ status }) => status);
}

describe('[S16] a call waits beside what nobody could approve or run, and goes on after a restart', () => {
  it.each([
    ['a result that was cut through a character', HALF, [call('read_web', {}), unlock('front')]],
    ['a result with a key named __proto__', polluted(), [call('read_web', {}), unlock('front')]],
    ['text that ends in half a character', HALF, [{ text: HALF }, unlock('front')]],
    ['arguments with a key named __proto__', polluted(), [unlock('front'), call('add_note', polluted())]],
    ['arguments with half a character', HALF, [unlock('front'), call('add_note', { text: HALF })]],
  ] as const)('%s', async (_what, kept, turn) => {
    const { town, tools } = webTown(kept);
    const { w: old, ids } = await town.park([...turn], [PARK], { tools });
    await decide(old, ids[0], 'approved');
    const w = await town.process([DONE, DONE], [], { tools });
    expect(endOf(await resume(w)).reason).toBe('endTurn');
    expect(started(w).filter(([tool]) => tool === 'unlock_door')).toEqual([['unlock_door', { door: 'front' }]]);
    expect(JSON.stringify(w.agent.messages)).toContain(JSON.stringify(kept).slice(1, -1));
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertOnlyApproved({ ...w, events: [...old.events, ...w.events] });
  });

  it('arguments that are asked about and nested as deep as any may be', async () => {
    const { town, tools } = webTown();
    const args = nested(98);
    const { w: old, ids } = await town.park([call('send_data', args)], [PARK], { tools });
    await decide(old, ids[0], 'approved');
    const w = await town.process([DONE], [], { tools });
    await resume(w);
    expect(started(w)).toEqual([['send_data', args]]);
    assertOnlyApproved({ ...w, events: [...old.events, ...w.events] });
  });
});

describe('[S13, S16] what waits and cannot be kept does not keep the conversation from going on', () => {
  it('a stop that no copy can be made of ends the turn, says why, and its question is void', async () => {
    const w = await world([[call('read_lock', { door: 'front' }), unlock('front')], DONE], [PARK], {
      hooks: [UNCOPYABLE],
    });
    await expect(w.turn()).rejects.toMatchObject({ code: 'parking', message: /cannot be kept.*BigInt/ });
    expect([await statuses(w), isWaiting(w.agent)]).toEqual([['void'], false]);
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    expect(started(w)).toEqual([['read_lock', { door: 'front' }]]);
    assertValidHistory(w);
  });

  it.each(['stream', 'resume'] as const)(
    'a parked turn in the store that was changed is ended by the next %s, and its unused yes with it',
    async (how) => {
      const w = await world([[unlock('front'), unlock('back')], DONE], [PARK, PARK]);
      const { approvalIds } = endOf(await w.turn('go', { principal: { id: 'ann', kind: 'person' } }));
      await decide(w, approvalIds?.[0], 'approved');
      const { store } = w.tau.gate;
      const turn = await store.parked(w.agent.sessionId);
      const asked = await store.get(approvalIds?.[0] ?? '');
      if (turn === undefined || asked === undefined) throw new Error('nothing parked');
      // An ordered attempt belongs to no turn.
      const { position: _, ...attempt } = asked;
      await store.create({ ...attempt, id: 'again', status: 'approved', retryOf: 'earlier' });
      await store.park({ ...turn, state: JSON.parse(JSON.stringify(turn.state).replaceAll('front', 'back')) });
      if (how === 'resume') await expect(resume(w)).rejects.toMatchObject({ code: 'store', message: /damaged/ });
      expect(endOf(await w.turn()).reason).toBe('endTurn');
      expect([await statuses(w), w.ran, await store.parked(w.agent.sessionId)]).toEqual([
        ['void', 'void', 'approved'],
        [],
        undefined,
      ]);
      expect(w.of('error').filter(({ where }) => where === 'store')).toMatchObject([{ message: /damaged/ }]);
      await expect(collect(w.tau.resume())).rejects.toMatchObject({ code: 'not_parked' });
    },
  );

  it('a question of calls that never got to be parked is void once the next turn begins', async () => {
    const h = house();
    const w = await world([[unlock('front')], DONE], [PARK], { house: h });
    const { approvalIds } = endOf(await w.turn());
    // As if the process had died between the question and the park.
    await w.tau.gate.store.unpark(w.agent.sessionId);
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    expect([approvalIds?.length, await statuses(w), h.ran]).toEqual([1, ['void'], []]);
  });
});
