import type { BaseEvent, Message, RunAgentInput } from '@ag-ui/core';
import { Agent, type SessionManager, type Tool } from '@strands-agents/sdk';
import { type ApprovalStore, ParkingApprover, type Principal } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { type BuildAgentOptions, buildAgent, type TauAgent } from 'strands-tau/strands';
import { ScriptedModel, type ScriptedTurn, type TurnFunction } from 'strands-tau/testing';
import {
  StrandsAgent,
  type StrandsAgentConfig,
  type StrandsAgentOptions,
  type StrandsAgentRunOptions,
} from '../../../src/ag-ui/index.ts';
import { type House, house } from '../../support/strands.ts';
import type { Ran } from '../../support/strands-checks.ts';
import { SessionDisk } from '../../support/strands-parts.ts';
import { recorded } from './wire.ts';

export type Turns = readonly (ScriptedTurn | TurnFunction)[];

export const ANN: Principal = { id: 'ann', kind: 'person' };
export const BOB: Principal = { id: 'bob', kind: 'person' };

/** A log that keeps its lines, data included. */
export class LogBook {
  readonly lines: string[] = [];
  readonly debug: (message: string, ...data: unknown[]) => void = this.#at('debug');
  readonly info: (message: string, ...data: unknown[]) => void = this.#at('info');
  readonly warn: (message: string, ...data: unknown[]) => void = this.#at('warn');
  readonly error: (message: string, ...data: unknown[]) => void = this.#at('error');

  /** The lines of one level. */
  of(level: 'debug' | 'warn' | 'error'): readonly string[] {
    return this.lines.filter((line) => line.startsWith(`${level} `)).map((line) => line.slice(level.length + 1));
  }

  #at(level: string) {
    return (message: string, ...data: unknown[]): void => {
      this.lines.push([`${level} ${message}`, ...data.map(String)].join(' '));
    };
  }
}

/** What a served agent is made from. */
export interface ServedOptions {
  /** Guarded by `buildAgent`, or an agent of the SDK as it is. Default guarded. */
  readonly kind?: 'guarded' | 'plain';
  readonly tools?: readonly Tool[];
  readonly house?: House;
  readonly store?: ApprovalStore;
  readonly timeoutSeconds?: number;
  readonly build?: Partial<BuildAgentOptions>;
  readonly config?: StrandsAgentConfig;
  /** Gives every thread a session on it. */
  readonly disk?: Disk;
  /** In place of the agent that the other options would make. */
  readonly agent?: StrandsAgentOptions['agent'];
  readonly bridge?: Partial<StrandsAgentOptions>;
}

/** A bridge and what a test looks at. */
export interface Served {
  readonly bridge: StrandsAgent;
  readonly model: ScriptedModel;
  readonly tau: TauAgent | undefined;
  readonly store: ApprovalStore;
  readonly log: LogBook;
  /** Bodies that started. */
  readonly ran: readonly Ran[];
  /** Runs one request to its end, and has the protocol's client check it. */
  run(over?: Partial<RunAgentInput>, options?: StrandsAgentRunOptions): Promise<readonly BaseEvent[]>;
  /** A request as `run` would make it. */
  input(over?: Partial<RunAgentInput>): RunAgentInput;
  /** What the bodies were given, as `tool {json}`. */
  started(): readonly string[];
}

/** A bridge over the house of the tests, or over what the options say. */
export async function served(turns: Turns, options: ServedOptions = {}): Promise<Served> {
  const { kind = 'guarded', store = new MemoryApprovalStore(), disk } = options;
  const home = options.house ?? house();
  const model = new ScriptedModel(turns);
  const log = new LogBook();
  const tools = options.tools ?? home.tools;
  const tau =
    kind === 'guarded' && options.agent === undefined ? await guarded(model, tools, store, log, options) : undefined;
  const agent = options.agent ?? tau ?? new Agent({ model, tools: [...tools], printer: false, retryStrategy: null });
  const sessions = disk === undefined ? {} : { sessionManagerProvider: disk.provider };
  const bridge = new StrandsAgent({
    agent,
    name: 'assistant',
    ...options.bridge,
    config: { logger: log, ...sessions, ...options.config },
  });
  let runs = 0;
  const input = (over: Partial<RunAgentInput> = {}): RunAgentInput => {
    runs += 1;
    const messages = over.resume === undefined ? [user(`turn ${runs}`, `m${runs}`)] : [];
    return {
      threadId: 't1',
      runId: `r${runs}`,
      messages,
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
      ...over,
    };
  };
  return {
    bridge,
    model,
    tau,
    store,
    log,
    ran: home.ran,
    input,
    run: (over, runOptions) => recorded(bridge.run(input(over), runOptions)),
    started: () => home.ran.map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`),
  };
}

function guarded(
  model: ScriptedModel,
  tools: readonly Tool[],
  store: ApprovalStore,
  logger: LogBook,
  { timeoutSeconds, build = {} }: ServedOptions,
): Promise<TauAgent> {
  const approver = new ParkingApprover(timeoutSeconds === undefined ? {} : { timeoutSeconds });
  return buildAgent({ model, tools: [...tools], approver, store, logger, retryStrategy: null, ...build });
}

/** A message of the user. */
export function user(content: string, id = `u-${content}`): Message {
  return { id, role: 'user', content };
}

/** A client's answer to a call. */
export function answered(toolCallId: string, content: string, error?: string): Message {
  return { id: `a-${toolCallId}`, role: 'tool', toolCallId, content, ...(error === undefined ? {} : { error }) };
}

/** The assistant's calls, as a client repeats them. */
export function asked(...calls: readonly (readonly [id: string, name: string, args?: string])[]): Message {
  return {
    id: `c-${calls.map(([id]) => id).join()}`,
    role: 'assistant',
    content: '',
    toolCalls: calls.map(([id, name, args = '{}']) => ({ id, type: 'function', function: { name, arguments: args } })),
  };
}

/** A tool of the client. */
export function clientTool(name: string): RunAgentInput['tools'][number] {
  return { name, description: `Client ${name}.`, parameters: { type: 'object', properties: {} } };
}

/** Sessions of all threads and principals, as JSON: what is left when the process is gone. */
export class Disk {
  readonly #disk: SessionDisk = new SessionDisk();

  get files(): Map<string, string> {
    return this.#disk.files;
  }

  /** A session for each principal's thread. */
  readonly provider = (input: RunAgentInput, { principal }: { readonly principal: Principal }): SessionManager =>
    this.session(`${principal.id}-${input.threadId}`);

  session(id: string): SessionManager {
    return this.#disk.session(id);
  }

  /** What a session holds, as text. */
  text(id = 'anonymous-t1'): string {
    return this.files.get(id) ?? '';
  }
}
