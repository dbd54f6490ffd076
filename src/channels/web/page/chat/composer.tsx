import type { JSX, RefObject } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useWords } from '../state/page-context.ts';
import type { Phase } from './chat-state.ts';

interface ComposerProps {
  readonly phase: Phase;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Whether an order to stop is on its way. */
  readonly stopping: boolean;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
}

/** Where the person writes. While a run goes on it can be stopped; while a question is open nothing can be said. */
export function Composer({ phase, field, stopping, onSend, onStop }: ComposerProps): JSX.Element {
  const { t } = useWords();
  const id = useId();
  const [text, setText] = useState('');
  const blocked = phase === 'running' || phase === 'elsewhere' || phase === 'waiting';
  const send = (): void => {
    if (blocked || text.trim() === '') return;
    onSend(text.trim());
    setText('');
  };
  const key = (event: KeyboardEvent): void => {
    // While somebody composes a character, Enter belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="unseen" for={id}>
        {t('chat.write')}
      </label>
      <textarea
        id={id}
        ref={field}
        rows={Math.min(6, text.split('\n').length)}
        value={text}
        placeholder={t('chat.placeholder')}
        aria-describedby={`${id}-keys`}
        enterkeyhint="send"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={key}
      />
      {phase === 'running' || phase === 'elsewhere' ? (
        <button type="button" class="stop" disabled={stopping} onClick={onStop}>
          {t('chat.stop')}
        </button>
      ) : (
        <button type="submit" class="send" disabled={blocked || text.trim() === ''}>
          {t('chat.send')}
        </button>
      )}
      <p class="unseen" id={`${id}-keys`}>
        {t('chat.keys')}
      </p>
    </form>
  );
}
