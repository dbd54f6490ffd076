import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Silence } from './silence.ts';

describe('Silence', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('tells of a wait that lasts, counted from its own beginning, once', () => {
    const tell = vi.fn();
    const silence = new Silence(100, tell);
    for (let at = 0; at < 5; at++) {
      silence.begin();
      vi.advanceTimersByTime(30);
      silence.end();
    }
    expect(tell).not.toHaveBeenCalled();
    silence.begin();
    vi.advanceTimersByTime(99);
    expect(tell).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(1000);
    expect(tell).toHaveBeenCalledTimes(1);
  });

  test('keeps no timer between waits for longer than one wait, and none when it is stopped', () => {
    const silence = new Silence(100, () => undefined);
    silence.begin();
    silence.end();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
    silence.begin();
    silence.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
