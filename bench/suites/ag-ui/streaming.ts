import type { BaseEvent } from '@ag-ui/core';
import * as sdk from '@strands-agents/sdk';
import { compare, type Variant } from '../../measure.ts';
import { BARE, bareAgent, type Contender, GUARDED, LEAST, type Setting, TOOL } from './contenders.ts';
import { calling, DONE, lastText, type Reply, saying } from './fixed-model.ts';
import { history, request, user } from './input.ts';
import { LeastBridge } from './least-bridge.ts';
import type { Measurement } from './measurement.ts';

/** A stream of many small pieces. */
interface Load {
  readonly what: string;
  readonly deltas: number;
  readonly event: string;
  readonly reply: Reply;
  readonly rounds: number;
  readonly atMost: number;
}

const GO = 'Go on.';

const loads: readonly Load[] = [text(2000), call(4000, 19), call(16_000, 9)];

/**
 * CPU time from the model's pieces to the client's events, with a thread that has had a turn already. Events are made and
 * handed out, not encoded: that depends on the wire.
 */
export async function streaming(contenders: readonly Contender[]): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (const load of loads) {
    const variants = [bare(load), least(load), ...contenders.map((contender) => bridged(contender, load))];
    const measured = await compare({ variants, operations: 1000, rounds: load.rounds, warmUpRounds: load.rounds });
    const guarded = measured.find(({ name }) => name === GUARDED);
    measurements.push({
      what: load.what,
      unit: 'ms CPU',
      costs: new Map(measured.map(({ name, microseconds }) => [name, microseconds.median])),
      ratios: new Map(measured.map(({ name }, at) => [name, guarded?.ratios[at]?.median ?? Number.NaN])),
      target: { atMost: load.atMost, of: BARE },
    });
  }
  return measurements;
}

function text(deltas: number): Load {
  const said = saying(...Array.from({ length: deltas }, () => 'word '));
  const reply: Reply = (messages) => (lastText(messages) === GO ? said : DONE);
  const event = 'TEXT_MESSAGE_CONTENT';
  return { what: `${deltas} text deltas`, deltas, event, reply, rounds: 31, atMost: 1.1 };
}

function call(deltas: number, rounds: number): Load {
  const pieces = ['{"text":"', ...Array.from({ length: deltas - 2 }, () => 'word '), '"}'];
  const called = calling(TOOL, 'use', pieces);
  const reply: Reply = (messages) => (lastText(messages) === GO ? called : DONE);
  const what = `one call, ${deltas} argument deltas`;
  return { what, deltas, event: 'TOOL_CALL_ARGS', reply, rounds, atMost: 1.3 };
}

function bare({ reply }: Load): Variant {
  return {
    name: BARE,
    prepare: async () => {
      const agent = bareAgent(sdk, { reply });
      await drain(agent.stream('Good morning.'));
      return async () => void (await drain(agent.stream(GO)));
    },
  };
}

/** The floor: what no bridge can go below. */
function least({ reply, deltas, event }: Load): Variant {
  return {
    name: LEAST,
    prepare: async () => {
      const agent = bareAgent(sdk, { reply });
      await drain(agent.stream('Good morning.'));
      return async () => {
        const { count } = await drain(new LeastBridge(agent.stream(GO)), event);
        if (count < deltas) throw new Error(`${count} deltas of ${deltas} came; the numbers mean nothing`);
      };
    },
  };
}

function bridged({ name, serve }: Contender, { reply, deltas, event }: Load): Variant {
  return {
    name,
    prepare: async () => {
      const setting: Setting = { reply };
      const bridge = await serve(setting);
      const before = history(2);
      await drain(bridge.run(request('t', 'r1', before.slice(0, 1))));
      const input = request('t', 'r2', [...before, user('go', GO)]);
      return async () => checked(await drain(bridge.run(input), event), deltas);
    },
  };
}

/** How many events of one type there were, and the last event. */
async function drain<T extends { readonly type?: unknown }>(
  events: AsyncIterable<T>,
  type?: string,
): Promise<{ readonly count: number; readonly last: T | undefined }> {
  let count = 0;
  let last: T | undefined;
  for await (const event of events) {
    if (event.type === type) count++;
    last = event;
  }
  return { count, last };
}

/** A run that failed, or that left something out, would be a cheap one. */
function checked(
  { count, last }: { readonly count: number; readonly last: BaseEvent | undefined },
  wanted: number,
): void {
  if (count === wanted && last?.type === 'RUN_FINISHED') return;
  throw new Error(`${count} deltas of ${wanted} came, then ${JSON.stringify(last)}; the numbers mean nothing`);
}
