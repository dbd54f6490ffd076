import { afterEach, describe, expect, it, vi } from 'vitest';
import { catalogOf, TOOLS, unlock } from '../../test/gate-fixture.ts';
import { TierGate } from './gate.ts';
import { consoleLogger, systemClock, systemRandom } from './platform.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('[G10] the clock of the platform', () => {
  it('calls back once after the time, unless it was undone', () => {
    vi.useFakeTimers();
    const called: string[] = [];
    systemClock.after(1000, () => called.push('kept'));
    const undo = systemClock.after(1000, () => called.push('undone'));
    undo();
    vi.advanceTimersByTime(999);
    expect(called).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect(called).toEqual(['kept']);
  });

  it('calls back once, and in time, also after more time than a timer of the platform holds', () => {
    vi.useFakeTimers();
    const called: string[] = [];
    const days = 86_400_000;
    systemClock.after(365 * days, () => called.push('a year'));
    systemClock.after(30 * days, () => called.push('a month'));
    const undo = systemClock.after(30 * days, () => called.push('undone'));
    vi.advanceTimersByTime(30 * days - 1);
    expect(called).toEqual([]);
    undo();
    vi.advanceTimersByTime(1);
    expect(called).toEqual(['a month']);
    vi.advanceTimersByTime(335 * days - 1);
    expect(called).toEqual(['a month']);
    vi.advanceTimersByTime(366 * days);
    expect(called).toEqual(['a month', 'a year']);
  });

  it('tells the time of the platform', () => {
    vi.useFakeTimers({ now: 1234 });
    expect(systemClock.now()).toBe(1234);
  });
});

describe('[G12] random ids', () => {
  it('are 32 hexadecimal digits, each another', () => {
    const ids = Array.from({ length: 1000 }, systemRandom);
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });
});

describe('[G16] the log of a gate that was given none', () => {
  it('goes to the console at warn and error, and nowhere below', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const gate = new TierGate({ catalog: catalogOf(TOOLS) });
    await gate.run(unlock(), async () => 'done');
    consoleLogger.debug('d');
    consoleLogger.info('i');
    expect([warn.mock.calls, error.mock.calls]).toEqual([
      [['no approver is configured: every tier-2 call will be refused']],
      [],
    ]);
    gate.reportError('agent', 'x');
    expect(error.mock.calls).toEqual([['x', { where: 'agent', tool: undefined }]]);
    consoleLogger.error('y');
    consoleLogger.warn('z', {});
    expect([error.mock.lastCall, warn.mock.lastCall]).toEqual([['y'], ['z', {}]]);
  });
});
