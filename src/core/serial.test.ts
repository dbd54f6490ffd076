import { describe, expect, it } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { KeyedQueue } from './serial.ts';

const rest = (): Promise<void> => new ManualClock().advance(0);

describe('[G9] a line for each key', () => {
  it('serves one at a time, in the order they came', async () => {
    const queue = new KeyedQueue();
    const order: string[] = [];
    const take = async (name: string): Promise<() => void> => {
      const release = await queue.acquire('k');
      order.push(name);
      return release ?? ((): void => undefined);
    };
    const [a, b, c] = [take('a'), take('b'), take('c')];
    await rest();
    expect(order).toEqual(['a']);
    (await a)();
    await rest();
    expect(order).toEqual(['a', 'b']);
    (await b)();
    (await c)();
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it('does not hold up another key', async () => {
    const queue = new KeyedQueue();
    await queue.acquire('one');
    expect(await queue.acquire('two')).toBeTypeOf('function');
  });

  it('lets a waiting one leave, and keeps the order of the others', async () => {
    const queue = new KeyedQueue();
    const abort = new AbortController();
    const order: string[] = [];
    const first = await queue.acquire('k');
    const second = queue.acquire('k', abort.signal);
    const third = queue.acquire('k').then((release) => {
      order.push('third');
      return release;
    });
    abort.abort();
    expect(await second).toBeUndefined();
    await rest();
    expect(order).toEqual([]);
    first?.();
    await third;
    expect(order).toEqual(['third']);
  });

  it('does not serve one whose signal has fired, even when its turn came at the same moment', async () => {
    const queue = new KeyedQueue();
    const abort = new AbortController();
    const first = await queue.acquire('k');
    const second = queue.acquire('k', abort.signal);
    first?.();
    abort.abort();
    expect(await second).toBeUndefined();
    expect(await queue.acquire('k')).toBeTypeOf('function');
    const aborted = new AbortController();
    aborted.abort();
    expect(await queue.acquire('other', aborted.signal)).toBeUndefined();
    expect(await queue.acquire('other')).toBeTypeOf('function');
  });

  it('passes the turn on once, however often it is released', async () => {
    const queue = new KeyedQueue();
    const first = await queue.acquire('k');
    const second = queue.acquire('k');
    const third = queue.acquire('k');
    first?.();
    first?.();
    let served = false;
    void third.then(() => {
      served = true;
    });
    await second;
    await rest();
    expect(served).toBe(false);
  });
});
