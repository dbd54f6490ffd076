import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWords } from '../state/page-context.ts';

/** Asks why, which nobody has to say, and rejects. */
export function RejectForm(props: {
  readonly busy: boolean;
  readonly onReject: (reason: string) => void;
  readonly onCancel: () => void;
}): JSX.Element {
  const { t } = useWords();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  // Before the next key: what is typed right after the press belongs here.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    props.onReject(reason.trim());
  };
  return (
    <form class="decide-form" onSubmit={submit}>
      <label for={id}>{t('question.reason')}</label>
      <textarea
        id={id}
        ref={field}
        rows={2}
        maxLength={2000}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <div class="decide-buttons">
        <button type="submit" class="reject" disabled={props.busy}>
          {t('question.reject_now')}
        </button>
        <button type="button" class="quiet" onClick={props.onCancel}>
          {t('question.cancel')}
        </button>
      </div>
    </form>
  );
}
