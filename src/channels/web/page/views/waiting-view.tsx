import type { JSX } from 'preact';
import { ApprovalRow } from '../parts/approval-row.tsx';
import { ViewHeading } from '../parts/heading.tsx';
import { useDesk, useNow, useWords } from '../state/page-context.ts';

/** All open questions, the oldest first. */
export function WaitingView(): JSX.Element {
  const { t } = useWords();
  const { pending } = useDesk();
  const now = useNow(1000);
  const mine = pending?.filter(({ mayDecide }) => mayDecide) ?? [];
  const others = pending?.filter(({ mayDecide }) => !mayDecide) ?? [];
  return (
    <div class="view">
      <ViewHeading>{t('waiting.title')}</ViewHeading>
      {pending === undefined ? <p class="loading">{t('page.loading')}</p> : null}
      {pending !== undefined && mine.length === 0 ? (
        <div class="empty">
          <p>{t('waiting.none')}</p>
          <p class="hint">{t('waiting.none_more')}</p>
        </div>
      ) : null}
      <ul class="rows">
        {mine.map((approval) => (
          <ApprovalRow key={approval.id} approval={approval} now={now} />
        ))}
      </ul>
      {others.length > 0 ? (
        <section aria-label={t('waiting.others')}>
          <h2>{t('waiting.others')}</h2>
          <ul class="rows">
            {others.map((approval) => (
              <ApprovalRow key={approval.id} approval={approval} now={now} />
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}
