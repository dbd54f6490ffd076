/** One way to do the same work; tells what it cost. */
export interface Take {
  readonly name: string;
  take(): Promise<number>;
}

/** Costs of some rounds: medians, and medians of the ratios within a round. */
export interface Medians {
  readonly costs: ReadonlyMap<string, number>;
  /** The named one's cost as a multiple of each. */
  ratiosOf(name: string): ReadonlyMap<string, number>;
}

/** Takes turns, so that whatever else the machine does meets all of them; the first round does not count. */
export async function inRounds(takes: readonly Take[], rounds: number): Promise<Medians> {
  const costs = new Map<string, number[]>(takes.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, take } of round % 2 === 0 ? takes : takes.toReversed()) {
      const cost = await take();
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  return {
    costs: new Map([...costs].map(([name, all]) => [name, median(all)])),
    ratiosOf: (own) => new Map([...costs].map(([name, all]) => [name, median(ratios(costs.get(own) ?? [], all))])),
  };
}

function ratios(own: readonly number[], other: readonly number[]): number[] {
  return own.map((cost, round) => cost / (other[round] ?? Number.NaN));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
