import type { Agent } from '@strands-agents/sdk';
import type { TierGate } from '../core/gate.ts';
import type { Language } from '../core/i18n.ts';
import type { BudgetLimits } from './budget.ts';
import type { BuildAgentOptions } from './build-options.ts';
import type { TauAgent } from './tau-agent.ts';

/** What a TauAgent is made of. */
export interface TauAgentParts {
  readonly agent: Agent;
  readonly gate: TierGate;
  readonly language: Language;
  readonly limits: BudgetLimits;
  readonly conversation: string;
  readonly channel: string | undefined;
  /** Whether the conversation outlives the process. */
  readonly durable: boolean;
  /** Names of tools that run in the background. */
  readonly background: ReadonlySet<string>;
  readonly outputSchema: boolean;
  /** Builds another agent from the same options under the same gate; `overrides` replace some, plugins are added. */
  readonly rebuild: (overrides?: Partial<BuildAgentOptions>) => Promise<TauAgent>;
}

const parts = new WeakMap<TauAgent, TauAgentParts>();

/** Remembers what a TauAgent is made of. */
export function keepParts(agent: TauAgent, made: TauAgentParts): void {
  parts.set(agent, made);
}

/** What a TauAgent is made of, for those who run it by other means than `stream`. */
export function partsOf(agent: TauAgent): TauAgentParts {
  const made = parts.get(agent);
  if (made === undefined) throw new TypeError('not a TauAgent of this copy of strands-tau');
  return made;
}
