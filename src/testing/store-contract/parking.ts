import { NOW } from './sample.ts';
import { type AddTest, same } from './suite.ts';

/** Tests of `park`, `parked`, `parkedConversations` and `unpark`. */
export function parkingTests(add: AddTest): void {
  add('a parked turn comes back whole; a later one replaces it; forgetting it leaves the others', async (store) => {
    const turn = { conversation: 'a', run: 'run-1', at: NOW, state: { calls: [{ name: 'x', input: { n: 1 } }] } };
    const other = { conversation: '__proto__', run: 'run-2', at: NOW, state: [] };
    same(await store.parked('a'), undefined, 'before');
    await store.park(turn);
    await store.park(other);
    same(await store.parked('a'), turn, 'the turn');
    await store.park({ ...turn, run: 'run-3' });
    same(await store.parked('a'), { ...turn, run: 'run-3' }, 'the later turn');
    await store.unpark('a', turn);
    await store.unpark('a', { run: 'run-3', at: NOW + 1 });
    same((await store.parked('a'))?.run, 'run-3', 'what is not of the turn that is forgotten');
    await store.unpark('a', { run: 'run-3', at: NOW });
    same(await store.parked('a'), undefined, 'after its own');
    await store.unpark('a', turn);
    await store.park(turn);
    await store.unpark('a');
    await store.unpark('a');
    same(await store.parked('a'), undefined, 'after');
    same(await store.parked('__proto__'), other, 'the other conversation');
  });

  add('all conversations that are parked are known, whatever their names hold', async (store) => {
    const names = ['b', 'a', '__proto__', 'a\0', '\ud800', 'json:"a"', ''];
    same(await store.parkedConversations(), [], 'before');
    for (const conversation of names) await store.park({ conversation, run: 'run-1', at: NOW, state: [] });
    const written = (list: readonly string[]) => list.map((name) => JSON.stringify(name)).toSorted();
    same(written(await store.parkedConversations()), written(names), 'the parked ones');
    for (const conversation of names.slice(1)) await store.unpark(conversation);
    same(await store.parkedConversations(), ['b'], 'the one that is left');
  });

  add('a parked turn is a copy of its own', async (store) => {
    const calls = [{ name: 'unlock_door', input: { door: 'front' } }];
    await store.park({ conversation: 'a', run: 'run-1', at: NOW, state: { calls } });
    for (const call of calls) call.input.door = 'back';
    const expected = { calls: [{ name: 'unlock_door', input: { door: 'front' } }] };
    same((await store.parked('a'))?.state, expected, 'the state');
  });
}
