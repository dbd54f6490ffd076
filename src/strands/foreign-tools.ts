import type { LocalAgent, Tool } from '@strands-agents/sdk';
import type { TierGate } from '../core/gate.ts';
import { unguardedText } from './binding.ts';

const warned = new WeakSet<Tool>();

/** Takes tools without a guard out of an agent's registry, so that they are not offered to the model; one warning each. */
export function withdrawForeignTools(agent: LocalAgent, gate: TierGate, mayStay: (tool: Tool) => boolean): void {
  for (const tool of agent.toolRegistry.list()) {
    if (mayStay(tool)) continue;
    agent.toolRegistry.remove(tool.name);
    if (warned.has(tool)) continue;
    warned.add(tool);
    gate.warn(
      `A tool without a tier was added to the agent; it is not offered and will not run. ${unguardedText(tool.name)}`,
    );
  }
}
