import type { JSX } from 'preact';
import { useWords } from '../state/page-context.ts';
import type { Unsure } from './deciding.ts';

const texts = { away: 'question.failed', broken: 'question.broke', open: 'question.still_open' } as const;

/** Tells that an answer may not have arrived, beside the buttons that sent it. */
export function UnsureNote(props: { readonly unsure: Unsure; readonly lookAgain: () => void }): JSX.Element {
  const { t } = useWords();
  const { unsure, lookAgain } = props;
  return (
    <p class="note note-bad" role="alert">
      {t(texts[unsure])}{' '}
      {unsure === 'open' ? null : (
        <button type="button" class="quiet small" onClick={lookAgain}>
          {t('question.look_again')}
        </button>
      )}
    </p>
  );
}
