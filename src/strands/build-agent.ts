import {
  Agent,
  type AgentConfig,
  type BackgroundTasksConfig,
  type HookableEvent,
  type HookableEventConstructor,
  type HookCallback,
  type LocalAgent,
  McpClient,
  Model,
  ModelRouter,
  type Plugin,
  SessionManager,
  Tool,
} from '@strands-agents/sdk';
import type { ApprovalStore } from '../core/approval-store.ts';
import type { Approver } from '../core/approver.ts';
import { ToolCatalog } from '../core/catalog.ts';
import { ConfigError } from '../core/errors.ts';
import type { EventSink } from '../core/events.ts';
import { TierGate } from '../core/gate.ts';
import type { Language } from '../core/i18n.ts';
import type { Clock, Logger, Random } from '../core/platform.ts';
import type { Policy } from '../core/policy.ts';
import { bindTools, hasPhysical, type InstallHooks, unguardedText } from './binding.ts';
import { keepToBudget } from './budget.ts';
import { guardOf } from './guards.ts';
import { hooksBehindGate } from './hooks-behind-gate.ts';
import { limitText } from './notices.ts';
import { saveBeforeModelCalls } from './session.ts';
import { TauAgent } from './tau-agent.ts';
import { type GuardOptions, guardTool } from './tau-tool.ts';
import { OUTPUT_TOOL, TierHook } from './tier-hook.ts';

/** A hook to add to the agent. */
export interface HookOption<T extends HookableEvent = HookableEvent> {
  readonly event: HookableEventConstructor<T>;
  readonly callback: HookCallback<T>;
  /** Lower runs first; one that would run behind the gate is refused. */
  readonly order?: number;
}

/** A list of tools, nested as one likes. An MCP client brings its tools when the agent starts; name them in `guard`. */
export type GuardedToolList = readonly (Tool | McpClient | GuardedToolList)[];

/** The SDK's own options that `buildAgent` hands on as they are. */
export type SdkOptions = Omit<
  AgentConfig,
  'model' | 'tools' | 'plugins' | 'toolExecutor' | 'backgroundTasks' | 'sessionManager' | 'checkpointing'
>;

/** What an agent is built from. `gate`, or the parts of one. */
export interface BuildAgentOptions extends SdkOptions {
  /** The SDK's model, model router, or the id of a Bedrock model. */
  readonly model: Model | ModelRouter | string;
  /** Tools from `tauTool` or `guardTool`; one without a tier is refused. */
  readonly tools?: GuardedToolList;
  /** A gate to share; then none of its parts may be given. */
  readonly gate?: TierGate;
  readonly catalog?: ToolCatalog;
  readonly approver?: Approver;
  readonly policy?: Policy;
  readonly timeoutSeconds?: number;
  readonly useWithinSeconds?: number;
  readonly store?: ApprovalStore;
  readonly sinks?: readonly EventSink[];
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly redact?: readonly string[];
  /** Language of notices; default that of the gate. */
  readonly language?: Language;
  /** Model calls in one user turn; default 20. */
  readonly maxTurns?: number;
  /** Tokens that one user turn may use. */
  readonly limits?: { readonly outputTokens?: number; readonly totalTokens?: number };
  readonly hooks?: readonly HookOption[];
  readonly plugins?: readonly Plugin[];
  /** Tiers for tools that plugins and MCP clients bring; one that is not named here stays refused. */
  readonly guard?: Readonly<Record<string, GuardOptions>>;
  readonly sessionManager?: SessionManager;
  readonly backgroundTasks?: boolean | BackgroundTasksConfig;
  /** Name of the conversation in approvals; default the SDK's session id. */
  readonly conversation?: string;
  /** Name of the channel the conversation is held on, for the record. */
  readonly channel?: string;
}

const DEFAULT_MAX_TURNS = 20;

/**
 * Builds a Strands agent whose tools are guarded, and checks that nothing stands between the guard and what runs.
 *
 * @throws ConfigError when a tool has no tier, a tool-call hook would run behind the gate, two tools share a name, a
 *   part comes from another copy of the SDK, or options contradict each other.
 */
