import type { JSX } from 'preact';
import { StatusBadge } from '../parts/status-badge.tsx';
import { visible } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import type { Approval } from '../wire/shapes.ts';
import { ArgumentsArea } from './arguments-area.tsx';
import { Facts } from './facts.tsx';
import { RetryBar } from './retry-bar.tsx';
import { Technical } from './technical.tsx';
import type { Replaced } from './use-card.ts';
import { useWatcher } from './use-watcher.ts';
import { Verdict } from './verdict.tsx';

/** A question that is over, in full. Of one whose outcome is unknown a new attempt can be ordered. */
export function OverCard(props: {
  readonly approval: Approval;
  readonly wasOpen: boolean;
  readonly elsewhere: boolean;
  readonly reload: () => Promise<boolean>;
  readonly onReplaced: Replaced;
}): JSX.Element {
  const { t } = useWords();
  const { approval, wasOpen, elsewhere, reload, onReplaced } = props;
  const { mayRetry, retriedAs } = approval;
  const { watcher, complete, bar } = useWatcher(mayRetry);
  const showMissing = (): void => watcher?.next?.scrollIntoView({ block: 'start' });
  return (
    <article class="question question-over" aria-label={visible(approval.tool)}>
      <header>
        <h2>{visible(approval.tool)}</h2>
        <StatusBadge status={approval.status} />
      </header>
      <Verdict approval={approval} focus={wasOpen} elsewhere={elsewhere} />
      {mayRetry ? <p class="note">{t('life.retry_more')}</p> : null}
      {retriedAs === undefined ? null : (
        <p class="note" role="status">
          {t('life.retried')} <a href={fragmentOf({ view: 'approval', id: retriedAs })}>{t('life.to_attempt')}</a>
        </p>
      )}
      <Facts approval={approval} watcher={watcher} />
      <ArgumentsArea approval={approval} watcher={watcher} />
      {mayRetry ? <RetryBar {...{ approval, bar, complete, showMissing, reload, onReplaced }} /> : null}
      <Technical approval={approval} />
    </article>
  );
}
