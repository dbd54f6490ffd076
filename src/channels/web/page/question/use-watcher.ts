import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ShownWatcher } from './shown-watcher.ts';

/** What a card needs to know when all of a question has been on the screen. */
export interface Watching {
  readonly watcher: ShownWatcher | undefined;
  readonly complete: boolean;
  /** For the bar that stays at the end of the screen: what lies under it is not seen. */
  readonly bar: RefObject<HTMLElement | null>;
}

/** Watches a question, as long as `wanted`. */
export function useWatcher(wanted: boolean): Watching {
  const [, redraw] = useState(0);
  const watcher = useRef<ShownWatcher | undefined>(undefined);
  const bar = useRef<HTMLElement>(null);
  if (wanted && watcher.current === undefined) {
    watcher.current = new ShownWatcher(true, () => redraw((count) => count + 1));
  }
  useLayoutEffect(() => {
    const element = bar.current;
    if (!wanted || element === null) return undefined;
    const look = (): void => {
      const scroller = element.closest('.scrolls');
      watcher.current?.look({ scroller, covered: coveredBy(element, scroller) });
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => resized.disconnect();
  }, [wanted]);
  useEffect(() => () => watcher.current?.close(), []);
  return { watcher: watcher.current, complete: watcher.current?.complete ?? false, bar };
}

/**
 * How much a bar covers at the end of what scrolls: it stops at the padding. Reckoned also where it does not stay there:
 * it may from one moment to the next, as when the keyboard of a phone goes away.
 */
function coveredBy(bar: HTMLElement, scroller: Element | null): number {
  return bar.offsetHeight + (scroller === null ? 0 : Number.parseFloat(getComputedStyle(scroller).paddingBlockEnd));
}
