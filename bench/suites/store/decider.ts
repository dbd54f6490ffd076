/**
 * Decides what its parent names, and says when it was decided, in milliseconds since the epoch.
 *
 * node decider.ts FILE
 */
import { SqliteStore } from '../../../src/stores/sqlite/index.ts';
import { yes } from './disk.ts';

const store = SqliteStore.open(process.argv[2] ?? '', { lockTimeoutMs: 60_000 });
process.on('message', async (id: string) => {
  await store.decide(id, yes());
  process.send?.({ id, at: performance.timeOrigin + performance.now() });
});
process.on('disconnect', () => void store.end());
process.send?.('up');
