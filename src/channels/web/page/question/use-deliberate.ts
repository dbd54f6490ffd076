import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { isDeliberate } from './deciding.ts';
import { useStillness } from './use-stillness.ts';

/**
 * Lets a press through only when it can have been meant: see `isDeliberate`. A press with a pointer counts from when the
 * button came to lie where it is; one with a key goes to what has the focus, wherever that lies. A press was made when
 * the browser got it: a page that is slow gets to it later, and by then what slid under it has long lain still.
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
    ({ detail, timeStamp }: MouseEvent): void => {
      const since = detail === 0 ? appearedAt.current : Math.max(appearedAt.current, stillSince());
      if (isDeliberate({ at: timeStamp, appearedAt: since, repeat: false })) act();
      else setHasty(true);
    };
  const keyGuard = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    if (!isDeliberate({ at: event.timeStamp, appearedAt: appearedAt.current, repeat: event.repeat })) {
      event.preventDefault();
      setHasty(true);
    }
  };
  return { hasty, deliberate, keyGuard };
}
