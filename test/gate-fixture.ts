import type { Approver } from '../src/core/approver.ts';
import type { CallOrigin, ToolCall } from '../src/core/call.ts';
import { type CatalogEntry, ToolCatalog } from '../src/core/catalog.ts';
import type { AgentEvent } from '../src/core/events.ts';
import { TierGate } from '../src/core/gate.ts';
import type { JSONValue } from '../src/core/json.ts';
import type { TierGateOptions } from '../src/core/options.ts';
import type { Logger } from '../src/core/platform.ts';
import { ManualClock } from '../src/testing/manual-clock.ts';
import { type ScriptedAnswer, ScriptedApprover } from '../src/testing/scripted-approver.ts';

/** One line that a gate logged. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** A gate with everything around it that a test looks at. */
export interface World<A extends Approver = ScriptedApprover> {
  readonly gate: TierGate;
  readonly catalog: ToolCatalog;
  readonly approver: A;
  readonly clock: ManualClock;
  readonly events: AgentEvent[];
  readonly log: LogLine[];
  /** The arguments of every body that started, in order; the very objects. */
  readonly ran: JSONValue[];
  /** A body that notes its arguments and returns `done`. */
  readonly body: (args: JSONValue) => Promise<string>;
  /** Events of one type. */
  of<T extends AgentEvent['type']>(type: T): Extract<AgentEvent, { type: T }>[];
}

/** What the tools of the tests are: two doors' lock, a notebook and a shell. */
export const TOOLS: readonly CatalogEntry[] = [
  { name: 'read_lock', tier: 0, effect: 'Reads a lock', inputSchema: { type: 'object' } },
  { name: 'add_note', tier: 1, effect: 'Adds a note', inputSchema: { type: 'object' } },
  { name: 'unlock_door', tier: 2, effect: 'Unlocks a door', inputSchema: { type: 'object' }, version: '1' },
  {
    name: 'run_shell',
    tier: 2,
    effect: (args) => `Runs ${JSON.stringify(args)}`,
    inputSchema: { type: 'object' },
  },
];

/** A gate whose approver answers from a script. */
export function world(script: readonly ScriptedAnswer[] = [], options: Partial<TierGateOptions> = {}): World {
  return worldOf(new ScriptedApprover(script), options);
}

/** A gate with any approver. */
export function worldOf<A extends Approver>(approver: A, options: Partial<TierGateOptions> = {}): World<A> {
  const catalog = options.catalog ?? catalogOf(TOOLS);
  const clock = new ManualClock();
  const events: AgentEvent[] = [];
  const { log, logger } = recordingLogger();
  const ran: JSONValue[] = [];
  const gate = new TierGate({
    catalog,
    approver,
    clock,
    logger,
    ...options,
    sinks: [(event) => void events.push(event), ...(options.sinks ?? [])],
  });
  return {
    gate,
    catalog,
    approver,
    clock,
    events,
    log,
    ran,
    body: async (args) => {
      ran.push(args);
      return 'done';
    },
    of: (type) => events.filter((event) => event.type === type) as never,
  };
}

/** A catalog of these entries. */
export function catalogOf(entries: Iterable<CatalogEntry>): ToolCatalog {
  const catalog = new ToolCatalog();
  catalog.extend(entries);
  return catalog;
}

/** A call of the model in a conversation. */
export function call(
  tool: string,
  args: JSONValue,
  origin: Partial<CallOrigin> = {},
  toolUseId: string = 'tooluse_1',
): ToolCall {
  return { tool, arguments: args, toolUseId, origin: { kind: 'model', conversation: 'c1', ...origin } };
}

/** The tier-2 call of most tests. */
export function unlock(door: string = 'front', origin: Partial<CallOrigin> = {}): ToolCall {
  return call('unlock_door', { door }, origin);
}

/** A logger that keeps its lines. */
export function recordingLogger(): { readonly log: LogLine[]; readonly logger: Logger } {
  const log: LogLine[] = [];
  const at =
    (level: LogLine['level']): Logger['info'] =>
    (message, fields) =>
      void log.push({ level, message, fields });
  return { log, logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}

/** A promise with its ends in hand. */
export interface Held<T> {
  readonly promise: Promise<T>;
  readonly settle: (value: T) => void;
  readonly fail: (error: unknown) => void;
}

/** Makes one. */
export function held<T>(): Held<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  return { promise, settle: resolve, fail: reject };
}
