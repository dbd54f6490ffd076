/**
 * Holds a store for another process and does what that one asks, until it goes.
 *
 * node store-process.ts FILE
 */
import { SqliteStore } from '../../../src/stores/sqlite/index.ts';
import type { Ask, Say } from './remote-store.ts';

const store = SqliteStore.open(process.argv[2] ?? '');
const say = (said: Say): unknown => process.send?.(said);

store.watch((id) => say({ type: 'heard', id }));
process.on('message', async ({ number, method, args }: Ask) => {
  try {
    const action: unknown = Reflect.get(store, method);
    if (typeof action !== 'function') throw new Error(`a store has no ${method}`);
    say({ type: 'answer', number, value: await action.apply(store, args) });
  } catch (error) {
    say({ type: 'answer', number, error: String(error) });
  }
});
process.on('disconnect', () => void store.end());
say({ type: 'ready' });
