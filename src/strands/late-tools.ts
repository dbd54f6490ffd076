import type { Agent, McpClient, Tool } from '@strands-agents/sdk';
import { ConfigError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import { bindTools, hasPhysical, type InstallHooks, registerEntry } from './binding.ts';
import type { BuildAgentOptions, LateGuardOptions } from './build-options.ts';
import { guardMcpTool, reportLeftOut } from './guard-mcp-tool.ts';
import { guardOf } from './guards.ts';
import { mcpSources } from './mcp-source.ts';
import type { LateGuards } from './mcp-tools.ts';
import { mcpClientOf } from './sdk-internals.ts';
import { guardTool } from './tau-tool.ts';

/** What guarding tools that arrive by themselves needs. */
export interface LateGuarding {
  readonly gate: TierGate;
  readonly tiers: LateGuards;
  /** The agent's MCP clients, in the order of `tools`. */
  readonly clients: readonly McpClient[];
  readonly install: InstallHooks;
  readonly backgroundTasks: BuildAgentOptions['backgroundTasks'];
}

const MANAGE_TASKS: LateGuardOptions = { tier: 1, effect: 'Lists, reads or cancels background tasks of this agent' };
const MANAGE_TASKS_NAME = 'strands_manage_background_task';

/**
 * Guards the tools that plugins brought while the agent started, where `guard` names them; the hook withdraws the rest.
 * One that comes from an MCP server and cannot be guarded is left out, with an `error` event.
 *
 * @throws ConfigError when another one cannot be guarded.
 */
export async function guardLateTools(agent: Agent, guarding: LateGuarding): Promise<void> {
  const { gate, tiers, install, backgroundTasks } = guarding;
  const guarded: Tool[] = [];
  for (const tool of agent.toolRegistry.list()) {
    if (guardOf(tool) !== undefined) continue;
    const options = tiers.get(tool.name) ?? (isTaskManager(tool, backgroundTasks) ? MANAGE_TASKS : undefined);
    if (options !== undefined) guarded.push(...guardLate(tool, options, guarding));
  }
  agent.toolRegistry.addOrReplace(await bindTools(guarded, gate, install));
  if (hasPhysical(guarded) || [...tiers.values()].some(({ tier }) => tier === 2)) agent.toolExecutor = 'sequential';
}

function guardLate(tool: Tool, options: LateGuardOptions, guarding: LateGuarding): Tool[] {
  const client = mcpClientOf(tool);
  if (typeof client === 'object' && client !== null) return guardMcp(tool, client, options, guarding);
  if (options.client === undefined) return [guardTool(tool, options)];
  throw new ConfigError(`A plugin brings '${tool.name}', but \`guard\` means that of an MCP client; rename one`);
}

function guardMcp(tool: Tool, client: object, options: LateGuardOptions, { gate, clients }: LateGuarding): Tool[] {
  const all = [...new Set<object>([...clients, client])];
  const source = mcpSources(all)[all.indexOf(client)] ?? '';
  try {
    const guarded = guardMcpTool(tool, options, gate, source);
    registerEntry(guarded.entry, gate);
    return [guarded.tool];
  } catch (error) {
    reportLeftOut(gate, tool.name, error);
    return [];
  }
}

/** The SDK's own tool for background tasks, and nobody else's of that name. */
function isTaskManager(tool: Tool, backgroundTasks: BuildAgentOptions['backgroundTasks'] = false): boolean {
  return backgroundTasks !== false && tool.name === MANAGE_TASKS_NAME && mcpClientOf(tool) === undefined;
}
