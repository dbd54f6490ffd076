import type { ReactElement } from 'react';
import { escapeText } from 'strands-tau';
import { useResumeByHand } from './use-resume-by-hand.ts';

/** Something went wrong on the way. */
export interface Failure {
  readonly text: string;
  /** Whether it was an answer that got lost. It can be sent again. */
  readonly answerLost: boolean;
}

export function Problem({ failure }: { readonly failure: Failure }): ReactElement {
  const resume = useResumeByHand();
  return (
    <div className="problem" role="alert">
      <p>
        {failure.answerLost ? 'Your answer may not have arrived: ' : 'That went wrong: '}
        {escapeText(failure.text)}
      </p>
      {failure.answerLost ? (
        <button type="button" className="button" onClick={() => resume()}>
          Send the answer again
        </button>
      ) : null}
    </div>
  );
}
