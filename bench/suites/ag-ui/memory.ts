import * as sdk from '@strands-agents/sdk';
import { BARE, bareAgent, type Contender, PEER, type Served } from './contenders.ts';
import { DONE } from './fixed-model.ts';
import { heapInUse } from './garbage.ts';
import { request, user } from './input.ts';
import type { Measurement } from './measurement.ts';

const THREADS = 10_000;
const KEPT = 1000;
const MEBIBYTE = 1024 * 1024;

/** What threads leave on the heap, each after one short turn. */
export async function memory(contenders: readonly Contender[]): Promise<readonly Measurement[]> {
  const perThread = new Map<string, number>([[BARE, (await bareAgents()) / KEPT / 1024]]);
  const early = new Map<string, number>();
  const late = new Map<string, number>();
  const bridges: Served[] = [];
  for (const { name, serve } of contenders) {
    const bridge = await serve({ reply: () => DONE, config: { maxThreads: KEPT } });
    // What one bridge holds must not become free while the next is measured.
    bridges.push(bridge);
    const before = await heapInUse();
    const runs = async (from: number, to: number): Promise<number> => {
      for (let at = from; at < to; at++) {
        for await (const _ of bridge.run(request(`t${at}`, 'r', [user('m', 'Good morning.')])));
      }
      return (await heapInUse()) - before;
    };
    early.set(name, (await runs(0, THREADS / 2)) / MEBIBYTE);
    const after = await runs(THREADS / 2, THREADS);
    late.set(name, after / MEBIBYTE);
    perThread.set(name, after / (name === PEER ? THREADS : KEPT) / 1024);
  }
  const grown = new Map([...late].map(([name, heap]) => [name, heap / (early.get(name) ?? Number.NaN)]));
  return [
    { what: `heap of ${THREADS} threads, of which ${KEPT} are kept`, unit: 'MiB', costs: late },
    { what: `the same, compared with ${THREADS / 2} threads`, unit: '×', costs: grown, target: { atMost: 1.1 } },
    { what: 'heap of a thread that is kept', unit: 'KiB', costs: perThread },
  ];
}

async function bareAgents(): Promise<number> {
  const before = await heapInUse();
  const agents: sdk.Agent[] = [];
  for (let at = 0; at < KEPT; at++) {
    const agent = bareAgent(sdk, { reply: () => DONE });
    for await (const _ of agent.stream('Good morning.'));
    agents.push(agent);
  }
  const used = (await heapInUse()) - before;
  return agents.length === KEPT ? used : Number.NaN;
}
