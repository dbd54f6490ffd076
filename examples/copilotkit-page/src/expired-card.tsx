import type { Interrupt } from '@copilotkit/react-core/v2';
import { type ReactElement, useState } from 'react';
import { type Answer, idsOf, useAnswers } from './answers.tsx';
import { useResumeByHand } from './use-resume-by-hand.ts';

/** What is left of questions whose time ran out. */
export function ExpiredCard({ interrupts }: { readonly interrupts: readonly Interrupt[] }): ReactElement {
  const { give } = useAnswers();
  const resume = useResumeByHand();
  const [going, setGoing] = useState(false);
  const goOn = (): void => {
    setGoing(true);
    const expired: Answer = { decision: 'expired' };
    give(interrupts.flatMap(idsOf), expired);
    resume(new Map(interrupts.map(({ id }) => [id, expired])));
  };
  return (
    <article className="card expired">
      <header className="card-head">
        <h2>Nobody answered in time</h2>
      </header>
      <p className="card-text">Nothing was run.</p>
      <div className="card-buttons">
        <button type="button" className="button" disabled={going} onClick={goOn}>
          Go on without
        </button>
      </div>
    </article>
  );
}
