import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useWords } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';
import { isDeliberate } from './deciding.ts';
import { EditForm } from './edit-form.tsx';
import { RejectForm } from './reject-form.tsx';
import type { Answer } from './use-answer.ts';

interface BarProps {
  readonly approval: Approval;
  /** Whether all of the question has been on the screen. */
  readonly complete: boolean;
  /** Brings what was not on the screen yet onto it. */
  readonly showMissing: () => void;
  readonly busy: boolean;
  /** Why the last edit was not taken. */
  readonly unfit: string | undefined;
  readonly answer: (answer: Answer) => void;
}

/** The buttons under a question. Approving works only once all of it was shown, and never by accident. */
export function DecideBar({ approval, complete, showMissing, busy, unfit, answer }: BarProps): JSX.Element {
  const { t } = useWords();
  const [form, setForm] = useState<'none' | 'reject' | 'edit'>('none');
  const { hasty, deliberate, keyGuard } = useDeliberate();
  const may = complete && !busy;
  const approve = deliberate(() => answer({ decision: 'approved' }));
  const toggle = (which: 'reject' | 'edit') => (): void => setForm(form === which ? 'none' : which);
  return (
    <section class="decide" aria-label={t('question.answer')}>
      <p class="hint" role="status">
        {t(hasty ? 'question.too_fast' : complete ? 'question.ready' : 'question.not_yet')}
      </p>
      <div class="decide-buttons">
        {complete ? null : (
          <button type="button" class="quiet" onClick={showMissing}>
            {t('question.scroll')}
          </button>
        )}
        <button type="button" class="approve" disabled={!may} onKeyDown={keyGuard} onClick={approve}>
          {t(busy ? 'question.sending' : 'question.approve')}
        </button>
        <button
          type="button"
          class="reject"
          aria-expanded={form === 'reject'}
          disabled={busy}
          onClick={toggle('reject')}
        >
          {t('question.reject')} …
        </button>
        <button type="button" class="quiet" aria-expanded={form === 'edit'} disabled={!may} onClick={toggle('edit')}>
          {t('question.edit')} …
        </button>
      </div>
      {form === 'reject' ? (
        <RejectForm
          busy={busy}
          onCancel={() => setForm('none')}
          onReject={(reason) => answer({ decision: 'rejected', ...(reason === '' ? {} : { reason }) })}
        />
      ) : null}
      {form === 'edit' ? (
        <EditForm
          before={approval.arguments}
          busy={busy}
          unfit={unfit}
          onCancel={() => setForm('none')}
          onApprove={(editedArguments) => answer({ decision: 'approved', editedArguments })}
        />
      ) : null}
    </section>
  );
}

/** Lets a press through only when it can have been meant: see `isDeliberate`. */
function useDeliberate(): {
  readonly hasty: boolean;
  readonly deliberate: (act: () => void) => (event: MouseEvent) => void;
  readonly keyGuard: (event: KeyboardEvent) => void;
} {
  const appearedAt = useRef(performance.now());
  const [hasty, setHasty] = useState(false);
  const deliberate = (act: () => void) => (): void => {
    if (isDeliberate({ at: performance.now(), appearedAt: appearedAt.current, repeat: false })) act();
    else setHasty(true);
  };
  const keyGuard = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    if (!isDeliberate({ at: performance.now(), appearedAt: appearedAt.current, repeat: event.repeat })) {
      event.preventDefault();
      setHasty(true);
    }
  };
  return { hasty, deliberate, keyGuard };
}
