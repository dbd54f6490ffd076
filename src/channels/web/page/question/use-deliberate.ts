import { useRef, useState } from 'preact/hooks';
import { isDeliberate } from './deciding.ts';

/** Lets a press through only when it can have been meant: see `isDeliberate`. */
export function useDeliberate(): {
  readonly hasty: boolean;
  readonly deliberate: (act: () => void) => (event: MouseEvent) => void;
  readonly keyGuard: (event: KeyboardEvent) => void;
} {
  const appearedAt = useRef(performance.now());
  const [hasty, setHasty] = useState(false);
  const deliberate = (act: () => void) => (): void => {
    if (isDeliberate({ at: performance.now(), appearedAt: appearedAt.current, repeat: false })) act();
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
