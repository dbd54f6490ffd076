/** Which limit ended a turn. */
export type LimitName = 'turns' | 'outputTokens' | 'totalTokens';

/** What a turn may spend; `undefined` means no limit. */
export interface BudgetLimits {
  /** Model calls. */
  readonly turns?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
}

/**
 * What one user turn may spend and has spent, shared by the agent, the agents it uses as tools and every
 * continuation of the turn. The last allowed call is not cut, and its tools still run; the next one does not start.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #spent = { turns: 0, outputTokens: 0, totalTokens: 0 };
  #hit: LimitName | undefined;

  constructor(limits: BudgetLimits, alreadySpent: Readonly<Partial<Record<LimitName, number>>> = {}) {
    this.#limits = limits;
    Object.assign(this.#spent, alreadySpent);
  }

  /** The limit that stopped a model call in this turn. */
  get hit(): LimitName | undefined {
    return this.#hit;
  }

  /** What was spent. */
  get spent(): Readonly<Record<LimitName, number>> {
    return { ...this.#spent };
  }

  /** The value of a limit. */
  limit(name: LimitName): number {
    return this.#limits[name] ?? Number.POSITIVE_INFINITY;
  }

  /** Whether one more model call may start; remembers the limit that forbids it. */
  allowsModelCall(): boolean {
    const names: readonly LimitName[] = ['turns', 'totalTokens', 'outputTokens'];
    this.#hit = names.find((name) => this.#spent[name] >= this.limit(name));
    return this.#hit === undefined;
  }

  /** Counts one finished model call. */
  spend(usage: { readonly outputTokens: number; readonly totalTokens: number } | undefined): void {
    this.#spent.turns += 1;
    this.#spent.outputTokens += usage?.outputTokens ?? 0;
    this.#spent.totalTokens += usage?.totalTokens ?? 0;
  }
}
