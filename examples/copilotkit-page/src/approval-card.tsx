import { type ReactElement, useId, useState } from 'react';
import { escapeText, showJson } from 'strands-tau';
import type { Answer } from './answers.tsx';
import type { TauApproval } from './tau-approval.ts';

interface Props {
  readonly approval: TauApproval;
  /** What was answered already, while other questions of the same turn are still open. */
  readonly answer: Answer | undefined;
  /** Whether every question of the turn is answered. */
  readonly complete: boolean;
  readonly secondsLeft: number | undefined;
  readonly onAnswer: (answer: Answer) => void;
}

/** One question: exactly what would run, and two buttons. Nothing is preselected, and no key approves. */
export function ApprovalCard({ approval, answer, complete, secondsLeft, onAnswer }: Props): ReactElement {
  const title = useId();
  return (
    <article className="card" aria-labelledby={title} data-tool={approval.tool}>
      <header className="card-head">
        <h2 id={title}>Approval needed</h2>
        {secondsLeft === undefined ? null : <span className="card-time">{timeOf(secondsLeft)} left</span>}
      </header>
      <dl className="card-facts">
        <Fact name="Tool">
          <code className="card-tool">{escapeText(approval.tool)}</code>
        </Fact>
        <Fact name="Tier">
          <span className="card-tier">{approval.tier}</span> {tierText(approval.tier)}
        </Fact>
        <Fact name="Effect">{escapeText(approval.effect)}</Fact>
        <Fact name="Digest">
          <code className="card-digest">{(approval.digest.match(/.{1,4}/gu) ?? []).join(' ')}</code>
        </Fact>
      </dl>
      <figure className="card-arguments">
        <figcaption>
          Arguments <span>written by the model, shown as text</span>
        </figcaption>
        <pre>{showJson(approval.arguments).join('\n')}</pre>
      </figure>
      {answer === undefined ? (
        <Buttons onAnswer={onAnswer} />
      ) : (
        <p className="card-answered">
          {answer.decision === 'approved' ? 'You said yes.' : 'You said no.'}{' '}
          {complete ? 'Sending it …' : 'It is sent when every question is answered.'}
        </p>
      )}
    </article>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Buttons({ onAnswer }: Pick<Props, 'onAnswer'>): ReactElement {
  const [reason, setReason] = useState('');
  const reject = (): void => onAnswer({ decision: 'rejected', reason: reason.trim() });
  return (
    <div className="card-answer">
      <label>
        <span>Reason for a no (optional); the model reads it</span>
        <input
          type="text"
          value={reason}
          maxLength={300}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) reject();
          }}
        />
      </label>
      <div className="card-buttons">
        <button type="button" className="button reject" onClick={reject}>
          Reject
        </button>
        <button type="button" className="button approve" onClick={() => onAnswer({ decision: 'approved' })}>
          Approve
        </button>
      </div>
    </div>
  );
}

function tierText(tier: number): string {
  switch (tier) {
    case 0:
      return 'reads data';
    case 1:
      return 'writes data';
    case 2:
      return 'physical action or self-written code';
    default:
      return 'unknown';
  }
}

function timeOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