export async function buildAgent(options: BuildAgentOptions): Promise<TauAgent> {
  checkSdkCopies(options);
  const { tools, clients } = flatten(options.tools ?? []);
  const gate = gateOf(options);
  const hook = new TierHook(gate);
  const install = (subAgent: LocalAgent): Promise<void> => hook.initAgent(subAgent);
  const bound = await bindTools(tools, gate, install);
  const agent = new Agent(agentConfig(options, hook, bound, clients));
  for (const hook of options.hooks ?? []) {
    agent.addHook(hook.event, hook.callback, hook.order === undefined ? {} : { order: hook.order });
  }
  await agent.initialize();
  await guardLateTools(agent, gate, options, install);
  refuseHooksBehindGate(agent);
  const language = options.language ?? gate.language;
  keepToBudget(agent, (hit, budget) => limitText(language, hit, budget));
  if (options.sessionManager !== undefined) saveBeforeModelCalls(agent, options.sessionManager);
  return new TauAgent({
    agent,
    gate,
    language,
    limits: { turns: positive('maxTurns', options.maxTurns ?? DEFAULT_MAX_TURNS), ...options.limits },
    conversation: options.conversation ?? agent.sessionId,
    channel: options.channel,
    durable: options.sessionManager !== undefined,
    background: backgroundNames(options.backgroundTasks, bound),
    outputSchema: options.structuredOutputSchema !== undefined,
  });
}

function checkSdkCopies({ model, sessionManager }: BuildAgentOptions): void {
  const own = typeof model === 'string' || model instanceof Model || model instanceof ModelRouter;
  if (!own) throw new ConfigError(`The model is not one of this copy of @strands-agents/sdk; ${ONE_COPY}`);
  if (sessionManager !== undefined && !(sessionManager instanceof SessionManager)) {
    throw new ConfigError(`The session manager is not one of this copy of @strands-agents/sdk; ${ONE_COPY}`);
  }
}

const ONE_COPY = "with two copies hooks are silently dead. See 'npm ls @strands-agents/sdk'";

function gateOf(options: BuildAgentOptions): TierGate {
  const {
    gate,
    catalog,
    approver,
    policy,
    timeoutSeconds,
    useWithinSeconds,
    store,
    sinks,
    logger,
    clock,
    random,
    redact,
    language,
  } = options;
  const parts = { approver, policy, timeoutSeconds, useWithinSeconds, store, sinks, logger, clock, random, redact };
  const given = Object.entries({ catalog, ...parts }).filter(([, value]) => value !== undefined);
  if (gate === undefined)
    return new TierGate({
      catalog: catalog ?? new ToolCatalog(),
      ...(language === undefined ? {} : { language }),
      ...Object.fromEntries(given),
    });
  if (given.length === 0) return gate;
  throw new ConfigError(`Give either gate or ${given.map(([name]) => name).join(', ')}; a gate has its own`);
}

function flatten(list: GuardedToolList): { tools: Tool[]; clients: McpClient[] } {
  const tools: Tool[] = [];
  const clients: McpClient[] = [];
  const add = (items: GuardedToolList): void => {
    for (const item of items) {
      if (Array.isArray(item)) add(item);
      else if (item instanceof McpClient) clients.push(item);
      else tools.push(checkedTool(item));
    }
  };
  add(list);
  return { tools, clients };
}

function checkedTool(item: unknown): Tool {
  if (item instanceof Agent) {
    throw new ConfigError(`Agent '${item.name}' has no tier as a tool: guardTool(agent.asTool(), { tier, effect })`);
  }
  if (!(item instanceof Tool)) {
    const name = typeof item === 'object' && item !== null && 'name' in item ? String(item.name) : String(item);
    throw new ConfigError(`'${name}' is not a Strands tool of this copy of @strands-agents/sdk; ${ONE_COPY}`);
  }
  if (guardOf(item) === undefined) throw new ConfigError(unguardedText(item.name));
  if (item.name === OUTPUT_TOOL) throw new ConfigError(`'${OUTPUT_TOOL}' is the SDK's own name; choose another`);
  return item;
}

