import type { Tool } from '@strands-agents/sdk';
import type { CatalogEntry } from '../core/catalog.ts';
import { ConfigError, errorText } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import type { LateGuardOptions } from './build-options.ts';
import { makeGuardedTool } from './guarded-tool.ts';
import { guardOf } from './guards.ts';
import { mcpClientOf, OUTPUT_TOOL } from './sdk-internals.ts';
import { guardTool } from './tau-tool.ts';

/** A tool of an MCP server, guarded and bound to a gate, and what the gate's catalog is to say of it. */
export interface GuardedMcpTool {
  readonly tool: Tool;
  readonly entry: CatalogEntry;
}

/**
 * Guards a tool of an MCP server.
 *
 * @param source - Whose it is; see `mcpSources`.
 * @throws ConfigError when it cannot be guarded, or `guard` means that of another client.
 */
export function guardMcpTool(tool: Tool, options: LateGuardOptions, gate: TierGate, source: string): GuardedMcpTool {
  if (options.client !== undefined && options.client !== mcpClientOf(tool)) {
    throw new ConfigError(`\`guard\` means the '${tool.name}' of another MCP client`);
  }
  if (tool.name === OUTPUT_TOOL) throw new ConfigError(`'${OUTPUT_TOOL}' is the SDK's own name`);
  const guard = guardOf(guardTool(tool, options));
  if (guard === undefined) throw new ConfigError(`Tool '${tool.name}' could not be guarded`);
  const entry = Object.freeze({ ...guard.entry, source });
  return { tool: makeGuardedTool({ ...guard, entry, gate }), entry };
}

/** Tells of a tool that was left out: what a server offers must not keep an agent from being built. */
export function reportLeftOut(gate: TierGate, tool: string, error: unknown): void {
  gate.reportError('agent', `tool '${tool}' of an MCP server is not offered: ${errorText(error)}`, { tool });
}
