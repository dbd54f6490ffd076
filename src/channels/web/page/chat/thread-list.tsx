import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { shortened } from '../parts/visible.ts';
import { useDeskEvent, useNow, usePage, useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import { useLoad } from '../state/use-load.ts';
import { type ThreadSummary, threadsShape } from '../wire/shapes.ts';

/** The conversations of this person. On a phone it is folded away behind a button. */
export function ThreadList(props: { readonly current: string; readonly onNew: () => void }): JSX.Element {
  const { hub } = usePage();
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const { value, reload } = useLoad('threads', () => hub.get('/api/threads', threadsShape));
  useDeskEvent('thread', () => void reload());
  useDeskEvent('back', () => void reload());
  const threads = [...(value?.threads ?? [])].sort((a, b) => b.updatedAt - a.updatedAt);
  const titles = threads.map(({ title }) => title);
  const isTwice = (title: string): boolean => titles.indexOf(title) !== titles.lastIndexOf(title);
  const choose = (): void => setOpen(false);
  return (
    <nav class={`threads ${open ? 'threads-open' : ''}`} aria-label={t('chat.threads')}>
      <div class="threads-top">
        <button
          type="button"
          class="quiet threads-toggle"
          aria-expanded={open}
          aria-controls="threads"
          onClick={() => setOpen(!open)}
        >
          {t('chat.threads')}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            choose();
            props.onNew();
          }}
        >
          + {t('chat.new')}
        </button>
      </div>
      <ul id="threads">
        {threads.length === 0 ? <li class="hint">{t('chat.none')}</li> : null}
        {threads.map((thread) => (
          <ThreadItem
            key={thread.threadId}
            thread={thread}
            twice={isTwice(thread.title)}
            current={props.current}
            onChoose={choose}
          />
        ))}
      </ul>
    </nav>
  );
}

function ThreadItem(props: {
  readonly thread: ThreadSummary;
  /** Whether another conversation has the same title: then only the exact time tells them apart. */
  readonly twice: boolean;
  readonly current: string;
  readonly onChoose: () => void;
}): JSX.Element {
  const { t, briefly, dateTime } = useWords();
  const now = useNow(60_000);
  const { threadId, title, status, updatedAt } = props.thread;
  return (
    <li>
      <a
        href={fragmentOf({ view: 'chat', threadId })}
        onClick={props.onChoose}
        {...(threadId === props.current ? { 'aria-current': 'true' as const } : {})}
      >
        <span class="thread-title">{title === '' ? t('chat.untitled') : shortened(title, 60)}</span>
        <span class={`thread-facts thread-${status}`}>
          {props.twice ? dateTime(updatedAt) : briefly(updatedAt, now)}
          {status === 'idle' ? null : ` · ${t(`chat.status.${status}`)}`}
        </span>
      </a>
    </li>
  );
}
