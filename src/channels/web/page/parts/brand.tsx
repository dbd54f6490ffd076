import type { JSX } from 'preact';

/** The mark of the page. */
export function Brand(): JSX.Element {
  return (
    <p class="brand">
      <span class="brand-mark" aria-hidden="true">
        τ
      </span>
      <span class="brand-name">tau</span>
    </p>
  );
}
