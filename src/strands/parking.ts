import type { LocalAgent, ToolContext, ToolUseBlock } from '@strands-agents/sdk';
import { TauError } from '../core/errors.ts';
import { type Guard, guardOf } from './guards.ts';
import { type Batch, originOf, type RunContext } from './run-context.ts';

/** Interrupts of this name are tau's wake-ups: they carry nothing, and no answer to one is ever read. */
export const PARK_PREFIX = 'tau.';

/**
 * Stops the loop at this call. The interrupt is only the way to stop; what wakes the call is a decision in the
 * store. Each attempt has a name of its own, so an answer that somebody planted for one is never found.
 *
 * @throws the SDK's InterruptError.
 */
export function park(context: ToolContext, run: RunContext): never {
  for (let attempt = 0; attempt < 3; attempt++) {
    const name = PARK_PREFIX + globalThis.crypto.randomUUID();
    run.wakeups.add(name);
    context.interrupt({ name });
  }
  throw new TauError('parking', 'the agent did not stop for a question that is still open; the tool was not run');
}

/** Asks the questions of all other tier-2 calls of the batch now, so that one round of answers is enough. */
export async function askForTheRest(run: RunContext, agent: LocalAgent, batch: Batch): Promise<void> {
  if (batch.asked) return;
  batch.asked = true;
  for (const block of batch.message.content) {
    if (block.type !== 'toolUseBlock' || batch.claimed.has(block.toolUseId)) continue;
    const guard = guardOf(agent.toolRegistry.get(block.name));
    if (guard !== undefined && guard.gate === run.gate && asksAhead(run, guard))
      await askAhead(run, agent, batch, guard, block);
  }
}

function asksAhead(run: RunContext, { entry, kind }: Guard): boolean {
  return entry.tier === 2 && kind === 'leaf' && !run.background.has(entry.name);
}

async function askAhead(
  run: RunContext,
  agent: LocalAgent,
  batch: Batch,
  guard: Guard,
  block: ToolUseBlock,
): Promise<void> {
  const { toolUseId, input } = block;
  const verdict = await run.gate.check(
    { tool: guard.entry.name, arguments: input, toolUseId, origin: originOf(run) },
    {
      position: { conversation: run.conversation, batch: batch.message.trackingId, toolUseId },
      claim: true,
      signal: agent.cancelSignal,
      ...(run.visible === undefined ? {} : { visible: run.visible }),
    },
  );
  if (!verdict.allowed && verdict.approval === 'pending') run.parked.add(verdict.approvalId);
}
