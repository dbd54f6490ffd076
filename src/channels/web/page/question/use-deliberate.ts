import type { RefObject } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { isDeliberate } from './deciding.ts';
import { useStillness } from './use-stillness.ts';

/**
 * Lets a press through only when it can have been meant: see `isDeliberate`. A press with a pointer counts from when the
 * button came to lie where it is; one with a key goes to what has the focus, wherever that lies. A press was made when
 * the browser got it: a page that is slow gets to it later, and by then what slid under it has long lain still.
 *
 * @param ready - Whether the button can be pressed. Before it can, nobody presses it on purpose: it counts from then on.
 */
export function useDeliberate(
  button: RefObject<HTMLElement | null>,
  ready: boolean,
): {
  readonly hasty: boolean;
  readonly deliberate: (act: () => void) => (event: MouseEvent) => void;
  readonly keyGuard: (event: KeyboardEvent) => void;
} {
  const appearedAt = useMemo(() => performance.now(), [ready]);
  const [hasty, setHasty] = useState(false);
  const stillSince = useStillness(button);
  const deliberate =
    (act: () => void) =>
    ({ detail, timeStamp }: MouseEvent): void => {
      const since = detail === 0 ? appearedAt : Math.max(appearedAt, stillSince());
      if (isDeliberate({ at: timeStamp, appearedAt: since, repeat: false })) act();
      else setHasty(true);
    };
  const keyGuard = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    if (!isDeliberate({ at: event.timeStamp, appearedAt, repeat: event.repeat })) {
      event.preventDefault();
      setHasty(true);
    }
  };
  return { hasty, deliberate, keyGuard };
}
