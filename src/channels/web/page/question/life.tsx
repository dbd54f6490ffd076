import type { ComponentChildren, JSX } from 'preact';
import { showJson } from '../../../../core/escape.ts';
import { MarkedText } from '../parts/marked-text.tsx';
import { visible } from '../parts/visible.ts';
import { useReader, useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import { readClosed } from '../told/closed.ts';
import { byWhom, whereOf } from '../told/who.ts';
import type { Approval, Decided, Delivery, Outcome } from '../wire/shapes.ts';
import type { Words } from '../words/words.ts';

/** Everything that happened to an approval, in order. */
export function Life({ approval }: { readonly approval: Approval }): JSX.Element {
  const reader = useReader();
  const { t } = reader.words;
  const { decision, outcome, closedBecause, editOf, retryOf } = approval;
  return (
    <section class="life" aria-label={t('life.title')}>
      <h2>{t('life.title')}</h2>
      <ol>
        <Step at={approval.createdAt}>{byWhom('asked', approval.requester, reader)}</Step>
        {editOf === undefined ? null : <Related label={t('life.edit_of')} id={editOf} at={approval.createdAt} />}
        {retryOf === undefined ? null : <Related label={t('life.retry_of')} id={retryOf} at={approval.createdAt} />}
        {approval.deliveries.map((delivery) => (
          <DeliveryStep key={`${delivery.channel} ${delivery.at}`} delivery={delivery} />
        ))}
        {decision === undefined ? null : <DecisionStep decision={decision} />}
        {closedBecause === undefined ? null : <ClosedStep at={approval.updatedAt} because={closedBecause} />}
        {outcome === undefined ? null : <OutcomeStep outcome={outcome} />}
      </ol>
    </section>
  );
}

function Step({ at, children }: { readonly at: number; readonly children: ComponentChildren }): JSX.Element {
  const { dateTime } = useWords();
  return (
    <li>
      <time dateTime={new Date(at).toISOString()}>{dateTime(at)}</time>
      <div>{children}</div>
    </li>
  );
}

function Related(props: { readonly label: string; readonly id: string; readonly at: number }): JSX.Element {
  return (
    <Step at={props.at}>
      <a href={fragmentOf({ view: 'approval', id: props.id })}>{props.label}</a>
    </Step>
  );
}

function DecisionStep({ decision }: { readonly decision: Decided }): JSX.Element {
  const reader = useReader();
  const { t, duration } = reader.words;
  const { by, channel, tookMs, reason } = decision;
  const after = t('life.after', { time: duration(tookMs) });
  const what = (): string => {
    if (decision.decision === 'timeout') return t('verdict.timeout');
    return byWhom(decision.decision === 'approved' ? 'approved' : 'rejected', by, reader);
  };
  return (
    <Step at={decision.at}>
      {[what(), whereOf(channel, reader.words), after].join(', ')}
      {reason === undefined ? null : <Reason text={reason} />}
    </Step>
  );
}

function Reason({ text }: { readonly text: string }): JSX.Element {
  const { t } = useWords();
  return (
    <p class="quoted">
      <MarkedText text={t('verdict.reason', { reason: visible(text) })} />
    </p>
  );
}

function DeliveryStep({ delivery }: { readonly delivery: Delivery }): JSX.Element {
  const words = useWords();
  const { at, channel, delivered, error } = delivery;
  const where = whereOf(channel, words);
  return (
    <Step at={at}>
      {words.t(delivered ? 'life.delivered' : 'life.undelivered', { where })}
      {error === undefined ? null : <p class="quoted">{visible(error)}</p>}
    </Step>
  );
}

/** Why it was closed: in words where there are some, else as the record has it. */
function ClosedStep({ at, because }: { readonly at: number; readonly because: string }): JSX.Element {
  const reader = useReader();
  const closed = readClosed(because);
  if (closed.type === 'other') {
    return (
      <Step at={at}>
        {reader.words.t('verdict.other')}
        <Reason text={because} />
      </Step>
    );
  }
  const where = closed.type === 'withdrawn' ? `, ${whereOf(closed.channel, reader.words)}` : '';
  const reason = closed.type === 'withdrawn' ? closed.because : undefined;
  return (
    <Step at={at}>
      {byWhom(closed.type, closed.by, reader)}
      {where}
      {reason === undefined ? null : <Reason text={reason} />}
    </Step>
  );
}

function OutcomeStep({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  const words = useWords();
  const { result } = outcome;
  return (
    <Step at={outcome.at}>
      {outcomeText(outcome.status, words)}
      {result === undefined ? null : (
        <details>
          <summary>{words.t('life.result')}</summary>
          <pre class="code-block">
            <MarkedText text={showJson(result).join('\n')} />
          </pre>
        </details>
      )}
    </Step>
  );
}

function outcomeText(status: string, { t, named }: Words): string {
  if (status === 'done' || status === 'failed' || status === 'unknown') return t(`life.outcome.${status}`);
  return named('status', status);
}
