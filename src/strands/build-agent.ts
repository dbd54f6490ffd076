import {
  Agent,
  type AgentConfig,
  type BackgroundTasksConfig,
  HookableEvent,
  type LocalAgent,
  McpClient,
  Model,
  ModelRouter,
  SessionManager,
  Tool,
} from '@strands-agents/sdk';
import { ToolCatalog } from '../core/catalog.ts';
import { ConfigError } from '../core/errors.ts';
import { TierGate } from '../core/gate.ts';
import { bindTools, hasPhysical, unguardedText } from './binding.ts';
import type { BudgetLimits } from './budget.ts';
import { keepToBudget } from './budget-hook.ts';
import {
  type BuildAgentOptions,
  type GuardedToolList,
  givenParts,
  refuseMisspelt,
  sdkOptions,
} from './build-options.ts';
import { guardOf } from './guards.ts';
import { hooksBehindGate } from './hooks-behind-gate.ts';
import { guardLateTools } from './late-tools.ts';
import { limitText } from './notices.ts';
import { OUTPUT_TOOL, outputToolPrototype } from './sdk-internals.ts';
import { serveMcpTools } from './serve-mcp-tools.ts';
import { saveBeforeModelCalls } from './session.ts';
import { TauAgent } from './tau-agent.ts';
import { TierHook } from './tier-hook.ts';

const DEFAULT_MAX_TURNS = 20;

/**
 * Builds a Strands agent whose tools are guarded, and checks that nothing stands between the guard and what runs.
 *
 * @throws ConfigError when an option of tau is misspelt, a tool has no tier, a tool-call hook would run behind the gate, two tools share a name, a
 *   part comes from another copy of the SDK, or options contradict each other.
 */
export async function buildAgent(options: BuildAgentOptions): Promise<TauAgent> {
  refuseMisspelt(options);
  refuseUnsupported(options);
  checkSdkCopies(options);
  const { tools, clients } = flatten(options.tools ?? []);
  const gate = gateOf(options);
  const hook = new TierHook(gate);
  const install = (subAgent: LocalAgent): Promise<void> => hook.initAgent(subAgent);
  const bound = await bindTools(tools, gate, install);
  const agent = new Agent(agentConfig(options, hook, bound));
  for (const { event, callback, order } of options.hooks ?? []) {
    agent.addHook(event, callback, order === undefined ? {} : { order });
  }
  await agent.initialize();
  const tiers = new Map(Object.entries(options.guard ?? {}));
  const { backgroundTasks } = options;
  await guardLateTools(agent, { gate, tiers, clients, install, backgroundTasks });
  await serveMcpTools(agent, gate, clients, tiers);
  refuseHooksBehindGate(agent);
  const language = options.language ?? gate.language;
  keepToBudget(agent, (hit, budget) => limitText(language, hit, budget));
  if (options.sessionManager !== undefined) saveBeforeModelCalls(agent, options.sessionManager);
  return new TauAgent({
    agent,
    gate,
    language,
    limits: limitsOf(options),
    conversation: options.conversation ?? agent.sessionId,
    channel: options.channel,
    durable: options.sessionManager !== undefined,
    background: backgroundNames(options.backgroundTasks, bound),
    outputTool: options.structuredOutputSchema === undefined ? undefined : await outputToolPrototype(),
    rebuild: (overrides = {}) => buildAgent(rebuilt(options, gate, overrides)),
  });
}

/** JavaScript callers can give what the types do not allow. */
function refuseUnsupported(options: object): void {
  for (const name of ['toolExecutor', 'checkpointing']) {
    if (Reflect.get(options, name) !== undefined)
      throw new ConfigError(`${name} cannot be set: tau decides how guarded tools are run`);
  }
}

function checkSdkCopies({ model, sessionManager, hooks = [] }: BuildAgentOptions): void {
  const own = typeof model === 'string' || model instanceof Model || model instanceof ModelRouter;
  if (!own) throw new ConfigError(`The model is not one of this copy of @strands-agents/sdk; ${ONE_COPY}`);
  if (sessionManager !== undefined && !(sessionManager instanceof SessionManager)) {
    throw new ConfigError(`The session manager is not one of this copy of @strands-agents/sdk; ${ONE_COPY}`);
  }
  const dead = hooks.find(({ event }) => !(event?.prototype instanceof HookableEvent));
  if (dead !== undefined) {
    throw new ConfigError(`The event of a hook is not one of this copy of @strands-agents/sdk; ${ONE_COPY}`);
  }
}

const ONE_COPY = "with two copies hooks are silently dead. See 'npm ls @strands-agents/sdk'";

function gateOf(options: BuildAgentOptions): TierGate {
  const given = givenParts(options);
  if (options.gate !== undefined) {
    if (given.length === 0) return options.gate;
    throw new ConfigError(`Give either gate or ${given.join(', ')}; a gate has its own`);
  }
  const { language } = options;
  return new TierGate({
    catalog: new ToolCatalog(),
    ...(language === undefined ? {} : { language }),
    ...Object.fromEntries(given.map((name) => [name, options[name]])),
  });
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
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ConfigError(`Two tools are named '${twice}'; rename one`);
  return { tools, clients: [...new Set(clients)] };
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

function agentConfig(options: BuildAgentOptions, hook: TierHook, tools: Tool[]): AgentConfig {
  return {
    printer: false,
    ...sdkOptions(options),
    model: options.model,
    tools,
    plugins: [...(options.plugins ?? []), hook],
    toolExecutor: hasPhysical(tools) ? 'sequential' : 'concurrent',
    ...(options.sessionManager === undefined ? {} : { sessionManager: options.sessionManager }),
    ...(options.backgroundTasks === undefined
      ? {}
      : { backgroundTasks: foregroundByDefault(options.backgroundTasks, tools) }),
  };
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
  const never = new Set((config.never ?? []).map((tool) => (typeof tool === 'string' ? tool : tool.name)));
  const all = names.includes('*') ? tools.map((tool) => tool.name) : names;
  return new Set(all.filter((name) => !never.has(name)));
}

/** The same options with one shared gate in place of its parts; plugins are added, everything else is replaced. */
function rebuilt(options: BuildAgentOptions, gate: TierGate, overrides: Partial<BuildAgentOptions>): BuildAgentOptions {
  const parts: object = Object.fromEntries(givenParts(options).map((name) => [name, undefined]));
  const plugins = [...(options.plugins ?? []), ...(overrides.plugins ?? [])];
  return { ...options, ...parts, ...overrides, gate, plugins };
}

function refuseHooksBehindGate(agent: Agent): void {
  const behind = hooksBehindGate(agent);
  if (behind.length === 0) return;
  throw new ConfigError(`Tool-call hooks would run behind the gate: ${behind.join('; ')}. Give them a finite order`);
}

function limitsOf({ maxTurns = DEFAULT_MAX_TURNS, limits = {} }: BuildAgentOptions): BudgetLimits {
  const { outputTokens, totalTokens } = limits;
  return {
    turns: positive('maxTurns', maxTurns),
    outputTokens: outputTokens === undefined ? undefined : positive('limits.outputTokens', outputTokens),
    totalTokens: totalTokens === undefined ? undefined : positive('limits.totalTokens', totalTokens),
  };
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new ConfigError(`${name} is ${value}; give a positive number`);
}
