import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Brings a question into view when it appears, its beginning first. The focus stays where it is: typing that was meant
 * for something else must not answer. Nothing moves while somebody writes an answer, or reads an earlier question.
 */
export function useArrival(card: RefObject<HTMLElement | null>, wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const first = document.querySelector('.question-open') === card.current;
    if (first && document.querySelector('.decide-form') === null) card.current?.scrollIntoView({ block: 'start' });
  }, [wanted]);
}
