import { useAgent } from '@copilotkit/react-core/v2';
import { useEffect } from 'react';
import { z } from 'zod';
import { type Answer, idsOf, useAnswers } from './answers.tsx';

const decided = z.object({ interruptId: z.string(), decision: z.string(), by: z.string().nullable() });

/** The same question can be answered on another channel. The first answer wins, and tau says whose it was. */
export function useDecisionsElsewhere(): void {
  const { agent } = useAgent({ updates: [] });
  const { give } = useAnswers();
  useEffect(() => {
    const subscription = agent.subscribe({
      onCustomEvent: ({ event }) => {
        const { data } = event.name === 'tau:decided' ? decided.safeParse(event.value) : {};
        if (data === undefined) return;
        const open = agent.pendingInterrupts.find(({ id }) => id === data.interruptId);
        give(open === undefined ? [data.interruptId] : idsOf(open), answerOf(data));
      },
    });
    return () => subscription.unsubscribe();
  }, [agent, give]);
}

function answerOf({ decision, by }: z.infer<typeof decided>): Answer {
  const who = by === null ? {} : { by };
  if (decision === 'approved') return { decision, ...who };
  if (decision === 'rejected') return { decision, reason: '', ...who };
  return { decision: decision === 'timeout' ? 'expired' : 'cancelled' };
}
