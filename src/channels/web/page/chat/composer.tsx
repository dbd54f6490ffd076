import type { JSX, RefObject } from 'preact';
import { useId } from 'preact/hooks';
import { useWords } from '../state/page-context.ts';
import type { Phase } from './phase.ts';

interface ComposerProps {
  readonly phase: Phase;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Whether an order to stop is on its way. */
  readonly stopping: boolean;
  /** What stands in the field. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
}

/** Where the person writes. While a run goes on it can be stopped. */
export function Composer({ phase, field, stopping, text, onText, onSend, onStop }: ComposerProps): JSX.Element {
  const { t } = useWords();
  const id = useId();
  const blocked = phase === 'running' || phase === 'elsewhere';
  const send = (): void => {
    if (blocked || text.trim() === '') return;
    onText('');
    onSend(text.trim());
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
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={key}
      />
      {blocked ? (
        <button type="button" class="stop" disabled={stopping} onClick={onStop}>
          {t('chat.stop')}
        </button>
      ) : (
        <button type="submit" class="send" disabled={text.trim() === ''}>
          {t('chat.send')}
        </button>
      )}
      <p class="unseen" id={`${id}-keys`}>
        {t('chat.keys')}
      </p>
    </form>
  );
}
