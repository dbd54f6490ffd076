import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Account } from './parts/account.tsx';
import { Brand } from './parts/brand.tsx';
import { LanguageChoice } from './parts/language-choice.tsx';
import { visible } from './parts/visible.ts';
import { useDesk, usePage, useWords } from './state/page-context.ts';
import { fragmentOf, type Route } from './state/route.ts';
import { useRoute } from './state/use-route.ts';
import { ApprovalView } from './views/approval-view.tsx';
import { AuditView } from './views/audit-view.tsx';
import { ChatView } from './views/chat-view.tsx';
import { HistoryView } from './views/history-view.tsx';
import { WaitingView } from './views/waiting-view.tsx';
import type { Approval } from './wire/shapes.ts';
import type { WordKey } from './words/en.ts';

/** What stands around every view: who is here, where one can go, and what waits. */
export function Shell(): JSX.Element {
  const route = useRoute();
  const { t } = useWords();
  const waiting = useWaiting();
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {t('nav.skip')}
      </button>
      <Header />
      <Navigation route={route} waiting={waiting.length} />
      <main id="content" class="scrolls" tabIndex={-1}>
        <ConnectionNote />
        <View route={route} />
      </main>
    </div>
  );
}

function View({ route }: { readonly route: Route }): JSX.Element {
  switch (route.view) {
    case 'chat':
      return <ChatView threadId={route.threadId} />;
    case 'waiting':
      return <WaitingView />;
    case 'approval':
      return <ApprovalView id={route.id} />;
    case 'history':
      return <HistoryView />;
    case 'audit':
      return <AuditView />;
    default:
      return route satisfies never;
  }
}

function Header(): JSX.Element {
  const { words, setLanguage } = usePage();
  return (
    <header class="top">
      <Brand />
      <ConnectionMark />
      <div class="top-end">
        <LanguageChoice words={words} setLanguage={setLanguage} />
        <Account />
      </div>
    </header>
  );
}

const places: readonly (readonly [Route['view'], WordKey, Route])[] = [
  ['chat', 'nav.chat', { view: 'chat' }],
  ['waiting', 'nav.waiting', { view: 'waiting' }],
  ['history', 'nav.history', { view: 'history' }],
  ['audit', 'nav.audit', { view: 'audit' }],
];

/** A question stands among those that wait while it is open, then in the history. */
function placeOf(route: Route, pending: readonly Approval[] | undefined): Route['view'] {
  if (route.view !== 'approval' || pending === undefined) return route.view;
  return pending.some(({ id }) => id === route.id) ? 'waiting' : 'history';
}

function Navigation({ route, waiting }: { readonly route: Route; readonly waiting: number }): JSX.Element {
  const { t } = useWords();
  const { chats } = usePage();
  const { pending } = useDesk();
  const here = placeOf(route, pending);
  // Back to the conversation that was looked at last.
  const target = (to: Route): Route =>
    to.view === 'chat' && chats.last !== undefined ? { view: 'chat', threadId: chats.last } : to;
  return (
    <nav class="places" aria-label={t('nav.label')}>
      <ul>
        {places.map(([view, label, to]) => (
          <li key={view}>
            <a href={fragmentOf(target(to))} {...(here === view ? { 'aria-current': 'page' as const } : {})}>
              {t(label)}
              {view === 'waiting' && waiting > 0 ? (
                <span class="count">
                  {waiting}
                  <span class="unseen"> {t('waiting.count', { count: waiting })}</span>
                </span>
              ) : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ConnectionMark(): JSX.Element {
  const { t } = useWords();
  const { connection } = useDesk();
  const words = { connecting: 'page.connecting', live: 'page.live', lost: 'page.offline' } as const;
  return <p class={`connection connection-${connection}`}>{t(words[connection])}</p>;
}

function ConnectionNote(): JSX.Element | null {
  const { desk } = usePage();
  const { t } = useWords();
  if (useDesk().connection !== 'lost') return null;
  return (
    <p class="note note-bad" role="alert">
      {t('page.lost')}{' '}
      <button type="button" class="quiet" onClick={() => desk.connect()}>
        {t('page.reconnect')}
      </button>
    </p>
  );
}

/** The questions that this person may answer; tells of new ones, in the title and to screen readers. */
function useWaiting(): readonly Approval[] {
  const { words, announce } = usePage();
  const { pending = [] } = useDesk();
  const waiting = pending.filter((approval) => approval.mayDecide);
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const fresh = waiting.filter(({ id }) => !known.current.has(id));
    known.current = new Set(waiting.map(({ id }) => id));
    if (fresh.length > 0) {
      announce(fresh.map(({ tool }) => words.t('waiting.new', { tool: visible(tool) })).join('. '));
    }
  });
  useEffect(() => {
    const count = waiting.length;
    document.title = count > 0 ? words.t('waiting.page_title', { count }) : words.t('page.title');
  }, [waiting.length, words]);
  return waiting;
}
