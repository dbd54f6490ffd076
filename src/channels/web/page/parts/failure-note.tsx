import type { JSX } from 'preact';
import { useWords } from '../state/page-context.ts';

/** Says that something could not be read, and offers to try again. */
export function FailureNote({ retry }: { readonly retry: () => Promise<unknown> }): JSX.Element {
  const { t } = useWords();
  return (
    <p class="note note-bad" role="alert">
      {t('page.failed')}{' '}
      <button type="button" class="quiet" onClick={() => void retry()}>
        {t('page.retry')}
      </button>
    </p>
  );
}
