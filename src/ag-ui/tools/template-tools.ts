import type { Tool } from '@strands-agents/sdk';
import { consoleLogger } from '../../core/platform.ts';
import { OUTPUT_TOOL } from '../../strands/sdk-internals.ts';
import type { Logger, TemplateToolSelectionEntry } from '../config.ts';
import { isProxyTool, type StrandsToolRegistry } from './client-tools.ts';
import { type ExemptNames, isExempt } from './parked-batch.ts';
import { isProducedTool } from './produced-tools.ts';
import { readSelection, type Selection } from './selection.ts';
import { registryName, shown } from './tool-names.ts';

/** How a template sync is done. */
export interface TemplateSyncOptions {
  /** Names that stay, or come back, whatever the selection says; see `parkedBatchToolNames`. */
  readonly exemptNames?: ExemptNames;
  readonly log?: Logger;
}

/**
 * Makes the template's tools in a registry those that are selected. Proxies of client tools and tools of producers are
 * others' to decide about; one exception: a selected tool takes its name back from a proxy that nobody waits for.
 *
 * Whose an entry is, is known by the object, and else by elimination: it has the name of a template tool and is nobody
 * else's. So tools that are built anew for each request, or reloaded, are filtered all the same.
 *
 * @param selection - What a `TemplateToolsProvider` answers; `null` or `undefined` brings all tools back.
 * @returns Names of the template's tools that the registry holds now.
 * @throws TypeError when the selection is not a list of names or tools; the registry is untouched then.
 */
export function syncTemplateTools(
  registry: StrandsToolRegistry,
  tools: Iterable<Tool>,
  selection: Iterable<TemplateToolSelectionEntry> | null | undefined,
  options: TemplateSyncOptions = {},
): Set<string> {
  const { exemptNames = new Set<string>(), log = consoleLogger } = options;
  const template = toolsByName(tools);
  const selected = readSelection(selection, template.keys(), log);
  const kept = [...template].filter(([name]) => isSelected(selected, name) || isExempt(exemptNames, name));
  const keptNames = new Set(kept.map(([name]) => name));
  for (const name of template.keys()) {
    const entry = registry.get(name);
    if (!keptNames.has(name) && entry !== undefined && mayBeTemplateTool(entry)) registry.remove(name);
  }
  return new Set(kept.flatMap(([name, tool]) => (isInPlace(registry, tool, exemptNames, log) ? [name] : [])));
}

/** Whether a selection lets a name through. */
export function isSelected(selection: Selection, name: string): boolean {
  return selection === undefined || selection.has(name);
}

/** Tools by name; what has no name, and what is not the template's, is left out. */
export function toolsByName(tools: Iterable<Tool>): Map<string, Tool> {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (typeof tool.name === 'string' && tool.name !== '' && mayBeTemplateTool(tool)) byName.set(tool.name, tool);
  }
  return byName;
}

/** Whether a registry entry is neither a client's, nor a producer's, nor the SDK's own for structured output. */
export function mayBeTemplateTool(entry: Tool): boolean {
  return !isProxyTool(entry) && !isProducedTool(entry) && entry.name !== OUTPUT_TOOL;
}

/** Puts a kept tool into the registry where it is missing; `false` when its name is somebody else's. */
function isInPlace(registry: StrandsToolRegistry, tool: Tool, exemptNames: ExemptNames, log: Logger): boolean {
  const { name } = tool;
  const entry = registry.get(name);
  if (entry !== undefined && mayBeTemplateTool(entry)) return true;
  const rivals = registry.list().filter((other) => registryName(other.name) === registryName(name));
  const keeper = rivals.find((rival) => !isProxyTool(rival) || isExempt(exemptNames, rival.name));
  if (keeper !== undefined) {
    log.debug(`Template tool ${shown(name)} is not registered: ${shown(keeper.name)} holds its name`);
    return false;
  }
  for (const rival of rivals) registry.remove(rival.name);
  registry.add(tool);
  return true;
}
