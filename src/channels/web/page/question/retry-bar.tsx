import type { JSX, RefObject } from 'preact';
import { useWords } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';
import type { Replaced } from './use-card.ts';
import { useRetry } from './use-retry.ts';
import { YesBar } from './yes-bar.tsx';

/** Nobody knows whether it happened, so a person has to say that it may be tried again. That is a yes, and runs at once. */
export function RetryBar(props: {
  readonly approval: Approval;
  readonly bar: RefObject<HTMLElement | null>;
  readonly complete: boolean;
  readonly showMissing: () => void;
  readonly reload: () => Promise<boolean>;
  readonly onReplaced: Replaced;
}): JSX.Element {
  const { t } = useWords();
  const { approval, bar, complete, showMissing } = props;
  const { busy, problem, retry } = useRetry(approval, props);
  return (
    <section class="decide decide-none" ref={bar} tabIndex={-1} aria-label={t('question.answer')}>
      {problem === undefined ? null : (
        <p class="note note-bad" role="alert">
          {t(problem)}
        </p>
      )}
      <YesBar
        bar={bar}
        complete={complete}
        showMissing={showMissing}
        busy={busy}
        label={t('life.retry')}
        onYes={retry}
      />
    </section>
  );
}
