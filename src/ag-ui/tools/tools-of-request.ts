import { loadParkedTurn } from '../../strands/parked-turn.ts';
import type { Request } from '../bridge-parts.ts';
import { readBookkeeping } from '../interrupt/bookkeeping.ts';
import type { Plan } from '../interrupt/plan.ts';
import type { ThreadAgent } from '../thread/thread-agent.ts';
import { batchToolNames, type ExemptNames, parkedBatchToolNames } from './parked-batch.ts';
import { type ToolsOfRun, toolsOfRun } from './tools-of-run.ts';

/** Gives the thread's agent the tools that this request may see. */
export async function toolsOfRequest(request: Request, thread: ThreadAgent, plan: Plan): Promise<ToolsOfRun> {
  const { parts, input, context } = request;
  const { config, log } = parts;
  return toolsOfRun({
    agent: thread.agent,
    templateTools: thread.templateTools,
    provider: config.templateToolsProvider,
    producers: config.toolProducers ?? [],
    input,
    context,
    parked: plan.type === 'resume' ? await parkedNames(request, thread) : new Set(),
    log,
  });
}

/** Names of the calls that a resume dispatches again: tau's own copy of a parked turn, else the SDK's checkpoint. */
async function parkedNames({ key, parts }: Request, { agent, guarded }: ThreadAgent): Promise<ExemptNames> {
  const { visible: remembered } = readBookkeeping(agent);
  const options = { remembered, log: parts.log };
  const parked = guarded === undefined ? undefined : await loadParkedTurn(guarded.gate.store, key);
  return parked === undefined ? parkedBatchToolNames(agent, options) : batchToolNames(parked.pending, options);
}
