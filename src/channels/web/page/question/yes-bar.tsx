import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useWords } from '../state/page-context.ts';
import { useDeliberate } from './use-deliberate.ts';

interface YesProps {
  /** The bar that it stands in. */
  readonly bar: RefObject<HTMLElement | null>;
  /** Whether all of the question has been on the screen. */
  readonly complete: boolean;
  /** Brings what was not on the screen yet onto it. */
  readonly showMissing: () => void;
  readonly busy: boolean;
  /** What a press does, in words. */
  readonly label: string;
  readonly onYes: () => void;
  /** What else can be pressed. */
  readonly children?: ComponentChildren;
}

/** The button of a yes to what is shown, of whatever kind: it works only once all of it was shown, and never by accident. */
export function YesBar(props: YesProps): JSX.Element {
  const { bar, complete, showMissing, busy, label, onYes } = props;
  const { t } = useWords();
  const button = useRef<HTMLButtonElement>(null);
  const { hasty, deliberate, keyGuard } = useDeliberate(button, complete);
  useKeptFocus(bar, complete);
  return (
    <>
      <div class="decide-state">
        <p class={complete && !hasty ? 'unseen' : 'hint'} role="status">
          {t(hasty ? 'question.too_fast' : complete ? 'question.ready' : 'question.not_yet')}
        </p>
        {complete ? null : (
          <button type="button" class="quiet small" onClick={showMissing}>
            {t('question.scroll')}
          </button>
        )}
      </div>
      <div class="decide-buttons">
        <button
          type="button"
          class="approve"
          ref={button}
          disabled={!complete || busy}
          onKeyDown={keyGuard}
          onClick={deliberate(onYes)}
        >
          {busy ? t('question.sending') : label}
        </button>
        {props.children}
      </div>
    </>
  );
}

/** The button that shows what is missing goes away once nothing is: whoever pressed it stays here, on no button. */
function useKeptFocus(bar: RefObject<HTMLElement | null>, complete: boolean): void {
  const was = useRef(complete);
  useEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (complete && !was.current && lost) bar.current?.focus({ preventScroll: true });
    was.current = complete;
  }, [bar, complete]);
}
