import type { Agent, LocalAgent, Tool } from '@strands-agents/sdk';
import type { CatalogEntry } from '../core/catalog.ts';
import { isSameDefinition } from '../core/digest.ts';
import { ConfigError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import { keepToBudget } from './budget-hook.ts';
import { bindTool } from './guarded-tool.ts';
import { guardOf } from './guards.ts';
import { agentBehind } from './sdk-internals.ts';

/** Adds the gate's hooks to an agent. */
export type InstallHooks = (agent: LocalAgent) => void | Promise<void>;

/** Replaces the guarded tools of an agent by copies that are bound to the gate, and registers them in its catalog. */
export async function bindRegistry(agent: LocalAgent, gate: TierGate, install: InstallHooks): Promise<void> {
  const guarded = agent.toolRegistry.list().filter((tool) => guardOf(tool) !== undefined);
  agent.toolRegistry.addOrReplace(await bindTools(guarded, gate, install));
}

/**
 * Bound copies of guarded tools. A tool that is an agent brings its own tools under the same gate.
 *
 * @throws ConfigError when a tool is not guarded, is bound to another gate, or has the name of another tool.
 */
export async function bindTools(tools: readonly Tool[], gate: TierGate, install: InstallHooks): Promise<Tool[]> {
  const bound: Tool[] = [];
  for (const tool of tools) {
    const guard = guardOf(tool);
    if (guard === undefined) throw new ConfigError(unguardedText(tool.name));
    // It was registered when it was bound; one that was withdrawn since must not come back by this way.
    if (guard.gate === gate) {
      bound.push(tool);
      continue;
    }
    const subAgent = guard.kind === 'agent' ? agentBehind(guard.inner) : undefined;
    if (subAgent !== undefined) await adopt(subAgent, gate, install);
    registerEntry(guard.entry, gate);
    bound.push(bindTool(tool, guard, gate));
  }
  return bound;
}

/** What to say about a tool without a tier. */
export function unguardedText(name: string): string {
  return `Tool '${name}' has no tier. Make it with tauTool({ …, tier }), or guard it: guardTool(tool, { tier, effect })`;
}

const adopted = new WeakMap<Agent, TierGate>();

/** Puts an agent that is used as a tool under the gate: its tools, its budget, its executor. */
async function adopt(agent: Agent, gate: TierGate, install: InstallHooks): Promise<void> {
  const owner = adopted.get(agent);
  if (owner === gate) return;
  if (owner !== undefined)
    throw new ConfigError(`Agent '${agent.name}' works under another gate already; make a new one`);
  adopted.set(agent, gate);
  try {
    await putUnder(agent, install);
  } catch (error) {
    // A second try must find the same fault, not an agent that looks adopted.
    adopted.delete(agent);
    throw error;
  }
}

async function putUnder(agent: Agent, install: InstallHooks): Promise<void> {
  await agent.initialize();
  const unguarded = agent.toolRegistry.list().find((tool) => guardOf(tool) === undefined);
  if (unguarded !== undefined)
    throw new ConfigError(`Agent '${agent.name}', used as a tool: ${unguardedText(unguarded.name)}`);
  await install(agent);
  keepToBudget(agent, () => 'The turn reached its limit; no further model call is allowed. Report what is known.');
  if (hasPhysical(agent.toolRegistry.list())) agent.toolExecutor = 'sequential';
}

/**
 * For tools that are to serve several conversations.
 *
 * @throws ConfigError when an agent among them, or among the tools of one, keeps its context: it would tell one person
 *   what another one said.
 */
export function refuseKeptContext(tools: readonly Tool[], seen: Set<Agent> = new Set()): void {
  for (const tool of tools) {
    const guard = guardOf(tool);
    const agent = guard?.kind === 'agent' ? agentBehind(guard.inner) : undefined;
    if (guard === undefined || agent === undefined || seen.has(agent)) continue;
    if (guard.start === undefined) throw new ConfigError(keptText(tool.name));
    refuseKeptContext(agent.toolRegistry.list(), seen.add(agent));
  }
}

function keptText(tool: string): string {
  return `Tool '${tool}' is an agent that keeps its context, and with it the words of one conversation for the next. Use asTool() without preserveContext, or serve a factory that makes the agents of each conversation anew`;
}

/** Whether any of the tools is of tier 2. */
export function hasPhysical(tools: readonly Tool[]): boolean {
  return tools.some((tool) => guardOf(tool)?.entry.tier === 2);
}

/** One gate may serve many agents built from the same tools; a different tool of the same name is refused. */
export function registerEntry(entry: CatalogEntry, gate: TierGate): void {
  const known = gate.catalog.get(entry.name);
  if (known === undefined) return gate.catalog.register(entry);
  if (known !== entry && !isSameDefinition(known, entry)) {
    throw new ConfigError(`Two different tools are named '${entry.name}'; rename one`);
  }
}
