import {
  type AbstractAgent,
  type CopilotKitCore,
  type Interrupt,
  isInterruptExpired,
  type ResumeEntry,
} from '@copilotkit/react-core/v2';
import type { Answer } from './answers.tsx';

interface Options {
  readonly copilotkit: Pick<CopilotKitCore, 'runAgent'>;
  readonly agent: AbstractAgent;
  /** The answers of the person, by id of the interrupt. A question without one is cancelled: a no. */
  readonly given: ReadonlyMap<string, Answer>;
}

/**
 * Answers the open questions where `useInterrupt` cannot: it forgets its question when the time is up, and when a run
 * fails, so also when the answer itself is lost on the way. The question stays open at the server, and the AG-UI client
 * then refuses every other run on the thread.
 *
 * A repeated answer is safe: the server remembers it, and runs nothing twice.
 */
export async function resumeByHand({ copilotkit, agent, given }: Options): Promise<void> {
  const open = agent.pendingInterrupts;
  // The client does not even send a "no" to an expired question; once it is off its list, it does.
  if (open.some((interrupt) => isInterruptExpired(interrupt))) agent.pendingInterrupts = [];
  await copilotkit.runAgent({ agent, resume: open.map((interrupt) => entryFor(interrupt, given.get(interrupt.id))) });
}

function entryFor({ id }: Interrupt, answer: Answer | undefined): ResumeEntry {
  const payload = answer === undefined ? undefined : payloadOf(answer);
  return payload === undefined
    ? { interruptId: id, status: 'cancelled' }
    : { interruptId: id, status: 'resolved', payload };
}

/** An answer as tau reads it; `undefined` when it is none. */
export function payloadOf(answer: Answer): { readonly approved: boolean; readonly reason?: string } | undefined {
  switch (answer.decision) {
    case 'approved':
      return { approved: true };
    case 'rejected':
      return answer.reason === '' ? { approved: false } : { approved: false, reason: answer.reason };
    case 'cancelled':
    case 'expired':
      return undefined;
    default:
      return answer satisfies never;
  }
}
