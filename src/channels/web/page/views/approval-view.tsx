import type { JSX } from 'preact';
import { ViewHeading } from '../parts/heading.tsx';
import { LiveApproval, useApproval } from '../question/live-approval.tsx';
import { cameFrom } from '../state/came-from.ts';
import { useDesk, useReader, useWords } from '../state/page-context.ts';
import { fragmentOf, type Route } from '../state/route.ts';
import { goTo } from '../state/use-route.ts';
import { isSame } from '../told/who.ts';
import type { Approval } from '../wire/shapes.ts';
import type { WordKey } from '../words/en.ts';

/** One approval with its whole life; while it is open, the question in full. */
export function ApprovalView({ id }: { readonly id: string }): JSX.Element {
  const { t } = useWords();
  const load = useApproval(id);
  return (
    <div class="view view-approval">
      <ViewHeading>{t('question.page')}</ViewHeading>
      <Steps id={id} approval={load.value?.approval} />
      <LiveApproval id={id} load={load} whole onReplaced={(next) => goTo({ view: 'approval', id: next.id })} />
    </div>
  );
}

const places: Readonly<Record<Exclude<Route['view'], 'approval'>, WordKey>> = {
  chat: 'nav.chat',
  waiting: 'nav.waiting',
  history: 'nav.history',
  audit: 'nav.audit',
};

/** The ways on: back to where the person came from, to the conversation if it is theirs, to the next question. */
function Steps({ id, approval }: { readonly id: string; readonly approval: Approval | undefined }): JSX.Element {
  const { t } = useWords();
  const { me } = useReader();
  const { pending = [] } = useDesk();
  const next = pending.find((other) => other.mayDecide && other.id !== id);
  const back = backFrom(approval);
  const threadId = approval !== undefined && isSame(approval.requester, me) ? approval.threadId : undefined;
  const chat: Route | undefined = threadId === undefined ? undefined : { view: 'chat', threadId };
  return (
    <nav class="steps" aria-label={t('question.ways')}>
      {back.view === 'approval' ? null : <a href={fragmentOf(back)}>← {t(places[back.view])}</a>}
      {chat === undefined || fragmentOf(chat) === fragmentOf(back) ? null : (
        <a href={fragmentOf(chat)}>{t('question.open_chat')}</a>
      )}
      {next === undefined ? null : (
        <a class="steps-next" href={fragmentOf({ view: 'approval', id: next.id })}>
          {t('question.next')} →
        </a>
      )}
    </nav>
  );
}

/** Whoever opened the address itself came from nowhere: then it is the list that the question stands in. */
function backFrom(approval: Approval | undefined): Route {
  const from = cameFrom();
  if (from !== undefined && from.view !== 'approval') return from;
  return { view: approval === undefined || approval.status === 'pending' ? 'waiting' : 'history' };
}
