import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useReader } from '../state/page-context.ts';
import { isSame } from '../told/who.ts';
import type { Approval } from '../wire/shapes.ts';

/** The one who asked may take the question back; they are asked once whether they mean it. */
export function Withdraw(props: {
  readonly approval: Approval;
  readonly busy: boolean;
  readonly withdraw: () => void;
}): JSX.Element | null {
  const { me, words } = useReader();
  const [asked, setAsked] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const ask = useRef<HTMLButtonElement>(null);
  const begun = useRef(false);
  useLayoutEffect(() => {
    // Each button takes the place of the one that was pressed, and its focus.
    if (begun.current) (asked ? keep : ask).current?.focus();
    begun.current = true;
  }, [asked]);
  if (!isSame(props.approval.requester, me)) return null;
  if (!asked) {
    return (
      <p class="withdraw">
        <button type="button" class="quiet small" ref={ask} disabled={props.busy} onClick={() => setAsked(true)}>
          {words.t('question.withdraw')}
        </button>
      </p>
    );
  }
  return (
    <fieldset class="withdraw">
      <legend>{words.t('question.withdraw_sure')}</legend>
      <button type="button" class="quiet small" ref={keep} onClick={() => setAsked(false)}>
        {words.t('question.withdraw_no')}
      </button>
      <button type="button" class="reject small" disabled={props.busy} onClick={props.withdraw}>
        {words.t('question.withdraw_yes')}
      </button>
    </fieldset>
  );
}
