import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One batch of work, set up and ready to run. Only the call of this function is measured. */
export type Batch = () => Promise<void>;

/** One way to do the same work. */
export interface Variant {
  readonly name: string;
  /** Sets a batch up; not measured. */
  prepare(): Promise<Batch>;
}

/** How variants are compared. */
export interface Comparison {
  /** The first one is what the others are compared with. */
  readonly variants: readonly Variant[];
  /** How many operations one batch does, the same for every variant. */
  readonly operations: number;
  readonly rounds: number;
  /** Rounds before the first that counts. */
  readonly warmUpRounds: number;
}

/** A median with the middle half around it. */
export interface Quartiles {
  readonly p25: number;
  readonly median: number;
  readonly p75: number;
}

/** What one variant cost. */
export interface Measured {
  readonly name: string;
  /** CPU time of one operation in microseconds, all threads of the process: user, system and garbage collection. */
  readonly microseconds: Quartiles;
  /** Cost as a multiple of every variant's, round by round, in the order of the variants. */
  readonly ratios: readonly Quartiles[];
}

/**
 * Compares variants by CPU time. One round runs one batch of each, and only batches of the same round are divided by
 * each other, so that whatever else the machine does meets all of them. The order is shuffled in every round, because a
 * batch pays for what the one before it left in the caches and in the heap.
 */
export async function compare(comparison: Comparison): Promise<readonly Measured[]> {
  const { variants, rounds, warmUpRounds, operations } = comparison;
  for (let round = 0; round < warmUpRounds; round++) await runRound(variants);
  collectGarbage({ type: 'major' });
  await runRound(variants);
  const costs: (readonly number[])[] = [];
  for (let round = 0; round < rounds; round++) costs.push(await runRound(variants));
  return variants.map(({ name }, own) => ({
    name,
    microseconds: quartiles(costs.map((round) => at(round, own) / operations)),
    ratios: variants.map((_, other) => quartiles(costs.map((round) => at(round, own) / at(round, other)))),
  }));
}

async function runRound(variants: readonly Variant[]): Promise<readonly number[]> {
  const costs = new Map<Variant, number>();
  for (const variant of shuffled(variants)) costs.set(variant, await costOf(await variant.prepare()));
  return variants.map((variant) => costs.get(variant) ?? Number.NaN);
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** Only young garbage is collected: after a full collection code starts cold, and the batch costs several times as much. */
async function costOf(batch: Batch): Promise<number> {
  collectGarbage({ type: 'minor' });
  const before = process.cpuUsage();
  await batch();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The median of some numbers and the middle half around it. */
function quartiles(values: readonly number[]): Quartiles {
  const sorted = [...values].sort((a, b) => a - b);
  return { p25: quantile(sorted, 0.25), median: quantile(sorted, 0.5), p75: quantile(sorted, 0.75) };
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return at(sorted, below) + (at(sorted, above) - at(sorted, below)) * (position - below);
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN;
}

setFlagsFromString('--expose-gc');
const collectGarbage: (options: { readonly type: 'minor' | 'major' }) => void = runInNewContext('gc');
