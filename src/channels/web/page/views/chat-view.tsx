import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ChatState, Phase } from '../chat/chat-state.ts';
import { Composer } from '../chat/composer.tsx';
import { Hello } from '../chat/hello.tsx';
import { OpenQuestions } from '../chat/open-questions.tsx';
import { ThreadList } from '../chat/thread-list.tsx';
import { Transcript } from '../chat/transcript.tsx';
import { type Chat, useChat } from '../chat/use-chat.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { ViewHeading } from '../parts/heading.tsx';
import { visible } from '../parts/visible.ts';
import { freshId } from '../state/fresh-id.ts';
import { useWords } from '../state/page-context.ts';
import { goTo, renameTo } from '../state/use-route.ts';
import type { WordKey } from '../words/en.ts';

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
  const send = (text: string): void => {
    if (fresh) renameTo({ view: 'chat', threadId });
    chat.send(text);
  };
  return (
    <div class="conversation">
      <div class="conversation-scroll">
        <Reading chat={chat} />
        {fresh && items.length === 0 ? <Hello onTry={send} /> : <Transcript items={items} />}
        <OpenQuestions key={items.filter(({ type }) => type === 'user').length} threadId={threadId} />
        <PhaseNote state={chat.state} />
      </div>
      <Composer phase={chat.read === 'missing' ? 'waiting' : phase} onSend={send} onStop={chat.stop} />
    </div>
  );
}

function Reading({ chat }: { readonly chat: Chat }): JSX.Element | null {
  const { t } = useWords();
  if (chat.read === 'reading') return <p class="loading">{t('page.loading')}</p>;
  if (chat.read === 'missing') return <p class="note">{t('chat.not_found')}</p>;
  return chat.read === 'failed' ? <FailureNote retry={chat.reload} /> : null;
}

const notes: Readonly<Record<Exclude<Phase, 'idle' | 'failed' | 'waiting'>, WordKey>> = {
  running: 'chat.running',
  elsewhere: 'chat.elsewhere',
  stopped: 'chat.stopped',
  lost: 'chat.lost',
};

/** Where the run is, in words. */
function PhaseNote({ state }: { readonly state: ChatState }): JSX.Element {
  const { t } = useWords();
  const { phase, error = '', waitsForOther } = state;
  const text = (): string => {
    if (phase === 'idle') return '';
    if (phase === 'waiting') return t(waitsForOther ? 'chat.waits_other' : 'chat.waits');
    if (phase === 'failed') {
      return error === '' ? t('chat.failed_silent') : t('chat.failed', { problem: visible(error) });
    }
    return t(notes[phase]);
  };
  return (
    <p class={`phase phase-${phase}`} role="status">
      {text()}
    </p>
  );
}
