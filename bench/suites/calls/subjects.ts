import { Agent, type AgentConfig, BeforeToolCallEvent, tool } from '@strands-agents/sdk';
import { HumanInTheLoop } from '@strands-agents/sdk/vended-interventions/hitl';
import type { TierGate } from '../../../src/core/gate.ts';
import type { Tier } from '../../../src/core/tier.ts';
import { buildAgent, tauTool } from '../../../src/strands/index.ts';
import { ScriptedApprover } from '../../../src/testing/scripted-approver.ts';
import { RepeatingModel } from './repeating-model.ts';
import { countingTool, TOOL } from './tool.ts';
import { callsPerAgent, type Load, type Subject } from './turns.ts';

/** Makes one agent of a variant. */
export type MakeSubject = (load: Load) => Promise<Subject>;

const PROMPT = 'Switch the lamps, please.';

/** The SDK's own agent. */
export async function bare(
  load: Load,
  options: AgentConfig = {},
  prepare: (agent: Agent) => void = () => undefined,
): Promise<Subject> {
  const { definition, ran } = countingTool();
  const agent = new Agent({ model: modelFor(load), tools: [tool(definition)], printer: false, ...options });
  prepare(agent);
  await agent.initialize();
  return { turn: () => agent.stream(PROMPT), ran };
}

/** The same with one tool-call hook that does nothing. */
export function hooked(load: Load): Promise<Subject> {
  return bare(load, {}, (agent) => agent.addHook(BeforeToolCallEvent, () => undefined));
}

/** The same with the SDK's own human in the loop, who lets every tool run. */
export function humanInTheLoop(load: Load): Promise<Subject> {
  return bare(load, { interventions: [new HumanInTheLoop({ allowedTools: ['*'] })] });
}

/** The same on the executor that runs one tool after the other. */
export function sequential(load: Load): Promise<Subject> {
  return bare(load, { toolExecutor: 'sequential' });
}

/** A guarded agent whose tool only reads. */
export function reading(load: Load): Promise<Subject> {
  return guarded(load, 0);
}

/** A guarded agent whose every call is asked about, and answered yes at once. */
export function approved(load: Load): Promise<Subject> {
  return guarded(load, 2, { answers: callsPerAgent(load) });
}

/** A guarded agent whose calls need no question by an exemption. */
export function exempt(load: Load): Promise<Subject> {
  return guarded(load, 2, { prepare: (gate) => void gate.addExemption((name) => name === TOOL) });
}

async function guarded(
  load: Load,
  tier: Tier,
  options: { readonly answers?: number; readonly prepare?: (gate: TierGate) => void } = {},
): Promise<Subject> {
  const { definition, ran } = countingTool();
  const answers = new Array<'approved'>(options.answers ?? 0).fill('approved');
  const agent = await buildAgent({
    model: modelFor(load),
    tools: [tauTool({ ...definition, tier })],
    approver: new ScriptedApprover(answers),
  });
  options.prepare?.(agent.gate);
  return { turn: () => agent.stream(PROMPT), ran };
}

function modelFor({ turnsPerAgent, callsPerTurn }: Load): RepeatingModel {
  return new RepeatingModel({ tool: TOOL, turns: turnsPerAgent, callsPerTurn });
}
