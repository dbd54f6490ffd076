import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The heading of a view; it takes the focus when the view opens, so that keyboard and screen reader begin there. */
export function ViewHeading({
  children,
  id,
}: {
  readonly children: ComponentChildren;
  readonly id?: string;
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={heading} tabIndex={-1} {...(id === undefined ? {} : { id })}>
      {children}
    </h1>
  );
}
