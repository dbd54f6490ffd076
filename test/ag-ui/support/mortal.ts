/**
 * A server that dies. Runs one request that parks, answers it, and kills itself with SIGKILL at the point that its
 * arguments name; whoever comes after finds the files of its folder.
 *
 * node mortal.ts FOLDER parked|approved|consumed|body|finished
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { SessionManager } from '@strands-agents/sdk';
import { LocalFileStorage } from '@strands-agents/sdk/storage';
import { z } from 'zod';
import { StrandsAgent } from '../../../src/ag-ui/index.ts';
import { ParkingApprover } from '../../../src/core/parking-approver.ts';
import { buildAgent } from '../../../src/strands/build-agent.ts';
import { tauTool } from '../../../src/strands/tau-tool.ts';
import { ScriptedModel, type ScriptedTurn } from '../../../src/testing/index.ts';
import { FileApprovalStore } from './file-store.ts';

/** Where the server dies. */
export type Death = 'parked' | 'approved' | 'consumed' | 'body' | 'finished' | 'never';

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** A server, what its model was told, and where its questions are. */
export interface Mortal {
  readonly store: FileApprovalStore;
  readonly model: ScriptedModel;
  run(over: Partial<RunAgentInput>): Promise<readonly BaseEvent[]>;
}

/** The server, over the files of a folder. */
export async function mortal(folder: string, turns: readonly ScriptedTurn[], death: Death): Promise<Mortal> {
  const store = new FileApprovalStore(folder);
  const { consume, finish } = { consume: store.consume.bind(store), finish: store.finish.bind(store) };
  store.consume = async (...args) => {
    if (death === 'approved') die();
    const transition = await consume(...args);
    if (death === 'consumed') die();
    return transition;
  };
  store.finish = async (...args) => {
    const transition = await finish(...args);
    if (death === 'finished') die();
    return transition;
  };
  const unlock = tauTool({
    name: 'unlock_door',
    description: 'Unlocks a door.',
    inputSchema: z.object({ door: z.string() }),
    tier: 2,
    effect: 'Unlocks a door',
    callback: ({ door }) => {
      appendFileSync(join(folder, 'ran.log'), `${door}\n`);
      if (death === 'body') die();
      return `${door} is open`;
    },
  });
  const model = new ScriptedModel(turns);
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const agent = await buildAgent({ model, tools: [unlock], approver: new ParkingApprover(), store, logger: quiet });
  const storage = new LocalFileStorage(join(folder, 'session'));
  const bridge = new StrandsAgent({
    agent,
    name: 'mortal',
    config: { logger: quiet, sessionManagerProvider: () => new SessionManager({ sessionId: 's1', storage }) },
  });
  const run = async (over: Partial<RunAgentInput>): Promise<readonly BaseEvent[]> => {
    const input = { threadId: 't1', runId: 'r', messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
    const events: BaseEvent[] = [];
    for await (const event of bridge.run({ ...input, ...over })) events.push(event);
    return events;
  };
  return { store, model, run };
}

if (process.argv[1] === import.meta.filename) {
  const [, , folder = '', death = 'never'] = process.argv;
  const turns = [[{ toolUse: { name: 'unlock_door', input: { door: 'front' }, toolUseId: 'c1' } }], [{ text: 'ok' }]];
  const server = await mortal(folder, turns, death as Death);
  await server.run({ messages: [{ id: 'm1', role: 'user', content: 'open the front door' }] });
  if (death === 'parked') die();
  const { records } = await server.store.list();
  const resume = records.map(({ id }) => ({
    interruptId: id,
    status: 'resolved' as const,
    payload: { approved: true },
  }));
  await server.run({ resume });
}
