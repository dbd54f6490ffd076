import { loadParkedTurn } from '../../strands/parked-turn.ts';
import { pendingCalls } from '../thread/pending-calls.ts';
import type { ThreadAgent } from '../thread/thread-agent.ts';
import { readBookkeeping } from './bookkeeping.ts';
import type { Plan } from './plan.ts';
import { whatWaits } from './waiting.ts';

/** In the place of a client's fingerprint, which is the hex of a hash. */
const WOKEN = 'woken by the server';

/**
 * What waking a thread without its client means: its waiting calls go on, or, when only the client can say how, nothing.
 */
export async function planWakeUp(thread: ThreadAgent, conversation: string): Promise<Plan> {
  const { parked, natives } = await whatWaits(thread, conversation);
  if (!parked || natives.size > 0 || (await waitsForClient(thread, conversation))) return { type: 'replay' };
  return { type: 'resume', fingerprint: WOKEN, approvals: [], natives: [], lost: [] };
}

/** Calls of tools that the client had offered, and that this process does not hold: to the agent they would be unknown. */
async function waitsForClient({ agent, guarded }: ThreadAgent, conversation: string): Promise<boolean> {
  const parked = guarded === undefined ? undefined : await loadParkedTurn(guarded.gate.store, conversation);
  const offered = new Set(readBookkeeping(agent).clientTools);
  return pendingCalls(parked?.pending).some(({ name }) => {
    return offered.has(name) && agent.toolRegistry.get(name) === undefined;
  });
}
