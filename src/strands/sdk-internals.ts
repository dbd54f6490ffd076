/**
 * Everything tau reads from the SDK that the SDK does not document, in one place. A shape that is not the known one
 * is a ConfigError: tau does not guess.
 */
import {
  AfterToolCallEvent,
  AfterToolsEvent,
  Agent,
  type AgentConfig,
  type BaseModelConfig,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  ExecuteToolStage,
  type FunctionToolCallback,
  type HookableEventConstructor,
  InterventionHandler,
  type LocalAgent,
  Model,
  ModelRouter,
  type ModelStreamEvent,
  type Plugin,
  type Snapshot,
  type Tool,
  ZodTool,
} from '@strands-agents/sdk';
import { z } from 'zod';
import { ConfigError } from '../core/errors.ts';
import type { JSONValue } from '../core/json.ts';
import { isZodSchema } from './input-parser.ts';

/** What a tool made with Zod consists of. */
export interface ZodToolParts {
  /** `undefined` for a tool that takes no input. */
  readonly schema: z.ZodType | undefined;
  readonly callback: FunctionToolCallback;
}

/** The Zod schema and the callback of a tool made with Zod; `undefined` for every other tool. */
export function zodToolParts(tool: Tool): ZodToolParts | undefined {
  if (!(tool instanceof ZodTool)) return undefined;
  const { _inputSchema: schema, _callback: callback } = tool as unknown as Readonly<Record<string, unknown>>;
  if (!isZodSchema(schema) || typeof callback !== 'function') {
    throw new ConfigError(`Tool '${tool.name}' hides its Zod schema from this version of tau; make it with tauTool`);
  }
  if (tool.stream !== ZodTool.prototype.stream) {
    throw new ConfigError(`Tool '${tool.name}' overrides stream(); make it with tauTool`);
  }
  return { schema: schema instanceof z.ZodVoid ? undefined : schema, callback: callback as FunctionToolCallback };
}

/** The agent that runs behind an agent-as-tool; `undefined` for every other tool. */
export function agentBehind(tool: Tool): Agent | undefined {
  if (!('agent' in tool) || !('delegate' in tool)) return undefined;
  const { agent } = tool;
  return typeof agent === 'object' && agent !== null && 'toolRegistry' in agent ? (agent as Agent) : undefined;
}

/** What an agent-as-tool begins each call with; `undefined` when it keeps its context from one call to the next. */
export function startOf(tool: Tool): Snapshot | undefined {
  const { _preserveContext: keeps, _initialSnapshot: start } = tool as unknown as Readonly<Record<string, unknown>>;
  if (keeps === true) return undefined;
  if (keeps === false && typeof start === 'object' && start !== null) return start as Snapshot;
  throw new ConfigError(
    `Tool '${tool.name}' does not say with what its agent begins; make it with asTool() of @strands-agents/sdk >=1.16 <2`,
  );
}

/** The client of a tool that an MCP server provides; `undefined` for every other tool. */
export function mcpClientOf(tool: Tool): unknown {
  return 'mcpClient' in tool ? tool.mcpClient : undefined;
}

/**
 * Where an MCP client connects to: the URL or the command line of its server. Empty for a transport that is neither, or
 * that keeps it in an unknown way.
 */
export function mcpAddressOf(client: object): string {
  const transport: unknown = (client as Readonly<Record<string, unknown>>)._transport;
  const { _url: url, _serverParams: params } = Object(transport) as Readonly<Record<string, unknown>>;
  if (url instanceof URL) return url.href;
  const { command, args } = Object(params) as Readonly<Record<string, unknown>>;
  return typeof command === 'string' ? JSON.stringify([command, args ?? []]) : '';
}

let outputTool: Promise<object> | undefined;

/**
 * The prototype of the SDK's tool for structured output. Its class is not exported; an agent that calls no model shows
 * it, before anybody else has had a hand in its registry.
 */
export function outputToolPrototype(): Promise<object> {
  outputTool ??= learnOutputTool();
  return outputTool;
}

async function learnOutputTool(): Promise<object> {
  const agent = new Agent({ model: new SilentModel(), printer: false, structuredOutputSchema: z.object({}) });
  let prototype: unknown;
  agent.addHook(BeforeModelCallEvent, (event) => {
    const tool = event.agent.toolRegistry.get(OUTPUT_TOOL);
    prototype ??= tool === undefined ? undefined : Object.getPrototypeOf(tool);
    event.cancel = 'learned';
  });
  // With nobody to give output the SDK ends in an error; what was looked for is known by then.
  await agent.invoke('learn').catch(() => undefined);
  if (typeof prototype !== 'object' || prototype === null) throw unknownShape();
  return prototype;
}

/** The SDK's name for the tool that takes structured output. */
export const OUTPUT_TOOL = 'strands_structured_output';

/** A model that is never asked. */
class SilentModel extends Model {
  updateConfig(): void {}
  getConfig(): BaseModelConfig {
    return { modelId: 'silent' };
  }
  stream(): AsyncIterable<ModelStreamEvent> {
    throw new ConfigError('this model is never asked');
  }
}

/** One registered tool-call hook. */
export interface RegisteredHook {
  readonly callback: object;
  readonly order: number;
}

/** The `BeforeToolCallEvent` hooks of an agent in the order in which they run. */
export function beforeToolCallHooks(agent: LocalAgent): readonly RegisteredHook[] {
  return hooksOf(agent, BeforeToolCallEvent);
}

