import type { LocalAgent, McpClient } from '@strands-agents/sdk';
import type { TierGate } from '../core/gate.ts';
import { mcpFeedOf } from './mcp-feed.ts';
import { mcpSources } from './mcp-source.ts';
import { type LateGuards, McpTools } from './mcp-tools.ts';

/**
 * Gives an agent the tools of MCP servers that `tiers` names, guarded, and keeps them as the servers have them. The SDK
 * itself never gets the clients: it would put what a server offers into the registry as it is, over tools of others, and
 * would fail where a name is taken.
 *
 * @throws whatever the SDK throws when a server cannot be reached.
 */
export async function serveMcpTools(
  agent: LocalAgent,
  gate: TierGate,
  clients: readonly McpClient[],
  tiers: LateGuards,
): Promise<void> {
  if (clients.length === 0) return;
  await Promise.all(clients.map((client) => mcpFeedOf(client).ask()));
  const sources = mcpSources(clients);
  const servers = clients.map((client, index) => mcpToolsOf(client, gate, sources[index] ?? ''));
  serving.set(agent, servers);
  for (const server of servers) server.serve(agent, { tiers, servers });
}

/** Puts the tools of MCP servers in an agent's registry right: a filter may bring back one from before a change. */
export function refreshMcpTools(agent: LocalAgent): void {
  for (const server of serving.get(agent) ?? []) server.refresh(agent);
}

const serving = new WeakMap<LocalAgent, readonly McpTools[]>();

/** The tools of each client under each gate. */
const known = new WeakMap<TierGate, WeakMap<McpClient, Map<string, McpTools>>>();

function mcpToolsOf(client: McpClient, gate: TierGate, source: string): McpTools {
  const clients = known.get(gate) ?? new WeakMap<McpClient, Map<string, McpTools>>();
  known.set(gate, clients);
  const ofClient = clients.get(client) ?? new Map<string, McpTools>();
  clients.set(client, ofClient);
  const tools = ofClient.get(source) ?? new McpTools(gate, source);
  if (!ofClient.has(source)) mcpFeedOf(client).follow(tools);
  ofClient.set(source, tools);
  return tools;
}
