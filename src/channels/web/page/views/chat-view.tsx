import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Composer } from '../chat/composer.tsx';
import { Hello } from '../chat/hello.tsx';
import { PhaseNote } from '../chat/phase-note.tsx';
import { ReturnedNote } from '../chat/returned-note.tsx';
import { ThreadList } from '../chat/thread-list.tsx';
import { Transcript } from '../chat/transcript.tsx';
import { type Chat, useChat } from '../chat/use-chat.ts';
import { joinDraft, useDraft } from '../chat/use-draft.ts';
import { useFollow } from '../chat/use-follow.ts';
import { useQuestions } from '../chat/use-questions.ts';
import { Writing } from '../chat/writing.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { ViewHeading } from '../parts/heading.tsx';
import { freshId } from '../state/fresh-id.ts';
import { usePage, useWords } from '../state/page-context.ts';
import { goTo, renameTo } from '../state/use-route.ts';

/** The chat: the conversations, and the one that is open. */
export function ChatView({ threadId }: { readonly threadId: string | undefined }): JSX.Element {
  const { t } = useWords();
  const { chats } = usePage();
  const [, redraw] = useState(0);
  const renew = (): void => {
    chats.fresh = freshId();
    redraw((count) => count + 1);
  };
  const current = threadId ?? chats.fresh;
  chats.last = threadId;
  const begin = (): void => {
    renew();
    goTo({ view: 'chat' });
  };
  const begun = (): void => {
    chats.begun.add(current);
    renameTo({ view: 'chat', threadId: current });
    renew();
  };
  return (
    <div class="chat">
      <ViewHeading>{t('chat.title')}</ViewHeading>
      <ThreadList current={current} onNew={begin} />
      <Conversation key={current} threadId={current} fresh={current === chats.fresh} onBegun={begun} />
    </div>
  );
}

function Conversation(props: {
  readonly threadId: string;
  readonly fresh: boolean;
  readonly onBegun: () => void;
}): JSX.Element {
  const { threadId, fresh } = props;
  const chat = useChat(threadId, fresh);
  const { items, phase, returned } = chat.state;
  const questions = useQuestions(threadId, !fresh);
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { draft, write } = useDraft(threadId);
  const asks = questions.approvals.some(({ status }) => status === 'pending');
  useFollow(scroller, items, asks);
  useLayoutEffect(() => {
    if (returned !== undefined) write((before) => joinDraft(returned.text, before));
  }, [returned]);
  const send = (text: string): void => {
    if (fresh) props.onBegun();
    chat.send(text);
  };
  const tryOut = (text: string): void => {
    // The button that was chosen goes away. A keyboard on the screen would hide what comes now.
    if (matchMedia('(pointer: coarse)').matches) document.getElementById('content')?.focus({ preventScroll: true });
    else field.current?.focus();
    send(text);
  };
  const nothingCanBeSaid = chat.read === 'missing' || phase === 'waiting';
  const stopping = chat.stopping === 'busy';
  const composer = { phase, field, stopping, text: draft, onText: write, onSend: send, onStop: chat.stop };
  return (
    <div class="conversation">
      <div class="conversation-scroll scrolls" ref={scroller}>
        <Reading chat={chat} />
        {items.length === 0 && chat.read === 'read' ? <Hello onTry={tryOut} /> : null}
        {items.length > 0 || chat.read === 'read' ? <Transcript items={items} questions={questions} /> : null}
      </div>
      <Writing
        notes={
          <>
            <PhaseNote state={chat.state} stopping={chat.stopping} />
            <ReturnedNote returned={returned} />
          </>
        }
        field={nothingCanBeSaid ? null : <Composer {...composer} />}
      />
    </div>
  );
}

function Reading({ chat }: { readonly chat: Chat }): JSX.Element | null {
  const { t } = useWords();
  if (chat.read === 'reading') return <p class="loading">{t('page.loading')}</p>;
  if (chat.read === 'missing') return <p class="note">{t('chat.not_found')}</p>;
  return chat.read === 'failed' ? <FailureNote retry={chat.reload} /> : null;
}
