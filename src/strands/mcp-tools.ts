import type { Agent, McpClient, Tool } from '@strands-agents/sdk';
import type { TierGate } from '../core/gate.ts';
import { registerEntry } from './binding.ts';
import { bindTool } from './guarded-tool.ts';
import { guardOf } from './guards.ts';
import { mcpClientOf } from './sdk-internals.ts';
import { type GuardOptions, guardTool } from './tau-tool.ts';

/** What guarding the tools of MCP servers needs. */
export interface McpGuarding {
  readonly agent: Agent;
  readonly gate: TierGate;
  /** Tiers by name, from the application; a tool that is not named here is never registered. */
  readonly tiers: ReadonlyMap<string, GuardOptions>;
}

/**
 * Keeps the tools of an MCP server guarded while the server changes them. The SDK would put the server's new tools
 * into the registry as they are, over guarded ones and over tools of others.
 */
export function guardMcpClient(client: McpClient, guarding: McpGuarding): void {
  client.onToolsChanged = (_before, tools) => replaceTools(client, tools, guarding);
}

function replaceTools(client: McpClient, tools: readonly Tool[], { agent, gate, tiers }: McpGuarding): void {
  for (const tool of agent.toolRegistry.list().filter((known) => isFrom(client, known))) {
    agent.toolRegistry.remove(tool.name);
    // A question that is open, and an approval that is not used yet, are void with this.
    gate.catalog.withdraw(tool.name);
  }
  for (const tool of tools) {
    const tier = tiers.get(tool.name);
    if (tier === undefined) continue;
    try {
      addGuarded(tool, tier, agent, gate);
    } catch (error) {
      gate.reportError('agent', `tool '${tool.name}' of an MCP server is not offered`, { tool: tool.name, error });
    }
  }
}

function addGuarded(tool: Tool, tier: GuardOptions, agent: Agent, gate: TierGate): void {
  const guarded = guardTool(tool, tier);
  const guard = guardOf(guarded);
  if (guard === undefined) return;
  registerEntry(guard.entry, gate);
  agent.toolRegistry.add(bindTool(guarded, guard, gate));
}

/** Whether a registered tool, guarded or not, does its work at this server. */
function isFrom(client: McpClient, tool: Tool): boolean {
  return mcpClientOf(guardOf(tool)?.inner ?? tool) === client;
}
