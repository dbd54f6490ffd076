import type { Tool } from '@strands-agents/sdk';
import { loadParkedTurn } from '../../strands/parked-turn.ts';
import type { Request } from '../bridge-parts.ts';
import { readBookkeeping } from '../interrupt/bookkeeping.ts';
import type { Plan } from '../interrupt/plan.ts';
import type { AgentSource } from '../thread/agent-source.ts';
import type { ThreadAgent } from '../thread/thread-agent.ts';
import { isProxyTool } from './client-tools.ts';
import { batchToolNames, type ExemptNames, parkedBatchToolNames } from './parked-batch.ts';
import { type ToolsOfRun, toolsOfRun } from './tools-of-run.ts';

/** Gives the thread's agent the tools that this request may see. */
export async function toolsOfRequest(request: Request, thread: ThreadAgent, plan: Plan): Promise<ToolsOfRun> {
  const { parts, input, context } = request;
  const { config, log } = parts;
  return toolsOfRun({
    agent: thread.agent,
    templateTools: [...thread.templateTools, ...newestTools(parts.source)],
    provider: config.templateToolsProvider,
    producers: config.toolProducers ?? [],
    input,
    context,
    parked: plan.type === 'resume' ? await parkedNames(request, thread) : new Set(),
    log,
  });
}

/** A plain template that was built anew around a kept agent brings its own tools, and they are fresher. */
function newestTools(source: AgentSource): readonly Tool[] {
  return source.kind === 'template' ? source.agent.tools : [];
}

/** Names of the calls that a resume dispatches again: tau's own copy of a parked turn, else the SDK's checkpoint. */
async function parkedNames({ key, parts }: Request, { agent, guarded }: ThreadAgent): Promise<ExemptNames> {
  const { log } = parts;
  const parked = guarded === undefined ? undefined : await loadParkedTurn(guarded.gate.store, key);
  if (parked === undefined) return parkedBatchToolNames(agent, { remembered: readBookkeeping(agent).visible, log });
  // The store says what the guard let through when it parked. Client tools are not the guard's to let through.
  const proxies = agent.tools.filter(isProxyTool).map((tool) => tool.name);
  const remembered = parked.visible === undefined ? undefined : [...parked.visible, ...proxies];
  return batchToolNames(parked.pending, { remembered, log });
}
