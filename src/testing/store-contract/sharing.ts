import type { ApprovalStore } from '../../core/approval-store.ts';
import { consumeAtOnce, decideAtOnce } from './races.ts';
import { decision, NOW, position, question } from './sample.ts';
import { eventually, type StoreTest, same, taken } from './suite.ts';

/** Tests of two handles on the same data, as two processes have them. */
export function sharingTests<S extends ApprovalStore>(
  add: (title: string, test: StoreTest<S>) => void,
  another: (store: S) => Promise<S> | S,
  close: ((store: S) => Promise<void> | void) | undefined,
): void {
  const addTwo = (title: string, test: (store: S, second: S) => Promise<void>): void =>
    add(title, async (store) => {
      const second = await another(store);
      try {
        await test(store, second);
      } finally {
        await close?.(second);
      }
    });

  addTwo('a second handle sees what the first one wrote, parked turns too', async (store, second) => {
    await store.create(question('one', { position: position('a', 'm') }));
    taken(await store.decide('one', decision('approved')), 'approve');
    const turn = { conversation: 'a', run: 'run-1', at: NOW, state: [1] };
    await store.park(turn);
    same(await second.get('one'), await store.get('one'), 'the record');
    same(await second.list({ conversation: 'a' }), await store.list({ conversation: 'a' }), 'the list');
    same(await second.parked('a'), turn, 'the parked turn');
  });

  addTwo('of 100 decisions at once through two handles one wins', async (store, second) => {
    await decideAtOnce(store, [store, second]);
  });

  addTwo('of 100 that consume at once through two handles one does', async (store, second) => {
    await consumeAtOnce(store, [store, second]);
  });

  addTwo('a watcher hears what another handle changed', async (store, second) => {
    const heard: string[] = [];
    second.watch((id) => heard.push(id));
    await store.create(question('one'));
    await eventually(() => heard.includes('one'), 'the news of a record made elsewhere');
    heard.length = 0;
    taken(await store.decide('one', decision('rejected')), 'reject');
    await eventually(() => heard.includes('one'), 'the news of a decision made elsewhere');
  });
}
