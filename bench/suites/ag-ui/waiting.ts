import * as sdk from '@strands-agents/sdk';
import { startClient } from './client.ts';
import { BARE, bareAgent, type Contender, GUARDED, PEER, type Served } from './contenders.ts';
import { DONE, saying } from './fixed-model.ts';
import { history, request, user } from './input.ts';
import { type Loopback, listen } from './loopback.ts';
import type { Measurement, Target } from './measurement.ts';
import { inRounds, type Take } from './rounds.ts';
import { slowSession } from './session.ts';

const THREADS = 20;
const SESSION_MS = 100;
const MESSAGES = 1000;
const ROUNDS = 15;

/** How long clients wait. */
export async function waiting(contenders: readonly Contender[]): Promise<readonly Measurement[]> {
  return [await newThreads(contenders), ...(await firstEvents(contenders))];
}

/** From the first request to the end of the last of some new threads, whose sessions take their time. */
async function newThreads(contenders: readonly Contender[]): Promise<Measurement> {
  const setting = { reply: () => DONE, sessionMs: SESSION_MS };
  const all = (start: (at: number) => Promise<void>): Promise<number> =>
    timed(async () => void (await Promise.all(Array.from({ length: THREADS }, (_, at) => start(at)))));
  const bare = async (): Promise<void> => {
    const sessionManager = await slowSession(sdk, SESSION_MS);
    await finish(bareAgent(sdk, setting, { sessionManager }).stream('Good morning.'));
  };
  const takes: Take[] = contenders.map(({ name, serve }) => ({
    name,
    take: async () => {
      const bridge = await serve(setting);
      return all((at) => finish(bridge.run(request(`t${at}`, 'r', [user('m', 'Good morning.')]))));
    },
  }));
  const { costs } = await inRounds([{ name: BARE, take: () => all(bare) }, ...takes], 5);
  const what = `${THREADS} new threads at once, session after ${SESSION_MS} ms`;
  return { what, unit: 'ms', costs, target: { atMost: 150 } };
}

/** A bridge whose thread has had its history already. */
interface Warm {
  readonly name: string;
  readonly bridge: Served;
  readonly server: Loopback;
}

/** The same for the bridge itself and for its server, where the request must be read too. */
async function firstEvents(contenders: readonly Contender[]): Promise<readonly Measurement[]> {
  const warm = await Promise.all(contenders.map(warmUp));
  const measured = async (what: string, takes: readonly Take[], target?: Target): Promise<Measurement> => {
    const medians = await inRounds(takes, ROUNDS);
    const ratios = medians.ratiosOf(GUARDED);
    const base = { what: `${what}, warm thread of ${MESSAGES} messages`, unit: 'ms', costs: medians.costs, ratios };
    return target === undefined ? base : { ...base, target };
  };
  const target: Target = { atMost: 0.5, of: PEER };
  const direct = (type: string): Take[] =>
    warm.map(({ name, bridge }) => ({ name, take: () => untilFirst(bridge, type) }));
  const client = startClient();
  const served = (type: string): Take[] =>
    warm.map(({ name, server: { url } }) => ({
      name,
      take: () => client.until({ url, body: JSON.stringify(nextRequest()), type }),
    }));
  const measurements = [
    await measured('first event', direct('RUN_STARTED'), target),
    await measured('first text', direct('TEXT_MESSAGE_START')),
    await measured('first event over Express', served('RUN_STARTED'), target),
    await measured('first text over Express', served('TEXT_MESSAGE_START')),
  ];
  client.close();
  await Promise.all(warm.map(({ server }) => server.close()));
  return measurements;
}

const before = [...history(MESSAGES - 1), { id: 'a', role: 'assistant', content: 'Good morning' } as const];

async function warmUp({ name, serve }: Contender): Promise<Warm> {
  const bridge = await serve({ reply: () => saying('Good', ' morning') });
  await finish(bridge.run(request('t', 'r', before.slice(0, -1))));
  const listener = await bridge.listener('express');
  if (listener === undefined) throw new Error(`${name} has no server`);
  return { name, bridge, server: await listen(listener) };
}

let runs = 0;

function nextRequest(): ReturnType<typeof request> {
  runs += 1;
  return request('t', `r${runs}`, [...before, user(`u${runs}`, 'And now?')]);
}

async function untilFirst(bridge: Served, type: string): Promise<number> {
  const input = nextRequest();
  const events = bridge.run(input)[Symbol.asyncIterator]();
  const cost = await timed(async () => {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      if (next.value.type === type) return;
    }
    throw new Error(`No ${type} came; the numbers mean nothing`);
  });
  while ((await events.next()).done !== true);
  return cost;
}

async function finish(events: AsyncIterable<{ readonly type?: unknown }>): Promise<void> {
  for await (const event of events) if (event.type === 'RUN_ERROR') throw new Error(JSON.stringify(event));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
