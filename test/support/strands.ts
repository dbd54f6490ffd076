import { isDeepStrictEqual } from 'node:util';
import {
  type Agent,
  type HookableEvent,
  type HookableEventConstructor,
  type HookCallback,
  type MessageData,
  type Plugin,
  SessionManager,
  type Snapshot,
  TextBlock,
  Tool,
  type ToolContext,
  ToolResultBlock,
} from '@strands-agents/sdk';
import {
  type AgentEvent,
  type ApprovalRequest,
  type Approver,
  ConfigError,
  type JSONValue,
  type Logger,
  type Tier,
  TierGate,
  ToolCatalog,
} from 'strands-tau';
import {
  type BuildAgentOptions,
  buildAgent,
  type HookOption,
  type TauAgent,
  type TurnEvent,
  tauTool,
} from 'strands-tau/strands';
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

/** One body that started: the tool, and the very object it got. */
export interface Ran {
  readonly tool: string;
  readonly args: JSONValue;
}

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

/** The text of a refusal. */
export function refusal(tool: string): string {
  return `The user did not approve this action: ${tool}. Do not perform it; tell the user briefly.`;
}

/** The text of a call to something that is not registered. */
export function unknown(tool: string): string {
  return `Tool '${tool}' is not registered; it was not run.`;
}

/** The tool results in the history, as texts, in order. */
export function resultTexts(agent: Agent): string[] {
  return agent.messages.flatMap((message) =>
    message.content.flatMap((block) =>
      block.type === 'toolResultBlock'
        ? [
            block.content
              .map((part) => (part.type === 'textBlock' ? part.text : JSON.stringify(part.toJSON())))
              .join(''),
          ]
        : [],
    ),
  );
}

/** Bodies of tier-2 tools that started. */
export function physical({ ran }: { readonly ran: readonly Ran[] }): readonly Ran[] {
  return ran.filter(({ tool }) => PHYSICAL.has(tool));
}

const PHYSICAL = new Set(['unlock_door', 'run_shell']);

/**
 * The invariant of tau: every tier-2 body that started has an approval of its own, and got exactly the arguments that
 * were shown. Also checks the history.
 */
export function assertOnlyApproved(
  w: Pick<World<Approver>, 'events' | 'ran' | 'agent' | 'model'>,
  { exempt = () => false }: { exempt?: (ran: Ran) => boolean } = {},
): void {
  const unused = w.events.filter((event) => event.type === 'approval' && event.decision === 'approved');
  for (const body of physical(w)) {
    if (exempt(body)) continue;
    const index = unused.findIndex(
      (event) => event.type === 'approval' && event.tool === body.tool && isDeepStrictEqual(event.arguments, body.args),
    );
    expect(index, `${body.tool} ${JSON.stringify(body.args)} ran without an approval`).toBeGreaterThanOrEqual(0);
    unused.splice(index, 1);
  }
  assertValidHistory(w);
}

/** What was shown to the approver, as [tool, arguments]. */
export function shown(approver: { readonly requests: readonly ApprovalRequest[] }): [string, JSONValue][] {
  return approver.requests.map((request) => [request.tool, request.arguments]);
}

/** What ran, as [tool, arguments]. */
export function started(w: { readonly ran: readonly Ran[] }): [string, JSONValue][] {
  return w.ran.map(({ tool, args }) => [tool, args]);
}

/** Fails unless every list of messages that the model got, and the one it would get next, is one a provider takes. */
export function assertValidHistory({ agent, model }: { readonly agent: Agent; readonly model: ScriptedModel }): void {
  for (const { messages } of model.calls) assertAlternates(messages);
  assertAlternates(agent.messages.map((message) => message.toJSON()));
}

/** Roles alternate from `user` on, and every tool use has exactly one result in the next message. */
export function assertAlternates(messages: readonly MessageData[]): void {
  const roles = messages.map(({ role }) => role);
  expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
  for (const [index, message] of messages.entries()) {
    const asked = message.content.flatMap((block) => ('toolUse' in block ? [block.toolUse.toolUseId] : []));
    const answered = (messages[index + 1]?.content ?? []).flatMap((block) =>
      'toolResult' in block ? [block.toolResult.toolUseId] : [],
    );
    expect(new Set(asked).size).toBe(asked.length);
    expect(answered.toSorted()).toEqual(asked.toSorted());
  }
  for (const block of messages[0]?.content ?? []) expect('toolResult' in block).toBe(false);
}

/** Waits until something holds, letting promises and real timers run. */
export async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, i < 50 ? 0 : 5));
  expect(holds()).toBe(true);
}

/** Lets everything that is under way come to rest. */
export async function rest(turns: number = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** A plugin made of one function. */
export function plugin(name: string, initAgent: Plugin['initAgent'], tools: Tool[] = []): Plugin {
  return { name, initAgent, getTools: () => tools };
}

/** A Strands tool that nobody guards; it notes when it ran. */
export class ForeignTool extends Tool {
  readonly name: string;
  readonly description: string = 'A tool without a guard.';
  readonly toolSpec: Tool['toolSpec'];
  readonly inputs: unknown[] = [];
  readonly #status: 'success' | 'error';

  constructor(name: string, options: { annotations?: object; status?: 'success' | 'error' } = {}) {
    super();
    this.name = name;
    this.#status = options.status ?? 'success';
    this.toolSpec = {
      name,
      description: this.description,
      inputSchema: { type: 'object' },
      ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
    } as Tool['toolSpec'];
  }

  // biome-ignore lint/correctness/useYield: it reports no progress
  async *stream({ toolUse }: ToolContext): ReturnType<Tool['stream']> {
    this.inputs.push(toolUse.input);
    return new ToolResultBlock({
      toolUseId: toolUse.toolUseId,
      status: this.#status,
      content: [new TextBlock('foreign tool ran')],
    });
  }
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

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

/** Fails unless building an agent is refused for a reason that the text names. */
export async function assertConfigError(promise: Promise<unknown>, text: RegExp): Promise<void> {
  const error = await failureOf(promise);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toMatch(text);
}

/** A hook for `buildAgent`, typed by its event. */
export function on<T extends HookableEvent>(
  event: HookableEventConstructor<T>,
  callback: HookCallback<T>,
  order?: number,
): HookOption {
  return { event, callback, ...(order === undefined ? {} : { order }) } as unknown as HookOption;
}

/** Sessions in the memory of the test; JSON, as on a disk. */
export class SessionDisk {
  readonly files: Map<string, string> = new Map();

  /** A session manager of the SDK that saves here. */
  session(sessionId: string = 's1'): SessionManager {
    const { files } = this;
    return new SessionManager({
      sessionId,
      storage: {
        snapshot: {
          saveSnapshot: async ({ snapshot }) => void files.set(sessionId, JSON.stringify(snapshot)),
          loadSnapshot: async () => this.read(sessionId) ?? null,
          listSnapshotIds: async () => [],
          deleteSession: async () => void files.delete(sessionId),
          loadManifest: async () => ({ schemaVersion: '1.0', updatedAt: '' }),
          saveManifest: async () => undefined,
        },
      },
    });
  }

  read(sessionId: string = 's1'): Snapshot | undefined {
    const file = this.files.get(sessionId);
    return file === undefined ? undefined : (JSON.parse(file) as Snapshot);
  }

  /** Changes the file behind everybody's back. */
  edit(change: (text: string) => string, sessionId: string = 's1'): void {
    this.files.set(sessionId, change(this.files.get(sessionId) ?? ''));
  }
}
