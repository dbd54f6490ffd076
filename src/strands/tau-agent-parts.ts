import type { Agent } from '@strands-agents/sdk';
import type { TierGate } from '../core/gate.ts';
import type { Language } from '../core/i18n.ts';
import type { BudgetLimits } from './budget.ts';
import type { BuildAgentOptions } from './build-options.ts';

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
  /** Prototype of the SDK's output tool, for an agent with an output schema. */
  readonly outputTool: object | undefined;
  /** Builds another agent from the same options under the same gate; `overrides` replace some, plugins are added. */
  readonly rebuild: (overrides?: Partial<BuildAgentOptions>) => Promise<GuardedAgent>;
}

/** A guarded agent, as a TauAgent is one. */
export interface GuardedAgent {
  readonly agent: Agent;
  readonly gate: TierGate;
}

const parts = new WeakMap<GuardedAgent, TauAgentParts>();

/** Remembers what a TauAgent is made of. */
export function keepParts(agent: GuardedAgent, made: TauAgentParts): void {
  parts.set(agent, made);
}

/** What a TauAgent is made of, for those who run it by other means than `stream`. */
export function partsOf(agent: GuardedAgent): TauAgentParts {
  const made = parts.get(agent);
  if (made === undefined) throw new TypeError('not a TauAgent of this copy of strands-tau');
  return made;
}
