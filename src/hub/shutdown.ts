import type { StrandsAgent } from '../ag-ui/strands-agent.ts';
import { errorText } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import type { Clock, Logger } from '../core/platform.ts';
import type { RunningBody } from '../core/running-bodies.ts';
import type { ActiveRuns } from './runs.ts';

/** How long a run that was cut off has to put its thread in order, in milliseconds. */
const TIDY_MS = 1000;

/** How long answers that are being made may take once nobody connects any more, in milliseconds. */
const LAST_ANSWERS_MS = 500;

/** What ending the runs of a hub needs. */
export interface DrainParts {
  readonly gate: TierGate;
  readonly bridge: Pick<StrandsAgent, 'idle'>;
  readonly runs: ActiveRuns;
  readonly log: Logger;
}

/**
 * Ends all runs: tools that are at work may finish until time is up. Of a body that is still running then nobody will ever
 * know how it ended, and its record says so. Open questions stay open.
 */
export async function drainRuns({ gate, bridge, runs, log }: DrainParts, seconds: number): Promise<void> {
  const { clock } = gate;
  let cancel = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(seconds * 1000, resolve);
  });
  const cut = await runs.drain(late);
  // Also those whose run has gone, because its client left: the store must not be closed under them.
  await Promise.race([Promise.all([gate.idle(), bridge.idle()]), late]);
  cancel();
  // What is known must not be told as unknown because the store was away for a while.
  await Promise.race([gate.flush(), pause(clock, TIDY_MS)]);
  if (cut.length > 0) await pause(clock, TIDY_MS);
  for (const { key } of cut) log.warn('A run was cut off at the stop', { key });
  for (const body of gate.running) {
    await giveUp(gate, body).catch((error: unknown) =>
      log.error('A body that is still at work could not be given up', { tool: body.tool, error: errorText(error) }),
    );
  }
}

/** Waits for answers that are being made, for a while: whoever sends a request may never send all of it. */
export async function finishAnswers(answers: Iterable<Promise<unknown>>, clock: Clock): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(LAST_ANSWERS_MS, resolve);
  await Promise.race([Promise.allSettled(answers), late]);
  cancel();
}

function pause(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => clock.after(milliseconds, resolve));
}

/** Says of a body that is still at work that nobody will know how it ends. */
async function giveUp(gate: TierGate, body: RunningBody): Promise<void> {
  const { tool, approvalId } = body;
  gate.reportError('agent', `'${tool}' was still at work when the hub stopped; nobody will know how it ended`, body);
  if (approvalId !== undefined) await gate.store.lose(approvalId, gate.clock.now());
}
