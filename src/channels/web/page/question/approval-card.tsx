import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { StatusBadge } from '../parts/status-badge.tsx';
import { visible } from '../parts/visible.ts';
import { usePage, useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import type { Approval } from '../wire/shapes.ts';
import { ArgumentsArea } from './arguments-area.tsx';
import { DecideBar } from './decide-bar.tsx';
import type { Answered } from './deciding.ts';
import { Facts } from './facts.tsx';
import { ShownWatcher } from './shown-watcher.ts';
import { type Answer, type Note, useAnswering } from './use-answer.ts';
import { Verdict } from './verdict.tsx';

interface CardProps {
  readonly approval: Approval;
  /** Whether all of it is told once it is over, too. */
  readonly whole: boolean;
  /** Reads the question again. */
  readonly reload: () => Promise<void>;
  /** Shows another question in this one's place: the edit of it, or a new attempt. */
  readonly onReplaced: (approval: Approval) => void;
  /** What is to be told when the card appears. */
  readonly note?: Note | undefined;
}

/** One question in full, with what can be done about it. Give it `key={id + digest}`: a new question is a new card. */
export function ApprovalCard(props: CardProps): JSX.Element {
  const { approval, whole, note: firstNote } = props;
  const { t } = useWords();
  const open = approval.status === 'pending';
  const decidable = open && approval.mayDecide;
  const { watcher, complete } = useWatcher(decidable);
  const { busy, note, unfit, mine, answer, withdraw } = useCard(props);
  const told = note ?? firstNote;
  const [wasOpen] = useState(open);
  return (
    <article
      class={`question question-${open ? 'open' : 'over'}`}
      aria-label={`${t('question.title')}: ${visible(approval.tool)}`}
    >
      <header>
        <h2>{open ? t('question.title') : visible(approval.tool)}</h2>
        <StatusBadge status={approval.status} />
      </header>
      {told === undefined ? null : (
        <p class={`note note-${told.tone}`} role="status">
          {t(told.key, told.values)}
        </p>
      )}
      {open ? null : <Verdict approval={approval} focus={wasOpen} elsewhere={wasOpen && !mine} />}
      <Content approval={approval} whole={open || whole} watcher={watcher} />
      {decidable ? (
        <DecideBar
          approval={approval}
          complete={complete}
          showMissing={() => watcher?.next?.scrollIntoView({ block: 'start' })}
          busy={busy}
          unfit={unfit}
          answer={answer}
        />
      ) : null}
      {open && !decidable ? <p class="note">{t('question.may_not')}</p> : null}
      {open ? <Withdraw approval={approval} busy={busy} withdraw={withdraw} /> : null}
    </article>
  );
}

function Content(props: {
  readonly approval: Approval;
  readonly whole: boolean;
  readonly watcher: ShownWatcher | undefined;
}): JSX.Element {
  const { approval, whole, watcher } = props;
  const { t } = useWords();
  if (!whole) return <a href={fragmentOf({ view: 'approval', id: approval.id })}>{t('life.title')}</a>;
  return (
    <>
      <Facts approval={approval} watcher={watcher} />
      <ArgumentsArea value={approval.arguments} watcher={watcher} />
    </>
  );
}

/** The one who asked may take the question back. */
function Withdraw(props: {
  readonly approval: Approval;
  readonly busy: boolean;
  readonly withdraw: () => void;
}): JSX.Element | null {
  const { me, words } = usePage();
  if (props.approval.requester.id !== me.principal.id) return null;
  return (
    <p class="withdraw">
      <button type="button" class="quiet small" disabled={props.busy} onClick={props.withdraw}>
        {words.t('question.withdraw')}
      </button>
    </p>
  );
}

function useWatcher(wanted: boolean): { readonly watcher: ShownWatcher | undefined; readonly complete: boolean } {
  const [, redraw] = useState(0);
  const watcher = useRef<ShownWatcher | undefined>(undefined);
  if (wanted && watcher.current === undefined) {
    watcher.current = new ShownWatcher(true, () => redraw((count) => count + 1));
  }
  useEffect(() => () => watcher.current?.close(), []);
  return { watcher: watcher.current, complete: watcher.current?.complete ?? false };
}

function useCard({ approval, reload, onReplaced }: CardProps): {
  readonly busy: boolean;
  readonly note: Note | undefined;
  readonly unfit: string | undefined;
  /** Whether the decision was taken on this card. */
  readonly mine: boolean;
  readonly answer: (answer: Answer) => void;
  readonly withdraw: () => void;
} {
  const { busy, send, order } = useAnswering();
  const [note, setNote] = useState<Note>();
  const [unfit, setUnfit] = useState<string>();
  const [mine, setMine] = useState(false);
  const took = (result: Answered | undefined): void => {
    if (result === undefined) return;
    setUnfit(result.type === 'invalid' ? result.problem : undefined);
    setNote(noteOn(result));
    if (result.type === 'decided') setMine(true);
    if (result.type === 'asked_again') onReplaced(result.approval);
    else if (result.type !== 'invalid') void reload();
  };
  return {
    busy,
    note,
    unfit,
    mine,
    answer: (given) => void send(approval, given).then(took),
    withdraw: () => {
      setMine(true);
      void order(approval, 'cancel').then(reload);
    },
  };
}

function noteOn(result: Answered): Note | undefined {
  if (result.type === 'changed') return { key: 'question.changed', tone: 'bad' };
  if (result.type !== 'failed') return undefined;
  return { key: 'question.failed', values: { problem: visible(result.problem) }, tone: 'bad' };
}