function agentConfig(options: BuildAgentOptions, hook: TierHook, tools: Tool[], clients: McpClient[]): AgentConfig {
  return {
    printer: false,
    ...sdkOptions(options),
    model: options.model,
    tools: [...tools, ...clients],
    plugins: [...(options.plugins ?? []), hook],
    toolExecutor: hasPhysical(tools) ? 'sequential' : 'concurrent',
    ...(options.sessionManager === undefined ? {} : { sessionManager: options.sessionManager }),
    ...(options.backgroundTasks === undefined
      ? {}
      : { backgroundTasks: foregroundByDefault(options.backgroundTasks, tools) }),
  };
}

const OWN_OPTIONS: ReadonlySet<string> = new Set<Exclude<keyof BuildAgentOptions, keyof SdkOptions>>([
  'model',
  'tools',
  'gate',
  'catalog',
  'approver',
  'policy',
  'timeoutSeconds',
  'useWithinSeconds',
  'store',
  'sinks',
  'logger',
  'clock',
  'random',
  'redact',
  'language',
  'maxTurns',
  'limits',
  'hooks',
  'plugins',
  'guard',
  'sessionManager',
  'backgroundTasks',
  'conversation',
  'channel',
]);

/** Everything that is the SDK's; what is tau's own is taken out by name. */
function sdkOptions(options: BuildAgentOptions): AgentConfig {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => !OWN_OPTIONS.has(name) && value !== undefined),
  );
}

/** Physical tools stay in the foreground unless they are named: a question in the background cannot be parked. */
function foregroundByDefault(
  config: boolean | BackgroundTasksConfig,
  tools: readonly Tool[],
): boolean | BackgroundTasksConfig {
  if (config === false) return false;
  const given = config === true ? {} : config;
  const named = backgroundNames(given, tools);
  const physical = tools.filter((tool) => hasPhysical([tool]) && !named.has(tool.name)).map((tool) => tool.name);
  return { ...given, never: [...(given.never ?? []), ...physical] };
}

function backgroundNames(
  config: boolean | BackgroundTasksConfig | undefined,
  tools: readonly Tool[],
): ReadonlySet<string> {
  if (config === undefined || typeof config === 'boolean') return new Set();
  const names = [...(config.always ?? []), ...(config.agentic ?? [])].map((tool) =>
    typeof tool === 'string' ? tool : tool.name,
  );
  return new Set(names.includes('*') ? tools.map((tool) => tool.name) : names);
}

const MANAGE_TASKS: GuardOptions = { tier: 1, effect: 'Lists, reads or cancels background tasks of this agent' };

/** Tools that arrived while the agent started. Those that `guard` names are guarded; the hook withdraws the rest. */
async function guardLateTools(
  agent: Agent,
  gate: TierGate,
  options: BuildAgentOptions,
  install: InstallHooks,
): Promise<void> {
  const tiers = new Map(Object.entries(options.guard ?? {}));
  if (options.backgroundTasks !== undefined) tiers.set('strands_manage_background_task', MANAGE_TASKS);
  const late = agent.toolRegistry.list().filter((tool) => guardOf(tool) === undefined);
  const guarded = late.flatMap((tool) => {
    const tier = tiers.get(tool.name);
    return tier === undefined ? [] : [guardTool(tool, tier)];
  });
  agent.toolRegistry.addOrReplace(await bindTools(guarded, gate, install));
  if (hasPhysical(guarded)) agent.toolExecutor = 'sequential';
}

function refuseHooksBehindGate(agent: Agent): void {
  const behind = hooksBehindGate(agent);
  if (behind.length === 0) return;
  throw new ConfigError(`Tool-call hooks would run behind the gate: ${behind.join('; ')}. Give them a finite order`);
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new ConfigError(`${name} is ${value}; give a positive number`);
}
