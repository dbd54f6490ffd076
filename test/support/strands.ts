import type { Agent, Tool, ToolContext } from '@strands-agents/sdk';
import {
  type AgentEvent,
  type Approver,
  type JSONValue,
  type Logger,
  type Tier,
  TierGate,
  ToolCatalog,
} from 'strands-tau';
import { type BuildAgentOptions, buildAgent, type TauAgent, type TurnEvent, tauTool } from 'strands-tau/strands';
import {
  ManualClock,
  type ScriptedAnswer,
  ScriptedApprover,
  type ScriptedBlock,
  ScriptedModel,
  type ScriptedTurn,
  type TurnFunction,
} from 'strands-tau/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Ran } from './strands-checks.ts';

/** The house of the tests: a lock to read, a notebook, a door and a shell. Every body that starts notes itself. */
export interface House {
  readonly ran: Ran[];
  readonly tools: Tool[];
  /** A tool of the house with other details. */
  tool(name: string, tier: Tier, schema?: z.ZodType, body?: (args: never, context: ToolContext) => unknown): Tool;
}

export function house(): House {
  const ran: Ran[] = [];
  const tool: House['tool'] = (name, tier, schema = z.object({}), body) =>
    tauTool({
      name,
      description: `Does ${name}.`,
      inputSchema: schema,
      tier,
      effect: `Effect of ${name}`,
      callback: (args: unknown, context) => {
        ran.push({ tool: name, args: args as JSONValue });
        return body === undefined ? `${name} done` : body(args as never, context);
      },
    });
  const door = z.object({ door: z.enum(['front', 'back']) });
  const tools = [
    tool('read_lock', 0, door),
    tool('add_note', 1, z.object({ text: z.string() })),
    tool('unlock_door', 2, door),
    tool('run_shell', 2, z.object({ command: z.string(), sudo: z.boolean().default(false) })),
  ];
  return { ran, tools, tool };
}

/** An agent with everything around it that a test looks at. */
export interface World<A extends Approver = ScriptedApprover> {
  readonly tau: TauAgent;
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly approver: A;
  readonly clock: ManualClock;
  readonly events: AgentEvent[];
  readonly ran: Ran[];
  readonly log: string[];
  of<T extends AgentEvent['type']>(type: T): Extract<AgentEvent, { type: T }>[];
  /** Runs one user turn to its end. */
  turn(prompt?: string, options?: Parameters<TauAgent['stream']>[1]): Promise<TurnEvent[]>;
}

export type WorldOptions = Omit<Partial<BuildAgentOptions>, 'model' | 'approver'> & { readonly house?: House };

type Turns = readonly (ScriptedTurn | TurnFunction)[];

/** The house's agent, built by `buildAgent`, with an approver that answers from a script. */
export function world(
  turns: Turns,
  answers: readonly ScriptedAnswer[] = [],
  options: WorldOptions = {},
): Promise<World> {
  return worldOf(turns, new ScriptedApprover(answers), options);
}

/** The same with any approver. */
export async function worldOf<A extends Approver>(
  turns: Turns,
  approver: A,
  { house: given, ...options }: WorldOptions = {},
): Promise<World<A>> {
  const { ran, tools } = given ?? house();
  const model = new ScriptedModel(turns);
  const clock = (options.clock as ManualClock | undefined) ?? new ManualClock();
  const events: AgentEvent[] = [];
  const { log, logger } = quietLogger();
  const gate =
    options.gate ??
    new TierGate({
      catalog: options.catalog ?? new ToolCatalog(),
      approver,
      clock,
      logger,
      ...gateParts(options),
      sinks: [(event) => void events.push(event)],
    });
  const own = Object.fromEntries(Object.entries(options).filter(([name]) => !GATE_PARTS.has(name)));
  const tau = await buildAgent({ tools, retryStrategy: null, ...own, model, gate });
  const of: World['of'] = (type) => events.filter((event) => event.type === type) as never;
  const turn: World['turn'] = (prompt = 'go', how = {}) => collect(tau.stream(prompt, how));
  return { tau, agent: tau.agent, model, approver, clock, events, ran, log, of, turn };
}

const GATE_PARTS = new Set(['catalog', 'clock', 'policy', 'store', 'timeoutSeconds', 'useWithinSeconds', 'random']);

function gateParts(options: WorldOptions): object {
  const given = Object.entries(options).filter(([name, value]) => GATE_PARTS.has(name) && value !== undefined);
  const language = options.language === undefined ? {} : { language: options.language };
  return { ...Object.fromEntries(given), ...language };
}

/** A logger that keeps its lines. */
export function quietLogger(): { readonly log: string[]; readonly logger: Logger } {
  const log: string[] = [];
  const add = (message: string): void => void log.push(message);
  return { log, logger: { debug: add, info: add, warn: add, error: add } };
}

/** Everything that a stream yields. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The turn's end event. */
export function endOf(events: readonly TurnEvent[]): Extract<TurnEvent, { type: 'end' }> {
  const last = events.at(-1);
  if (last?.type !== 'end') throw new Error(`the last event is ${last?.type}`);
  return last;
}

/** A call in a scripted answer. */
export function call(name: string, input: JSONValue, toolUseId?: string): ScriptedBlock {
  return { toolUse: { name, input, ...(toolUseId === undefined ? {} : { toolUseId }) } };
}

/** The tier-2 call of most tests. */
export function unlock(door: string = 'front', toolUseId?: string): ScriptedBlock {
  return call('unlock_door', { door }, toolUseId);
}

export const DONE: ScriptedTurn = [{ text: 'Done.' }];

/** Waits until something holds, letting promises and real timers run. */
export async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, i < 50 ? 0 : 5));
  expect(holds()).toBe(true);
}

/** Lets everything that is under way come to rest. */
export async function rest(turns: number = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** A promise with its ends in hand. */
export interface Held<T> {
  readonly promise: Promise<T>;
  readonly settle: (value: T) => void;
}

export function held<T>(): Held<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { promise, settle: resolve };
}
