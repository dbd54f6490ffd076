import { useLayoutEffect, useRef } from 'preact/hooks';

/** Calls `returned` when the browser is online again, or the person comes back to this tab. */
export function useReturn(returned: () => void): void {
  const newest = useRef(returned);
  newest.current = returned;
  useLayoutEffect(() => {
    const again = (): void => {
      if (!document.hidden) newest.current();
    };
    addEventListener('online', again);
    document.addEventListener('visibilitychange', again);
    return () => {
      removeEventListener('online', again);
      document.removeEventListener('visibilitychange', again);
    };
  }, []);
}
