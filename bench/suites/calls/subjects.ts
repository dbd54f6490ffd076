import {
  AfterInvocationEvent,
  AfterModelCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  Agent,
  type AgentConfig,
  type AgentStreamEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  type HookableEventConstructor,
  Tool,
  type ToolContext,
  type ToolSpec,
  type ToolStreamGenerator,
  tool,
} from '@strands-agents/sdk';
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

/**
 * What no guard can do without: hooks on the events that tau listens to, a generator around the tool and one around the
 * stream that hands on what a person is told, none of which does anything.
 */
export async function empty(load: Load): Promise<Subject> {
  const { definition, ran } = countingTool();
  const agent = new Agent({ model: modelFor(load), tools: [new Wrapped(tool(definition))], printer: false });
  for (const event of LISTENED) agent.addHook(event, () => undefined);
  await agent.initialize();
  return { turn: () => told(agent.stream(PROMPT)), ran };
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

/** The events of tau's hooks, once for each hook. */
const LISTENED: readonly HookableEventConstructor[] = [
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeModelCallEvent,
  AfterModelCallEvent,
  BeforeToolsEvent,
  BeforeToolCallEvent,
  BeforeToolCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  AfterInvocationEvent,
];

/** A tool behind a generator. */
class Wrapped extends Tool {
  readonly name: string;
  readonly description: string;
  readonly toolSpec: ToolSpec;
  readonly #inner: Tool;

  constructor(inner: Tool) {
    super();
    this.#inner = inner;
    this.name = inner.name;
    this.description = inner.description;
    this.toolSpec = inner.toolSpec;
  }

  override async *stream(context: ToolContext): ToolStreamGenerator {
    return yield* this.#inner.stream(context);
  }
}

const TOLD: ReadonlySet<string> = new Set(['modelStreamUpdateEvent', 'beforeToolCallEvent', 'afterToolCallEvent']);

async function* told(events: AsyncIterable<AgentStreamEvent>): AsyncGenerator<AgentStreamEvent, void, undefined> {
  for await (const event of events) if (TOLD.has(event.type)) yield event;
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
