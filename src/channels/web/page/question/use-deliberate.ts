import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { isDeliberate } from './deciding.ts';
import { useStillness } from './use-stillness.ts';

/**
 * Lets a press through only when it can have been meant: see `isDeliberate`. A press with a pointer counts from when the
 * button came to lie where it is; one with a key goes to what has the focus, wherever that lies.
 */
export function useDeliberate(button: RefObject<HTMLElement | null>): {
  readonly hasty: boolean;
  readonly deliberate: (act: () => void) => (event: MouseEvent) => void;
  readonly keyGuard: (event: KeyboardEvent) => void;
} {
  const appearedAt = useRef(performance.now());
  const [hasty, setHasty] = useState(false);
  const stillSince = useStillness(button);
  const deliberate =
    (act: () => void) =>
    ({ detail }: MouseEvent): void => {
      const since = detail === 0 ? appearedAt.current : Math.max(appearedAt.current, stillSince());
      if (isDeliberate({ at: performance.now(), appearedAt: since, repeat: false })) act();
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
