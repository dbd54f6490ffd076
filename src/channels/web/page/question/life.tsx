import type { ComponentChildren, JSX } from 'preact';
import { showJson } from '../../../../core/escape.ts';
import { MarkedText } from '../parts/marked-text.tsx';
import { visible } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import type { Approval, Decided, Outcome } from '../wire/shapes.ts';
import type { Words } from '../words/words.ts';
import { useAnswering } from './use-answer.ts';

interface LifeProps {
  readonly approval: Approval;
  readonly reload: () => Promise<void>;
  readonly onRetried: (approval: Approval) => void;
}

/** Everything that happened to an approval, in order. */
export function Life({ approval, reload, onRetried }: LifeProps): JSX.Element {
  const words = useWords();
  const { t } = words;
  const { decision, outcome, closedBecause, editOf, retryOf } = approval;
  return (
    <section class="life" aria-label={t('life.title')}>
      <h2>{t('life.title')}</h2>
      <ol>
        <Step at={approval.createdAt}>{t('life.asked', { who: visible(approval.requester.id) })}</Step>
        {editOf === undefined ? null : <Related label={t('life.edit_of')} id={editOf} at={approval.createdAt} />}
        {retryOf === undefined ? null : <Related label={t('life.retry_of')} id={retryOf} at={approval.createdAt} />}
        {approval.deliveries.map(({ at, channel, delivered, error }) => (
          <Step key={`${channel} ${at}`} at={at}>
            {delivered
              ? t('life.delivered', { channel: visible(channel) })
              : t('life.undelivered', {
                  channel: visible(channel),
                  problem: error === undefined ? t('life.unknown_problem') : visible(error),
                })}
          </Step>
        ))}
        {decision === undefined ? null : <DecisionStep decision={decision} />}
        {closedBecause === undefined ? null : (
          <Step at={approval.updatedAt}>{t('life.closed', { because: visible(closedBecause) })}</Step>
        )}
        {outcome === undefined ? null : <OutcomeStep outcome={outcome} />}
      </ol>
      {approval.mayRetry ? <Retry approval={approval} reload={reload} onRetried={onRetried} /> : null}
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
  const { t, named, duration } = useWords();
  const values = {
    who: visible(decision.by.id),
    decision: named('decision', decision.decision),
    channel: visible(decision.channel),
    time: duration(decision.tookMs),
  };
  return (
    <Step at={decision.at}>
      {t('life.decided', values)}
      {decision.reason === undefined ? null : (
        <p class="quoted">
          {t('life.reason')}: <MarkedText text={visible(decision.reason)} />
        </p>
      )}
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

/** Nobody knows whether it happened, so a person has to say that it may be tried again. */
function Retry({ approval, reload, onRetried }: LifeProps): JSX.Element {
  const { t } = useWords();
  const { busy, order } = useAnswering();
  const retry = async (): Promise<void> => {
    const next = await order(approval, 'retry');
    if (next !== undefined && next.id !== approval.id) onRetried(next);
    else await reload();
  };
  return (
    <div class="note">
      <p>{t('life.retry_more')}</p>
      <button type="button" disabled={busy} onClick={() => void retry()}>
        {t('life.retry')}
      </button>
    </div>
  );
}
