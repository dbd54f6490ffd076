import { Agent } from '@strands-agents/sdk';
import { ManualClock, ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { held, rest } from '../../../test/support/strands.ts';
import { ThreadAgent } from './thread-agent.ts';
import type { ThreadKey } from './thread-key.ts';
import { type Lease, Threads } from './threads.ts';

const key = (id: string): ThreadKey => id as ThreadKey;

class Waiting extends ThreadAgent {
  waits = false;
  /** Whether an answer can still come; an error for a store that cannot be read. */
  owed: boolean | Error = true;
  looks = 0;

  override mustStay(): boolean {
    return this.waits;
  }

  override async isOwed(): Promise<boolean> {
    this.looks += 1;
    if (this.owed instanceof Error) throw this.owed;
    return this.owed;
  }
}

function agent(): Waiting {
  const made = new Agent({ model: new ScriptedModel([]), printer: false });
  return new Waiting({ agent: made, guarded: undefined, templateTools: [], durable: false });
}

function setting(maxThreads = 3, idleSeconds = 100) {
  const clock = new ManualClock();
  const threads = new Threads({ maxThreads, idleSeconds, clock });
  const take = (id: string): Lease => {
    const lease = threads.take(key(id));
    if (lease === undefined) throw new Error(`${id} is busy`);
    return lease;
  };
  /** Uses a thread; tells whether its agent was made anew. */
  const use = async (id: string, made = agent()): Promise<boolean> => {
    const lease = take(id);
    const held = await lease.agent(() => Promise.resolve(made));
    lease.release();
    return held === made;
  };
  return { clock, threads, take, use };
}

describe('[B7] The threads of a bridge', () => {
  it('are taken by one run at a time', () => {
    const { threads, take } = setting();
    const lease = take('a');
    expect(threads.take(key('a'))).toBeUndefined();
    expect(threads.take(key('b'))).toBeDefined();
    lease.release();
    expect(threads.take(key('a'))).toBeDefined();
  });

  it('are given back once: a late second time does not free the run that has it now', () => {
    const { threads, take } = setting();
    const first = take('a');
    first.release();
    take('a');
    first.release();
    expect(threads.take(key('a'))).toBeUndefined();
  });

  it('keep at most so many agents, and drop the longest unused first', async () => {
    const { threads, use } = setting(3);
    for (const id of ['a', 'b', 'c', 'a', 'd']) await use(id);
    expect(threads.size).toBe(3);
    expect([await use('a'), await use('c'), await use('d')]).toEqual([false, false, false]);
    expect(await use('b')).toBe(true);
  });

  it('count a long run as use until its end', async () => {
    const { use, take } = setting(2);
    const long = take('a');
    await long.agent(() => Promise.resolve(agent()));
    await use('b');
    long.release();
    await use('c');
    expect([await use('a'), await use('b')]).toEqual([false, true]);
  });

  it('drop agents that were idle too long, whatever stands before them', async () => {
    const { clock, threads, use, take } = setting(10, 100);
    const long = take('z');
    await long.agent(() => Promise.resolve(agent()));
    await use('a');
    await clock.advance(101_000);
    long.release();
    expect(threads.size).toBe(1);
    await use('b');
    expect([await use('z'), await use('a')]).toEqual([false, true]);
  });

  it('never drop a busy one', async () => {
    const { clock, threads, use, take } = setting(1, 1);
    const busy = take('a');
    const own = agent();
    await busy.agent(() => Promise.resolve(own));
    await clock.advance(10_000);
    await use('b');
    await use('c');
    expect(threads.take(key('a'))).toBeUndefined();
    busy.release();
    const again = take('a');
    expect(await again.agent(() => Promise.resolve(agent()))).toBe(own);
  });

  it('never drop one that waits for an answer, until it does not', async () => {
    const { clock, threads, use } = setting(1, 1);
    const waiting = agent();
    waiting.waits = true;
    await use('a', waiting);
    for (let i = 0; i < 50; i++) await use(`b${i}`);
    await clock.advance(10_000);
    expect(threads.size).toBe(1);
    expect(await use('a')).toBe(false);
    waiting.waits = false;
    await use('c');
    expect(threads.size).toBe(1);
  });

  it('drop one that waits once nobody can answer it any more, and ask about that once a minute', async () => {
    const { clock, threads, use } = setting(1, 3600);
    const waiting = agent();
    waiting.waits = true;
    await use('a', waiting);
    for (const id of ['b', 'c', 'd']) await use(id);
    expect([threads.size, waiting.looks]).toEqual([1, 1]);
    waiting.owed = new Error('the store is locked');
    await clock.advance(60_000);
    await use('e');
    await rest();
    waiting.owed = false;
    await clock.advance(60_000);
    await use('f');
    await rest();
    expect([threads.size, waiting.looks, await use('a')]).toEqual([0, 3, true]);
  });

  it('keep one that is used while that is asked', async () => {
    const { threads, use } = setting(1, 3600);
    const waiting = agent();
    waiting.waits = true;
    const asked = held<boolean>();
    waiting.isOwed = () => asked.promise;
    await use('a', waiting);
    await use('b');
    expect(await use('a')).toBe(false);
    asked.settle(false);
    await rest();
    expect([threads.size, await use('a')]).toEqual([1, false]);
  });

  it('keep nothing of a failure, nor of an agent that was discarded or may not be used any more', async () => {
    const { threads, take, use } = setting();
    const lease = take('a');
    await expect(lease.agent(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    lease.release();
    expect(threads.size).toBe(0);
    await use('a');
    const second = take('a');
    second.discard();
    second.release();
    expect(await use('a')).toBe(true);
    const third = take('a');
    const other = agent();
    expect(
      await third.agent(
        () => Promise.resolve(other),
        () => false,
      ),
    ).toBe(other);
  });

  it('hold a bounded number of agents over thousands of threads', async () => {
    const { threads, use } = setting(50);
    const one = agent();
    for (let i = 0; i < 5000; i++) await use(`t${i}`, one);
    expect(threads.size).toBe(50);
  });
});
