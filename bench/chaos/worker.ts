/**
 * Lives through conversations: asks, waits for decisions that others make, runs what was approved, and goes on where an
 * earlier process was killed. Says `up`, `body KEY` for each body that started, and `ended CONVERSATION`.
 *
 * node worker.ts FOLDER FAULT CONVERSATION...
 */
import { join } from 'node:path';
import { SessionManager } from '@strands-agents/sdk';
import { auditSink, ParkingApprover } from '../../src/index.ts';
import { buildAgent, type TauAgent, type TurnEvent } from '../../src/strands/index.ts';
import { ScriptedModel } from '../../src/testing/index.ts';
import { openStore } from './fault.ts';
import { ANN, nextTurn, STORE, say, unlockTool } from './house.ts';

const [folder = '', fault = '', ...conversations] = process.argv.slice(2);
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const store = openStore(join(folder, STORE), fault);
const tool = unlockTool(folder);

async function agentOf(conversation: string): Promise<TauAgent> {
  const agent = await buildAgent({
    model: new ScriptedModel(Array.from({ length: 20 }, () => nextTurn)),
    tools: [tool],
    approver: new ParkingApprover(),
    store,
    sinks: [auditSink(store.audit)],
    logger: quiet,
    sessionManager: new SessionManager({ sessionId: conversation, storage: { snapshot: store.sessions } }),
  });
  await agent.agent.initialize();
  return agent;
}

/** From wherever it is to its end. */
async function live(conversation: string): Promise<void> {
  const agent = await agentOf(conversation);
  for (;;) {
    if ((await store.parked(conversation)) !== undefined) {
      await everythingDecided(conversation);
      await drain(agent.resume({ conversation }));
    } else if (hasEnded(agent)) {
      return say('ended', conversation);
    } else {
      await drain(agent.stream('Open the doors.', { conversation, principal: ANN }));
    }
  }
}

async function everythingDecided(conversation: string): Promise<void> {
  for (;;) {
    const changed = Promise.withResolvers<void>();
    const unwatch = store.watch(() => changed.resolve());
    const { records } = await store.list({ conversation, status: 'pending', limit: 1 });
    if (records.length > 0) await changed.promise;
    unwatch();
    if (records.length === 0) return;
  }
}

/** A resume may find that the run had gone on, and died before it could say so. */
async function drain(events: AsyncIterable<TurnEvent>): Promise<void> {
  try {
    for await (const _ of events);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'not_parked')) throw error;
  }
}

function hasEnded({ agent }: TauAgent): boolean {
  const last = agent.messages.at(-1);
  return last?.role === 'assistant' && last.content.every((block) => block.type === 'textBlock');
}

// A timer of the store does not keep a process alive, and a conversation that waits has nothing else.
const alive = setInterval(() => undefined, 60_000);
say('up');
await Promise.all(conversations.map(live));
clearInterval(alive);
await store.end();
