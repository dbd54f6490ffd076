import { setTimeout as sleep } from 'node:timers/promises';
import { type DecideResult, stepApproval } from '../../src/index.ts';
import { SqliteStore } from '../../src/stores/sqlite/index.ts';

/**
 * What can be planted, to see that the checks find it.
 *
 * | fault | what is wrong |
 * |---|---|
 * | `late-consume` | a body starts before its approval is durably consumed |
 * | `early-ack` | a decision is told before it is durable |
 */
export const FAULTS = ['late-consume', 'early-ack'] as const;

/** Opens the store of the house, with a fault where one is planted. */
export function openStore(file: string, fault: string): SqliteStore {
  const store = SqliteStore.open(file, { lockTimeoutMs: 20_000 });
  if (fault !== 'late-consume') return store;
  const consume = store.consume.bind(store);
  store.consume = async (id, token, at) => {
    const record = await store.get(id);
    if (record === undefined) return { ok: false, reason: 'unknown_id' };
    setTimeout(() => void consume(id, token, at).catch(() => undefined), 30);
    return stepApproval(record, { type: 'consume', token, at });
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
