import type { Clock } from '../core/platform.ts';

/** How long somebody may take for one event before they count as gone, in milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * The events of a run that goes on without whoever reads them: neither leaving them nor leaving them unread ends or holds it.
 * While somebody reads, the run is as fast as the reader; afterwards it reads itself.
 */
export async function* outliving<T>(
  events: AsyncGenerator<T, void, undefined>,
  clock: Pick<Clock, 'after'>,
): AsyncGenerator<T, void, undefined> {
  let isOver = false;
  let cancel = (): void => undefined;
  const readOn = (): void => {
    if (isOver) return;
    isOver = true;
    void toItsEnd(events);
  };
  try {
    for (let next = await events.next(); next.done !== true && !isOver; next = await events.next()) {
      cancel = clock.after(PATIENCE_MS, readOn);
      yield next.value;
      cancel();
      // Who was away for so long finds the whole of it in the conversation.
      if (isOver) return;
    }
    isOver = true;
  } finally {
    cancel();
    readOn();
  }
}

/** Whoever runs it has told of a failure; here it is only not to end the process. */
async function toItsEnd(events: AsyncGenerator<unknown, void, undefined>): Promise<void> {
  try {
    for await (const _event of events);
  } catch {
    return;
  }
}
