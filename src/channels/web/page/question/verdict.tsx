import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visible } from '../parts/visible.ts';
import { usePage } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';
import type { Words } from '../words/words.ts';

/** Tells how a question ended: who decided what, when and where. Takes the focus that a vanished button leaves. */
export function Verdict(props: {
  readonly approval: Approval;
  /** Whether the question was open when the card appeared. */
  readonly focus: boolean;
  /** Whether it was decided by somebody else while it was being looked at. */
  readonly elsewhere: boolean;
}): JSX.Element {
  const { approval, focus, elsewhere } = props;
  const { words, announce } = usePage();
  const place = useRef<HTMLParagraphElement>(null);
  const text = verdictText(approval, elsewhere, words);
  useEffect(() => {
    if (!focus) return;
    announce(text);
    // Somebody who went on elsewhere in the page is not called back.
    if (document.activeElement === document.body || document.activeElement === null) place.current?.focus();
  }, [focus, text, announce]);
  return (
    <p class="verdict" ref={place} tabIndex={-1}>
      {text}
    </p>
  );
}

function verdictText({ status, decision }: Approval, elsewhere: boolean, { t, named, dateTime }: Words): string {
  if (decision === undefined) return t('question.over', { status: named('status', status) });
  return t(elsewhere ? 'question.won' : 'question.verdict', {
    who: visible(decision.by.id),
    decision: named('decision', decision.decision),
    when: dateTime(decision.at),
    channel: visible(decision.channel),
  });
}
