import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { z } from 'zod';
import { createHandler } from '../../src/ag-ui/http/index.ts';
import { StrandsAgent } from '../../src/ag-ui/index.ts';
import { threadKey } from '../../src/ag-ui/thread/thread-key.ts';
import type { ApprovalRecord } from '../../src/core/approval-record.ts';
import type { Principal } from '../../src/core/call.ts';
import type { TierGate } from '../../src/core/gate.ts';
import { MemoryApprovalStore } from '../../src/core/memory-store.ts';
import { ParkingApprover } from '../../src/core/parking-approver.ts';
import type { Tier } from '../../src/core/tier.ts';
import { buildAgent, tauTool } from '../../src/strands/index.ts';
import { type Loopback, listen } from '../suites/ag-ui/loopback.ts';
import type { Ledger } from './ledger.ts';
import { SoakModel } from './model.ts';

/** A served agent and what watches it. */
export interface House {
  readonly server: Loopback;
  readonly gate: TierGate;
  readonly ledger: Ledger;
  /** The questions of the last message that asked any, on a thread. */
  questionsOf(principal: Principal, threadId: string): Promise<readonly ApprovalRecord[]>;
}

/** The header that names the caller. */
export const WHO = 'x-visitor';

export async function openHouse(ledger: Ledger, threads: number): Promise<House> {
  const store = new MemoryApprovalStore({ keepSettled: 200 });
  ledger.follow(store);
  const logger = { debug: nothing, info: nothing, warn: nothing, error: () => ledger.count('error lines in the log') };
  const agent = await buildAgent({
    model: new SoakModel(),
    tools: [tool('look', 0, ledger), tool('move', 1, ledger), tool('unlock', 2, ledger)],
    approver: new ParkingApprover(),
    store,
    logger,
  });
  const bridge = new StrandsAgent({ agent, name: 'house', config: { logger, maxThreads: threads } });
  const handler = createHandler(bridge, { logger, authenticate: ({ headers }) => visitor(headers.get(WHO) ?? '') });
  return {
    server: await listen(getRequestListener(handler)),
    gate: agent.gate,
    ledger,
    questionsOf: async (principal, threadId) => {
      const { records } = await store.list({ conversation: threadKey(threadId, principal), limit: 1000 });
      const questions = records.filter(({ kind }) => kind === 'question');
      const last = questions.at(-1)?.position?.batch;
      return questions.filter(({ position }) => position?.batch === last);
    },
  };
}

export function visitor(id: string): Principal {
  return { id, kind: 'person' };
}

function tool(name: string, tier: Tier, ledger: Ledger): ReturnType<typeof tauTool> {
  return tauTool({
    name,
    description: `Does ${name}.`,
    tier,
    inputSchema: z.object({ key: z.string() }),
    callback: async ({ key }) => {
      if (tier === 2) ledger.start(key);
      else ledger.count(`bodies of tier ${tier}`);
      await sleep(2);
      return `${name} ${key}`;
    },
  });
}

function nothing(): void {}
