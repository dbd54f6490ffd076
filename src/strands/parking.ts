import type { LocalAgent, ToolContext } from '@strands-agents/sdk';
import { TauError } from '../core/errors.ts';
import { guardOf } from './guards.ts';
import { type Batch, originOf, type RunContext } from './run-context.ts';

/** Interrupts of this name are tau's wake-ups: they carry nothing, and no answer to one is ever read. */
export const PARK_PREFIX = 'tau.';

/**
 * Stops the loop at this call. The interrupt is only the way to stop; what wakes the call is a decision in the
 * store. Each attempt has a name of its own, so an answer that somebody planted for one is never found.
 *
 * @throws the SDK's InterruptError.
 */
export function park(context: ToolContext): never {
  for (let attempt = 0; attempt < 3; attempt++) {
    context.interrupt({ name: PARK_PREFIX + globalThis.crypto.randomUUID() });
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
    if (guard?.gate !== run.gate || guard.entry.tier !== 2 || run.background.has(block.name)) continue;
    const verdict = await run.gate.check(
      { tool: guard.entry.name, arguments: block.input, toolUseId: block.toolUseId, origin: originOf(run) },
      {
        parse: guard.parse,
        position: { conversation: run.conversation, batch: batch.message.trackingId, toolUseId: block.toolUseId },
        claim: true,
        ...(run.visible === undefined ? {} : { visible: run.visible }),
        signal: agent.cancelSignal,
      },
    );
    if (!verdict.allowed && verdict.approval === 'pending') run.parked.add(verdict.approvalId);
  }
}