function hooksOf(agent: LocalAgent, event: HookableEventConstructor): readonly RegisteredHook[] {
  const registry: unknown = (agent as unknown as Readonly<Record<string, unknown>>)._hooksRegistry;
  const callbacks: unknown = (registry as Readonly<Record<string, unknown>> | undefined)?._callbacks;
  if (!(callbacks instanceof Map)) throw unknownShape();
  const hooks: unknown = callbacks.get(event) ?? [];
  if (!Array.isArray(hooks) || !hooks.every(isHook)) throw unknownShape();
  return hooks;
}

/**
 * Replaces the interrupts of an agent where the SDK's own way, its snapshots, is closed: it loads none while background
 * tasks are under way, and the agent would stay stopped for good.
 *
 * @param interrupts - In the form that a snapshot has them.
 * @throws ConfigError when the SDK keeps its interrupts in an unknown way.
 */
export function replaceInterrupts(agent: Agent, interrupts: JSONValue): void {
  const holder = agent as unknown as { _interruptState?: { constructor: { fromJSON?: (data: unknown) => object } } };
  const { fromJSON } = holder._interruptState?.constructor ?? {};
  if (typeof fromJSON !== 'function') throw unknownShape();
  Object.assign(holder, { _interruptState: fromJSON(JSON.parse(JSON.stringify(interrupts))) });
}

/**
 * Whether an agent surely waits for nothing, told from a look at what its snapshot would be made of; making one costs a
 * short turn several percent. `false` where that looks in any other way: then the snapshot says.
 */
export function isSurelyIdle(agent: LocalAgent): boolean {
  const state: unknown = (agent as unknown as Readonly<Record<string, unknown>>)._interruptState;
  if (typeof state !== 'object' || state === null) return false;
  const { activated, interrupts, pendingToolExecution } = state as Readonly<Record<string, unknown>>;
  if (activated !== false || pendingToolExecution !== undefined || !('pendingToolExecution' in state)) return false;
  if (typeof interrupts !== 'object' || interrupts === null) return false;
  if (Object.getPrototypeOf(interrupts) !== Object.prototype) return false;
  for (const _id in interrupts) return false;
  return true;
}

function isHook(hook: unknown): hook is RegisteredHook {
  return (
    typeof hook === 'object' &&
    hook !== null &&
    'callback' in hook &&
    typeof hook.callback === 'function' &&
    'order' in hook &&
    typeof hook.order === 'number'
  );
}

function unknownShape(): ConfigError {
  return new ConfigError(
    'This version of @strands-agents/sdk keeps its hooks in a way that tau does not know; use >=1.16 <2',
  );
}

/** What guards a plain agent, as far as it can be seen from outside. */
export interface TemplateGuards {
  readonly interventions: NonNullable<AgentConfig['interventions']>;
  /** The developer's own plugins, the SDK's left out. */
  readonly plugins: readonly Plugin[];
  readonly router: ModelRouter | undefined;
  /** Names of guards that cannot be carried over to a copy. */
  readonly unknown: readonly string[];
}

/** Reads what guards an agent that has not been initialized. */
export function templateGuards(agent: Agent): TemplateGuards {
  const fields = agent as unknown as Readonly<Record<string, unknown>>;
  const interventions = (fields._interventionRegistry as { readonly handlers?: unknown } | undefined)?.handlers;
  const registry = fields._pluginRegistry as { readonly _pending?: unknown; readonly _plugins?: unknown } | undefined;
  const middleware = (fields._middlewareRegistry as { readonly _handlers?: unknown } | undefined)?._handlers;
  if (!Array.isArray(interventions) || !(registry?._plugins instanceof Map) || !Array.isArray(registry._pending)) {
    throw unknownShape();
  }
  if (!(middleware instanceof Map)) throw unknownShape();
  const plugins = [...registry._plugins.values(), ...registry._pending].filter(isOwnPlugin);
  return {
    interventions,
    plugins,
    router: fields._modelRouter instanceof ModelRouter ? fields._modelRouter : undefined,
    unknown: uncarried(agent, interventions, registry._plugins.size > 0, middleware),
  };
}

/** Hooks and middleware were added to the agent object by hand, or by plugins that have run already. */
function uncarried(
  agent: Agent,
  interventions: TemplateGuards['interventions'],
  initialized: boolean,
  middleware: Map<unknown, unknown>,
): string[] {
  const { beforeToolCall, afterToolCall } = InterventionHandler.prototype;
  const expected = new Map<HookableEventConstructor, number>([
    [BeforeToolCallEvent, interventions.some((handler) => handler.beforeToolCall !== beforeToolCall) ? 1 : 0],
    [AfterToolCallEvent, interventions.some((handler) => handler.afterToolCall !== afterToolCall) ? 1 : 0],
    [BeforeToolsEvent, 0],
    [AfterToolsEvent, 0],
  ]);
  const hooked = [...expected].some(([event, own]) => hooksOf(agent, event).length > own);
  const stages = middleware.get(ExecuteToolStage);
  const staged = Array.isArray(stages) && stages.length > 0;
  if (initialized) return hooked || staged ? ['hooks or middleware, and has been used already'] : [];
  return [
    ...(hooked ? ['tool-call hooks added with addHook()'] : []),
    ...(staged ? ['tool middleware added with addMiddleware()'] : []),
  ];
}

const SDK_PLUGIN = /^strands:/;

function isOwnPlugin(plugin: unknown): plugin is Plugin {
  if (typeof plugin !== 'object' || plugin === null || !('name' in plugin) || typeof plugin.name !== 'string')
    return false;
  return !SDK_PLUGIN.test(plugin.name) && !(plugin instanceof ModelRouter);
}
