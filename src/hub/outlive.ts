/**
 * The events of a run that goes on without whoever reads them: leaving them does not end it. While somebody reads, the
 * run is as fast as the reader; afterwards it reads itself.
 */
export async function* outliving<T>(events: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
  let isOver = false;
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next()) yield next.value;
    isOver = true;
  } finally {
    if (!isOver) void readOn(events);
  }
}

/** Whoever runs it has told of a failure; here it is only not to end the process. */
async function readOn(events: AsyncGenerator<unknown, void, undefined>): Promise<void> {
  try {
    for await (const _event of events);
  } catch {
    return;
  }
}
