import type { JSX } from 'preact';
import { ViewHeading } from '../parts/heading.tsx';
import { LiveApproval } from '../question/live-approval.tsx';
import { useDesk, useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import { goTo } from '../state/use-route.ts';

/** One approval with its whole life; while it is open, the question in full. */
export function ApprovalView({ id }: { readonly id: string }): JSX.Element {
  const { t } = useWords();
  const { pending = [] } = useDesk();
  const next = pending.find((approval) => approval.mayDecide && approval.id !== id);
  const here = pending.find((approval) => approval.id === id);
  return (
    <div class="view view-approval">
      <ViewHeading>{t('question.page')}</ViewHeading>
      <nav class="steps" aria-label={t('page.back')}>
        <a href={fragmentOf({ view: 'waiting' })}>← {t('page.back')}</a>
        {here?.threadId === undefined ? null : (
          <a href={fragmentOf({ view: 'chat', threadId: here.threadId })}>{t('question.open_chat')}</a>
        )}
        {next === undefined ? null : (
          <a class="steps-next" href={fragmentOf({ view: 'approval', id: next.id })}>
            {t('question.next')} →
          </a>
        )}
      </nav>
      <LiveApproval id={id} whole onReplaced={(replacedBy) => goTo({ view: 'approval', id: replacedBy })} />
    </div>
  );
}
