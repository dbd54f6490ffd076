import { describe, expect, it } from 'vitest';
import { ManualClock } from '../testing/index.ts';
import { outliving } from './outlive.ts';

/** Three numbers, and what was read of them. */
function run() {
  const read: (number | 'end')[] = [];
  const events = (async function* () {
    for (const n of [1, 2, 3]) {
      read.push(n);
      yield n;
    }
    read.push('end');
  })();
  const clock = new ManualClock();
  return { read, clock, events: outliving(events, clock) };
}

const rest = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('[P20] the events of a run that goes on by itself', () => {
  it('come one by one, no faster than they are read', async () => {
    const { read, events } = run();
    await events.next();
    await rest();
    expect(read).toEqual([1]);
    const more: number[] = [];
    for await (const n of events) more.push(n);
    expect(more).toEqual([2, 3]);
    expect(read).toEqual([1, 2, 3, 'end']);
  });

  it('are read to the end when the reader leaves, and not before anybody began', async () => {
    const { read, events } = run();
    await events.next();
    await events.return();
    await rest();
    expect(read).toEqual([1, 2, 3, 'end']);
    const never = run();
    await never.events.return();
    await rest();
    expect(never.read).toEqual([]);
  });

  it('are read to the end when the reader takes none for a minute; who comes back then is told that it is over', async () => {
    const { read, clock, events } = run();
    await events.next();
    await clock.advance(59_000);
    expect(read).toEqual([1]);
    await clock.advance(1000);
    await rest();
    expect(read).toEqual([1, 2, 3, 'end']);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it('that fail unread end nothing else', async () => {
    const failing = (async function* () {
      yield 1;
      throw new Error('broken');
    })();
    const events = outliving(failing, new ManualClock());
    await events.next();
    await events.return();
    await rest();
    expect((await events.next()).done).toBe(true);
  });
});
