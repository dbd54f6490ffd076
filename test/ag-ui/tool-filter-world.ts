import type { BaseEvent, Interrupt, ResumeEntry, RunAgentInput } from '@ag-ui/core';
import { Agent, type Tool } from '@strands-agents/sdk';
import { type ApprovalStore, ParkingApprover, type Tier } from 'strands-tau';
import { buildAgent, guardTool, type TauAgent } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { StrandsAgent, type StrandsAgentConfig, type StrandsAgentRunOptions } from '../../src/ag-ui/index.ts';
import { askingTool, type LineLog, lineLog, runInput } from './tool-filter-fixture.ts';

/** The template under test: an agent of the SDK as it is, or one whose tools are guarded. */
export type Kind = 'plain' | 'guarded';

export const KINDS: readonly Kind[] = ['plain', 'guarded'];

/** What a world is made from. */
export interface WorldOptions {
  readonly kind?: Kind;
  readonly turns?: ConstructorParameters<typeof ScriptedModel>[0];
  readonly config?: StrandsAgentConfig;
  /** Whether `delete` is asked about before it works: by an interrupt of its own, or by its tier. */
  readonly asks?: boolean;
  /** Tiers of a guarded template in place of those that `asks` gives. */
  readonly tiers?: { readonly read: Tier; readonly delete: Tier };
  /** Interrupts that `delete` raises one after the other, in place of that. */
  readonly questions?: readonly string[];
  /** In place of `read` and `delete`; plain templates only. */
  readonly tools?: readonly Tool[];
  readonly agents?: Map<string, Agent>;
  /** Where a guarded agent's questions are kept; shared by worlds that stand for one server before and after a restart. */
  readonly store?: ApprovalStore;
}

/** A bridge over a template with the tools `read` and `delete`, and what a test looks at. */
export interface FilterWorld {
  readonly bridge: StrandsAgent;
  readonly model: ScriptedModel;
  readonly log: LineLog;
  /** Names of the template's tools in the order in which they ran. */
  readonly ran: readonly string[];
  /** Agents by thread id. */
  readonly agents: Map<string, Agent>;
  run(over?: Partial<RunAgentInput>, options?: StrandsAgentRunOptions): Promise<readonly BaseEvent[]>;
  /** What the model was offered, one sorted list for each call. */
  offered(): readonly (readonly string[])[];
  /** What the agent of a thread holds now, sorted. */
  registered(thread?: string): readonly string[];
}

export async function filterWorld(options: WorldOptions = {}): Promise<FilterWorld> {
  const { kind = 'plain', turns = [], agents = new Map() } = options;
  const ran: string[] = [];
  const model = new ScriptedModel(turns);
  const log = lineLog();
  const spied = kind === 'guarded' ? { threadAgentConfig: spyOn(agents) } : {};
  const config: StrandsAgentConfig = { logger: log, ...spied, ...options.config };
  const agent =
    kind === 'plain'
      ? plainTemplate(model, options.tools ?? plainTools(ran, options))
      : await guardedTemplate(model, ran, options);
  const bridge = new StrandsAgent({
    agent,
    name: 'assistant',
    config,
    ...(kind === 'plain' ? { agentsByThread: agents } : {}),
  });
  let runs = 0;
  return {
    bridge,
    model,
    log,
    ran,
    agents,
    run: async (over = {}, runOptions = {}) => {
      runs += 1;
      const events: BaseEvent[] = [];
      const messages: RunAgentInput['messages'] = [{ id: `m${runs}`, role: 'user', content: `turn ${runs}` }];
      const input = runInput({ runId: `r${runs}`, messages: over.resume === undefined ? messages : [], ...over });
      for await (const event of bridge.run(input, runOptions)) events.push(event);
      return events;
    },
    offered: () => model.offered.map((names) => [...names].sort()),
    registered: (thread = 't1') =>
      (agents.get(thread)?.toolRegistry.list() ?? []).map((tool: Tool) => tool.name).sort(),
  };
}

/** Puts each thread's agent into the map, without the bridge taking any from it. */
function spyOn(agents: Map<string, Agent>): NonNullable<StrandsAgentConfig['threadAgentConfig']> {
  return ({ threadId }) => ({
    plugins: [
      {
        name: `spy:${threadId}`,
        initAgent: (agent) => {
          if (agent instanceof Agent) agents.set(threadId, agent);
        },
      },
    ],
  });
}

function plainTemplate(model: ScriptedModel, tools: readonly Tool[]): Agent {
  return new Agent({ model, tools: [...tools], printer: false });
}

function plainTools(ran: string[], { asks = false, questions = asks ? ['sure'] : [] }: WorldOptions): readonly Tool[] {
  return [askingTool('read', ran, []), askingTool('delete', ran, questions)];
}

function guardedTemplate(model: ScriptedModel, ran: string[], options: WorldOptions): Promise<TauAgent> {
  const { asks = false, questions = [], store, tiers = { read: 0, delete: asks ? 2 : 0 } } = options;
  const read = guardTool(askingTool('read', ran, []), { tier: tiers.read });
  const remove = guardTool(askingTool('delete', ran, questions), { tier: tiers.delete });
  const stored = store === undefined ? {} : { store };
  return buildAgent({ model, tools: [read, remove], approver: new ParkingApprover(), ...stored });
}

/** The types of events, in order. */
export function types(events: readonly BaseEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}

/** The code and text of a run that failed; `undefined` of one that did not. */
export function failureOf(
  events: readonly BaseEvent[],
): { readonly code: unknown; readonly message: unknown } | undefined {
  const last = events.at(-1);
  if (last?.type !== 'RUN_ERROR') return undefined;
  const { code, message } = last as BaseEvent & { code?: unknown; message?: unknown };
  return { code, message };
}

/** What a run stopped at. */
export function interruptsOf(events: readonly BaseEvent[]): readonly Interrupt[] {
  const { outcome } = (events.at(-1) ?? {}) as { outcome?: { type: string; interrupts?: readonly Interrupt[] } };
  return outcome?.type === 'interrupt' ? (outcome.interrupts ?? []) : [];
}

/** A yes to everything that a run stopped at. */
export function yesTo(events: readonly BaseEvent[]): ResumeEntry[] {
  return interruptsOf(events).map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved: true } }));
}

/** The texts of the tool results on the wire. */
export function wireResults(events: readonly BaseEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'TOOL_CALL_RESULT' ? [String((event as BaseEvent & { content?: unknown }).content)] : [],
  );
}
