import type { JSX, RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { useWords } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';
import type { Unsure } from './deciding.ts';
import { EditForm } from './edit-form.tsx';
import { RejectForm } from './reject-form.tsx';
import { UnsureNote } from './unsure-note.tsx';
import type { Answer } from './use-answer.ts';
import { YesBar } from './yes-bar.tsx';

interface BarProps {
  readonly approval: Approval;
  /** The bar stays in view, at the end of the screen; the card has to know what it lies over. */
  readonly bar: RefObject<HTMLElement | null>;
  /** Whether all of the question has been on the screen. */
  readonly complete: boolean;
  /** Brings what was not on the screen yet onto it. */
  readonly showMissing: () => void;
  readonly busy: boolean;
  /** Why the last edit was not taken. */
  readonly unfit: string | undefined;
  /** What is uncertain about the last answer. */
  readonly unsure: Unsure | undefined;
  readonly lookAgain: () => void;
  readonly answer: (answer: Answer) => void;
}

/**
 * What can be answered. Approving works only once all of the question was shown, and never by accident; while somebody
 * writes a reason or other arguments, only that can be sent.
 */
export function DecideBar(props: BarProps): JSX.Element {
  const { approval, bar, busy, answer } = props;
  const { t } = useWords();
  const [form, setForm] = useState<'none' | 'reject' | 'edit'>('none');
  const close = (): void => {
    setForm('none');
    bar.current?.focus({ preventScroll: true });
  };
  return (
    <section class={`decide decide-${form}`} ref={bar} tabIndex={-1} aria-label={t('question.answer')}>
      {props.unsure === undefined ? null : <UnsureNote unsure={props.unsure} lookAgain={props.lookAgain} />}
      {form === 'none' ? <Buttons {...props} open={setForm} /> : null}
      {form === 'reject' ? (
        <RejectForm
          busy={busy}
          onCancel={close}
          onReject={(reason) => answer({ decision: 'rejected', ...(reason === '' ? {} : { reason }) })}
        />
      ) : null}
      {form === 'edit' ? (
        <EditForm
          tool={approval.tool}
          before={approval.arguments}
          busy={busy}
          unfit={props.unfit}
          onCancel={close}
          onApprove={(editedArguments) => answer({ decision: 'approved', editedArguments })}
        />
      ) : null}
    </section>
  );
}

function Buttons(props: BarProps & { readonly open: (form: 'reject' | 'edit') => void }): JSX.Element {
  const { complete, busy, answer, open } = props;
  const { t } = useWords();
  return (
    <YesBar {...props} label={t('question.approve')} onYes={() => answer({ decision: 'approved' })}>
      <button type="button" class="reject" disabled={busy} onClick={() => open('reject')}>
        {t('question.reject')} …
      </button>
      <button type="button" class="quiet" disabled={!complete || busy} onClick={() => open('edit')}>
        {t('question.edit')} …
      </button>
    </YesBar>
  );
}
