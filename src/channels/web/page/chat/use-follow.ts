import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatItem } from './chat-item.ts';

/** How near to the end, in pixels, counts as being there. */
const NEAR = 64;

/**
 * Follows what is written, as long as the reader is at the end or has just said something. While a question is open the
 * conversation stays where it is: the question brings itself into view.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, items: readonly ChatItem[], asks: boolean): void {
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = scroller.current;
    const scrolled = (): void => {
      if (element !== null) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element?.addEventListener('scroll', scrolled, { passive: true });
    return () => element?.removeEventListener('scroll', scrolled);
  }, [scroller]);
  const size = items.reduce((sum, item) => sum + (item.type === 'tool' ? item.args.length + 1 : item.text.length), 0);
  const spoke = items.at(-1)?.type === 'user';
  useLayoutEffect(() => {
    if (!asks && (atEnd.current || spoke)) scroller.current?.scrollTo(0, scroller.current.scrollHeight);
  }, [scroller, size, items.length, spoke, asks]);
}
