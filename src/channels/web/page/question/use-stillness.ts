import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** How far something may move and still count as where it was, in pixels. */
const TOLERANCE = 2;

interface Place {
  readonly x: number;
  readonly y: number;
  /** Since when it is there, by the clock of the page. */
  readonly since: number;
}

/**
 * Since when an element has been where it is. One that has just come to lie under somebody's finger, because another
 * question went or the page scrolled by itself, was not what was aimed at.
 */
export function useStillness(element: RefObject<HTMLElement | null>): () => number {
  const place = useRef<Place | undefined>(undefined);
  const look = (): number => {
    const { x, y } = element.current?.getBoundingClientRect() ?? { x: 0, y: 0 };
    const last = place.current;
    const isThere = last !== undefined && Math.abs(last.x - x) <= TOLERANCE && Math.abs(last.y - y) <= TOLERANCE;
    const next = isThere ? last : { x, y, since: performance.now() };
    place.current = next;
    return next.since;
  };
  useEffect(() => {
    let frame = 0;
    const again = (): void => {
      look();
      frame = requestAnimationFrame(again);
    };
    again();
    return () => cancelAnimationFrame(frame);
  }, []);
  return look;
}
