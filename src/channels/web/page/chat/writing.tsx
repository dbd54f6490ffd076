import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * The end of a conversation: what goes on in it, and where one writes. While nothing can be said the field is away, so that
 * there is room for what has to be read; the focus that it had waits here, on no button, and goes back to it.
 */
export function Writing(props: {
  readonly notes: ComponentChildren;
  /** The field; `null` while nothing can be said. */
  readonly field: JSX.Element | null;
}): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const away = props.field === null;
  const was = useRef(away);
  useLayoutEffect(() => {
    const { activeElement } = document;
    const lost = activeElement === null || activeElement === document.body;
    if (away && !was.current && lost) place.current?.focus({ preventScroll: true });
    if (!away && was.current && activeElement === place.current) place.current?.querySelector('textarea')?.focus();
    was.current = away;
  }, [away]);
  return (
    <div class="writing" ref={place} tabIndex={-1}>
      {props.notes}
      {props.field}
    </div>
  );
}
