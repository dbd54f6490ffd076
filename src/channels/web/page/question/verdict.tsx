import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePage, useReader } from '../state/page-context.ts';
import { endingOf } from '../told/ending.ts';
import type { Approval } from '../wire/shapes.ts';

/** Tells how a question ended: who decided what, when and where, and why. Takes the focus that a vanished button leaves. */
export function Verdict(props: {
  readonly approval: Approval;
  /** Whether the question was open when the card appeared. */
  readonly focus: boolean;
  /** Whether it was decided by somebody else while it was being looked at. */
  readonly elsewhere: boolean;
}): JSX.Element {
  const { approval, focus, elsewhere } = props;
  const { announce } = usePage();
  const reader = useReader();
  const place = useRef<HTMLParagraphElement>(null);
  const { text, tone, reason } = endingOf(approval, reader, elsewhere);
  useEffect(() => {
    if (!focus) return;
    announce(text);
    // Somebody who went on elsewhere in the page is not called back.
    if (document.activeElement === document.body || document.activeElement === null) {
      place.current?.focus({ preventScroll: true });
    }
  }, [focus, text, announce]);
  return (
    <p class={`verdict verdict-${tone}`} ref={place} tabIndex={-1}>
      {text}
      {reason === undefined ? null : (
        <span class="verdict-reason"> {reader.words.t('verdict.reason', { reason })}</span>
      )}
    </p>
  );
}
