import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { visible } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';
import { ArgumentsArea } from './arguments-area.tsx';
import { DecideBar } from './decide-bar.tsx';
import { Facts } from './facts.tsx';
import { OverCard } from './over-card.tsx';
import { SettledLine } from './settled-line.tsx';
import { Technical } from './technical.tsx';
import type { Note } from './use-answer.ts';
import { useArrival } from './use-arrival.ts';
import { type Card, type Replaced, useCard } from './use-card.ts';
import { useWatcher } from './use-watcher.ts';
import { Withdraw } from './withdraw.tsx';

interface CardProps {
  readonly approval: Approval;
  /** Whether all of it is told once it is over, too; else a line remains. */
  readonly whole: boolean;
  /** Reads the question again; resolves to whether it could be read. */
  readonly reload: () => Promise<boolean>;
  readonly onReplaced: Replaced;
  /** What is to be told while the question is open. */
  readonly note?: Note | undefined;
}

/** One question in full, with what can be done about it. Give it `key={id + digest}`: a new question is a new card. */
export function ApprovalCard(props: CardProps): JSX.Element {
  const { approval, whole } = props;
  const open = approval.status === 'pending';
  const card = useCard(approval, props);
  const [wasOpen] = useState(open);
  const elsewhere = wasOpen && !card.mine;
  if (!open && !whole) return <SettledLine approval={approval} focus={wasOpen} elsewhere={elsewhere} />;
  if (open) return <OpenCard {...props} card={card} />;
  return <OverCard {...props} wasOpen={wasOpen} elsewhere={elsewhere} />;
}

/** A question that is open: the buttons stay in view, at the end of the screen, while the rest can be read. */
function OpenCard({ approval, whole, card, note }: CardProps & { readonly card: Card }): JSX.Element {
  const { t } = useWords();
  const { mayDecide } = approval;
  const article = useRef<HTMLElement>(null);
  const { watcher, complete, bar } = useWatcher(mayDecide);
  const told = card.note ?? note;
  useArrival(article, !whole || note !== undefined);
  return (
    <article
      class="question question-open"
      ref={article}
      aria-label={`${t('question.title')}: ${visible(approval.tool)}`}
    >
      <h2>{t('question.title')}</h2>
      {told === undefined ? null : (
        <p class={`note note-${told.tone}`} role="status">
          {t(told.key, told.values)}
        </p>
      )}
      <Facts approval={approval} watcher={watcher} />
      <ArgumentsArea approval={approval} watcher={watcher} />
      {mayDecide ? (
        <DecideBar
          {...card}
          approval={approval}
          bar={bar}
          complete={complete}
          showMissing={() => watcher?.next?.scrollIntoView({ block: 'start' })}
        />
      ) : (
        <p class="note">{t('question.may_not')}</p>
      )}
      <Withdraw approval={approval} busy={card.busy} withdraw={card.withdraw} />
      <Technical approval={approval} />
    </article>
  );
}
