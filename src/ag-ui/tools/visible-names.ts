import type { Tool } from '@strands-agents/sdk';
import { guardOf } from '../../strands/guards.ts';
import { agentBehind } from '../../strands/sdk-internals.ts';

/**
 * What a guard is to let through, since it also stands before the tools of agents that are used as tools: the given
 * tools, and whatever the agents among them can reach, save the names that are withheld.
 */
export function visibleNames(tools: Iterable<Tool>, withheld: (name: string) => boolean): Set<string> {
  const names = new Set<string>();
  const seen = new Set<Tool>();
  const add = (tool: Tool): void => {
    if (seen.has(tool)) return;
    seen.add(tool);
    names.add(tool.name);
    const guard = guardOf(tool);
    const agent = guard?.kind === 'agent' ? agentBehind(guard.inner) : undefined;
    for (const inner of agent?.toolRegistry.list() ?? []) if (!withheld(inner.name)) add(inner);
  };
  for (const tool of tools) add(tool);
  return names;
}
