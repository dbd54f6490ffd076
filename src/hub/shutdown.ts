import type { TierGate } from '../core/gate.ts';
import type { Logger } from '../core/platform.ts';
import type { ActiveRuns } from './runs.ts';

/** How long a run that was cut off has to put its thread in order, in milliseconds. */
const TIDY_MS = 1000;

/** What ending the runs of a hub needs. */
export interface DrainParts {
  readonly gate: TierGate;
  readonly runs: ActiveRuns;
  readonly log: Logger;
}

/**
 * Ends all runs: tools that are at work may finish until time is up. Of a body that is still running then nobody will ever
 * know how it ended, and its record says so. Open questions stay open.
 */
export async function drainRuns({ gate, runs, log }: DrainParts, seconds: number): Promise<void> {
  const { clock } = gate;
  let cancel = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(seconds * 1000, resolve);
  });
  const cut = await runs.drain(late);
  cancel();
  if (cut.length === 0) return;
  await new Promise<void>((resolve) => clock.after(TIDY_MS, resolve));
  for (const { key, kind } of cut) {
    const ids = kind === 'attempt' ? [key] : await startedIn(gate, key);
    for (const id of ids) await gate.store.lose(id, clock.now());
    log.warn('A run was cut off at the stop', { key, bodiesOfUnknownOutcome: ids.length });
  }
}

/** Approvals of a conversation whose bodies started and have not ended. */
async function startedIn({ store }: TierGate, conversation: string): Promise<readonly string[]> {
  const { records } = await store.list({ conversation, status: 'consumed', limit: 1000 });
  return records.map(({ id }) => id);
}
