import { compare, type Measured, type Quartiles, type Variant } from '../measure.ts';
import type { Row, Suite, Table } from '../suite.ts';
import {
  approved,
  bare,
  empty,
  exempt,
  hooked,
  humanInTheLoop,
  type MakeSubject,
  reading,
  sequential,
} from './calls/subjects.ts';
import { callsPerAgent, type Load, runTurns } from './calls/turns.ts';

interface Case {
  readonly name: string;
  readonly make: MakeSubject;
  /** The largest ratio that is wanted, by the number of calls in a turn. */
  readonly targets?: Readonly<Record<number, number>>;
}

const BARE = 'bare SDK';
const SEQUENTIAL = 'bare SDK, sequential executor';

const cases: readonly Case[] = [
  { name: BARE, make: (load) => bare(load) },
  { name: 'bare SDK, measured twice', make: (load) => bare(load) },
  { name: 'bare SDK, one empty tool-call hook', make: hooked },
  { name: 'bare SDK, HumanInTheLoop that allows all', make: humanInTheLoop },
  { name: "bare SDK, tau's hooks and generators, empty", make: empty },
  { name: SEQUENTIAL, make: sequential },
  { name: 'tau, tier 0', make: reading, targets: { 1: 1.05, 100: 1.12 } },
  { name: 'tau, tier 2, instant yes', make: approved, targets: { 1: 1.2, 100: 1.4 } },
  { name: 'tau, tier 2, exempt', make: exempt },
];

/** Each batch is long enough for the clock, and each agent's life short: the SDK copies the history in every turn. */
const loads: readonly Load[] = [
  { callsPerTurn: 1, turnsPerAgent: 10, agents: 8 },
  { callsPerTurn: 100, turnsPerAgent: 1, agents: 4 },
];

const ROUNDS = 48;
const WARM_UP_ROUNDS = 24;

/** What one guarded tool call costs, compared with the same call of the bare SDK. */
export const callsSuite: Suite = {
  name: 'calls',
  async run(progress) {
    const tables: Table[] = [];
    for (const load of loads) {
      progress(`${load.callsPerTurn} a turn, ${cases.length} variants, ${ROUNDS} rounds`);
      const operations = callsPerAgent(load) * load.agents;
      const variants = cases.map((one) => variantOf(one, load));
      tables.push(tableOf(load, await compare({ variants, operations, rounds: ROUNDS, warmUpRounds: WARM_UP_ROUNDS })));
    }
    return tables;
  },
};

function variantOf({ name, make }: Case, load: Load): Variant {
  return {
    name,
    prepare: async () => {
      const subjects = await Promise.all(Array.from({ length: load.agents }, () => make(load)));
      return () => runTurns(subjects, load);
    },
  };
}

function tableOf({ callsPerTurn }: Load, measured: readonly Measured[]): Table {
  const sequentialIndex = measured.findIndex(({ name }) => name === SEQUENTIAL);
  const rows = measured.map(({ name, microseconds, ratios }): Row => {
    const target = cases.find((one) => one.name === name)?.targets?.[callsPerTurn];
    return [
      name,
      microseconds.median.toFixed(1),
      ...ratioCells(ratios[0]),
      ratios[sequentialIndex]?.median.toFixed(3) ?? '',
      target === undefined ? '' : `≤ ${target.toFixed(2)}`,
    ];
  });
  return {
    title: `CPU time of a tool call, ${callsPerTurn} ${callsPerTurn === 1 ? 'call' : 'calls'} a turn`,
    columns: ['', 'µs a call', '× bare', 'p25–p75', '× bare sequential', 'target'],
    rows,
    notes: [
      `Median of ${ROUNDS} interleaved rounds in one process; a ratio is taken within a round. The turn's two model calls are part of the cost.`,
      'The bare SDK runs the calls of a turn concurrently, as by default, and so does tau when no tool is of tier 2. With a tool of tier 2 tau runs them one after the other; the bare SDK on the sequential executor is the like-for-like reference.',
    ],
  };
}

function ratioCells(ratio: Quartiles | undefined): readonly string[] {
  if (ratio === undefined) return ['', ''];
  return [ratio.median.toFixed(3), `${ratio.p25.toFixed(3)}–${ratio.p75.toFixed(3)}`];
}
