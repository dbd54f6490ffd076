import { setTimeout as sleep } from 'node:timers/promises';
import { type DecideResult, stepApproval } from '../../src/index.ts';
import { SqliteStore } from '../../src/stores/sqlite/index.ts';

/**
 * What can be planted, to see that the checks find it.
 *
 * | fault | what is wrong |
 * |---|---|
 * | `late-consume` | an approval is consumed when its body has ended, not before it starts |
 * | `early-ack` | a decision is told before it is durable |
 */
export const FAULTS = ['late-consume', 'early-ack'] as const;

/** Opens the store of the house, with a fault where one is planted. */
export function openStore(file: string, fault: string): SqliteStore {
  const store = SqliteStore.open(file, { lockTimeoutMs: 20_000 });
  if (fault !== 'late-consume') return store;
  const { consume, finish } = { consume: store.consume.bind(store), finish: store.finish.bind(store) };
  store.consume = async (id, token, at) => {
    const record = await store.get(id);
    return record === undefined
      ? { ok: false, reason: 'unknown_id' }
      : stepApproval(record, { type: 'consume', token, at });
  };
  store.finish = async (id, token, outcome) => {
    await consume(id, token, outcome.at);
    return finish(id, token, outcome);
  };
  return store;
}

/** Decides, and says so once it is decided; with the fault, before. */
export async function decideAndSay(decide: () => Promise<DecideResult>, say: () => void, fault: string): Promise<void> {
  if (fault === 'early-ack') {
    say();
    await sleep(30);
  }
  const { status } = await decide();
  if (status === 'decided' && fault !== 'early-ack') say();
}
