// A whole AG-UI server on one file: what it does at its start, beside its requests, and at its end.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { SessionManager } from '@strands-agents/sdk';
import { auditRows, auditSink, errorText, ParkingApprover, type Principal, verifyLog } from 'strands-tau';
import { StrandsAgent, sessionIdOf, threadOf } from 'strands-tau/ag-ui';
import { createStrandsApp } from 'strands-tau/ag-ui/server';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { z } from 'zod';

const ada: Principal = { id: 'ada', kind: 'person' };
const folder = mkdtempSync(join(tmpdir(), 'tau-whole-server-'));
const file = join(folder, 'bridge.db');

const unlocked: string[] = [];
const unlockDoor = tauTool({
  name: 'unlock_door',
  description: 'Unlocks a door.',
  inputSchema: z.object({ door: z.enum(['front', 'back']) }),
  tier: 2,
  effect: 'Unlocks a door of the house. Anybody can come in.',
  callback: ({ door }) => {
    unlocked.push(door);
    return 'unlocked';
  },
});

// In the place of a real model.
const model = new ScriptedModel([
  [{ toolUse: { name: 'unlock_door', input: { door: 'front' } } }],
  [{ text: 'Nobody answered.' }],
]);

// --- The start -------------------------------------------------------------------------------------------------------

const store = SqliteStore.open(file);
const agent = await buildAgent({
  model,
  tools: [unlockDoor],
  approver: new ParkingApprover({ timeoutSeconds: 1 }),
  store,
  // The store chains the steps of approvals itself; without the sink the audit has nothing else, no call and no error.
  sinks: [auditSink(store.audit)],
});
const { gate } = agent;
const bridge = new StrandsAgent({
  agent,
  name: 'house',
  config: {
    sessionManagerProvider: ({ threadId }, { principal }) =>
      new SessionManager({ sessionId: sessionIdOf(threadId, principal), storage: { snapshot: store.sessions } }),
  },
});

// Only where no other process works on the file: what another has at work would be taken for lost.
const { lost } = await gate.recover();
for (const id of lost) console.error(`approval ${id} is unknown: look whether it happened, then order it again or not`);

const app = await createStrandsApp(bridge, { authenticate: () => ada });
const server = createServer(app).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

// --- Beside its requests ---------------------------------------------------------------------------------------------

/** Times out what nobody answered, and lets the runs go on that waited for it: the model is told that it was no yes. */
async function expire(): Promise<void> {
  for (const id of await gate.expire()) {
    const record = await store.get(id);
    const thread = record && threadOf(record);
    if (thread === undefined) continue;
    for await (const event of bridge.resumeThread(thread.threadId, thread)) {
      if ('code' in event) console.error('it could not go on:', event.code); // its client's next answer lets it go on
    }
  }
}

const report = (error: unknown): void => console.error(errorText(error));
const timer = setInterval(() => void expire().catch(report), 200);

// --- The end ---------------------------------------------------------------------------------------------------------

const atMost = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref());

/** Takes nothing new, lets runs and tools end, then closes the store: what still ran would not be recorded any more. */
async function stop(): Promise<void> {
  clearInterval(timer);
  server.close();
  await Promise.race([bridge.idle(), atMost(5)]);
  server.closeAllConnections(); // aborts what a client still reads; tools that are at work are kept
  await Promise.race([Promise.all([bridge.idle(), gate.idle()]), atMost(5)]);
  await gate.flush();
  await store.end();
}

const stopped = new Promise<void>((resolve, reject) => {
  process.once('SIGTERM', () => void stop().then(resolve, reject));
});

// --- What it does, tried -----------------------------------------------------------------------------------------------

try {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = new HttpAgent({ url: `http://127.0.0.1:${port}/`, threadId: 'hall' });
  client.messages = [{ id: crypto.randomUUID(), role: 'user', content: 'unlock the front door' }];
  await client.runAgent();

  const deadline = Date.now() + 20_000;
  const lastWords = async (): Promise<unknown> => (await bridge.messagesOf('hall', { principal: ada })).at(-1)?.content;
  while ((await lastWords()) !== 'Nobody answered.') {
    assert.ok(Date.now() < deadline, 'the run goes on once the time is up');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(unlocked, [], 'silence runs nothing');

  const told: string[] = [];
  for await (const { event } of auditRows(store.audit)) told.push(`${event.type} ${event.approval ?? ''}`.trim());
  console.log(told.join(', '));
  assert.ok(told.includes('tool_call timeout'), 'the audit tells of the call, not only of the question');
  const verdict = await verifyLog(store.audit);
  assert.ok(verdict.ok, 'the chain is whole');

  process.kill(process.pid, 'SIGTERM');
  await stopped;

  const again = SqliteStore.open(file);
  const later = await verifyLog(again.audit, { head: verdict.head.hash });
  assert.ok(later.ok, 'the head that was kept is in the chain of the next start');
  await again.end();
  console.log('started, timed out, audited and stopped: nothing was lost on the way');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
