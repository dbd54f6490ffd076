import { errorText } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import type { Logger } from '../core/platform.ts';

/**
 * Times out questions, again and again.
 *
 * @returns Stops it.
 */
export function keepExpiring(gate: TierGate, everySeconds: number, log: Logger): () => void {
  let isOver = false;
  let cancel = (): void => undefined;
  const again = (): void => {
    if (!isOver) cancel = gate.clock.after(everySeconds * 1000, () => void expire());
  };
  const expire = async (): Promise<void> => {
    try {
      await gate.expire();
    } catch (error) {
      log.error('Questions could not be timed out', { error: errorText(error) });
    }
    again();
  };
  again();
  return () => {
    isOver = true;
    cancel();
  };
}
