import type { Interrupt, InterruptCancelFn, InterruptResolveFn } from '@copilotkit/react-core/v2';
import { type ReactElement, useEffect } from 'react';
import { type Answer, idsOf, useAnswers } from './answers.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { ExpiredCard } from './expired-card.tsx';
import { payloadOf } from './resume-by-hand.ts';
import { tauApprovalOf } from './tau-approval.ts';
import { UnknownCard } from './unknown-card.tsx';
import { useSecondsLeft } from './use-seconds-left.ts';

interface Props {
  readonly interrupts: readonly Interrupt[];
  readonly resolve: InterruptResolveFn;
  readonly cancel: InterruptCancelFn;
}

/**
 * Every question that the run stopped at, one card each. `resolve` and `cancel` collect the answers; CopilotKit goes on
 * when all are there, with one AG-UI `resume` entry for each.
 */
export function Questions({ interrupts, resolve, cancel }: Props): ReactElement {
  const { given, give, setWaiting } = useAnswers();
  const secondsLeft = useSecondsLeft(interrupts);
  useEffect(() => {
    setWaiting(true);
    return () => setWaiting(false);
  }, [setWaiting]);

  if (secondsLeft === 0) return <ExpiredCard interrupts={interrupts} />;

  const answer = (interrupt: Interrupt, decision: Answer): void => {
    give(idsOf(interrupt), decision);
    resolve(payloadOf(decision), interrupt.id).catch(reportNothing);
  };
  const dismiss = (interrupt: Interrupt): void => {
    give(idsOf(interrupt), { decision: 'cancelled' });
    cancel(interrupt.id).catch(reportNothing);
  };
  return (
    <section className="questions" aria-label="Questions">
      {interrupts.map((interrupt) => {
        const approval = tauApprovalOf(interrupt);
        if (approval === undefined) {
          return <UnknownCard key={interrupt.id} interrupt={interrupt} onCancel={() => dismiss(interrupt)} />;
        }
        return (
          <ApprovalCard
            key={interrupt.id}
            approval={approval}
            answer={given.get(interrupt.id)}
            complete={interrupts.every(({ id }) => given.has(id))}
            secondsLeft={secondsLeft}
            onAnswer={(decision) => answer(interrupt, decision)}
          />
        );
      })}
    </section>
  );
}

/** CopilotKit hands the same error to the chat's `onError`, which shows it. */
function reportNothing(): void {
  // Nothing is left to do here.
}
