import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Composer } from '../chat/composer.tsx';
import { Hello } from '../chat/hello.tsx';
import { PhaseNote } from '../chat/phase-note.tsx';
import { ThreadList } from '../chat/thread-list.tsx';
import { Transcript } from '../chat/transcript.tsx';
import { type Chat, useChat } from '../chat/use-chat.ts';
import { useFollow } from '../chat/use-follow.ts';
import { useQuestions } from '../chat/use-questions.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { ViewHeading } from '../parts/heading.tsx';
import { freshId } from '../state/fresh-id.ts';
import { useWords } from '../state/page-context.ts';
import { goTo, renameTo } from '../state/use-route.ts';

/** The chat: the conversations, and the one that is open. */
export function ChatView({ threadId }: { readonly threadId: string | undefined }): JSX.Element {
  const { t } = useWords();
  const [fresh, setFresh] = useState(freshId);
  const current = threadId ?? fresh;
  const begin = (): void => {
    setFresh(freshId());
    goTo({ view: 'chat' });
  };
  return (
    <div class="chat">
      <ViewHeading>{t('chat.title')}</ViewHeading>
      <ThreadList current={current} onNew={begin} />
      <Conversation key={current} threadId={current} fresh={current === fresh} />
    </div>
  );
}

function Conversation({ threadId, fresh }: { readonly threadId: string; readonly fresh: boolean }): JSX.Element {
  const chat = useChat(threadId, fresh);
  const { items, phase } = chat.state;
  const questions = useQuestions(threadId, !fresh);
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const asks = questions.approvals.some(({ status }) => status === 'pending');
  useFollow(scroller, items, asks);
  const send = (text: string): void => {
    if (fresh) renameTo({ view: 'chat', threadId });
    chat.send(text);
  };
  const tryOut = (text: string): void => {
    // The button that was chosen goes away. A keyboard on the screen would hide what comes now.
    if (matchMedia('(pointer: coarse)').matches) document.getElementById('content')?.focus({ preventScroll: true });
    else field.current?.focus();
    send(text);
  };
  return (
    <div class="conversation">
      <div class="conversation-scroll scrolls" ref={scroller}>
        <Reading chat={chat} />
        {fresh && items.length === 0 ? <Hello onTry={tryOut} /> : null}
        {items.length > 0 || chat.read === 'read' ? <Transcript items={items} questions={questions} /> : null}
      </div>
      <div class="writing">
        <PhaseNote state={chat.state} stopping={chat.stopping} />
        <Composer
          phase={chat.read === 'missing' ? 'waiting' : phase}
          field={field}
          stopping={chat.stopping === 'busy'}
          onSend={send}
          onStop={chat.stop}
        />
      </div>
    </div>
  );
}

function Reading({ chat }: { readonly chat: Chat }): JSX.Element | null {
  const { t } = useWords();
  if (chat.read === 'reading') return <p class="loading">{t('page.loading')}</p>;
  if (chat.read === 'missing') return <p class="note">{t('chat.not_found')}</p>;
  return chat.read === 'failed' ? <FailureNote retry={chat.reload} /> : null;
}
