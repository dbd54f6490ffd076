import type { Interrupt } from '@copilotkit/react-core/v2';
import { useEffect, useState } from 'react';

/** Seconds until the first of these questions times out, counting down to 0; `undefined` when none of them does. */
export function useSecondsLeft(interrupts: readonly Interrupt[]): number | undefined {
  const ends = interrupts.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [Date.parse(expiresAt)]));
  const end = ends.length === 0 ? undefined : Math.min(...ends);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (end === undefined) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [end]);
  return end === undefined ? undefined : Math.max(0, Math.ceil((end - now) / 1000));
}
