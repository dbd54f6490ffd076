/**
 * Decides every question that appears, and says which and how, once it is decided.
 *
 * node decider.ts FOLDER FAULT
 */
import { join } from 'node:path';
import { TierGate, ToolCatalog } from '../../src/index.ts';
import { decideAndSay, openStore } from './fault.ts';
import { ANN, STORE, say } from './house.ts';

const [folder = '', fault = ''] = process.argv.slice(2);
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const store = openStore(join(folder, STORE), fault);
const gate = new TierGate({ catalog: new ToolCatalog(), store, logger: quiet });
const started = new Set<string>();

async function decideOpenOnes(): Promise<void> {
  const { records } = await store.list({ status: 'pending', limit: 1000 });
  for (const { id, request } of records) {
    if (started.has(id)) continue;
    started.add(id);
    // A person looks at each question and says no to some.
    const decision = Math.random() < 0.8 ? 'approved' : 'rejected';
    const decide = () => gate.decide(id, { decision, by: ANN, channel: 'decider', digest: request.digest });
    setTimeout(() => void decideAndSay(decide, () => say('decided', id, decision), fault), Math.random() * 40);
  }
}

store.watch(() => void decideOpenOnes());
setInterval(() => undefined, 60_000);
say('up');
await decideOpenOnes();
