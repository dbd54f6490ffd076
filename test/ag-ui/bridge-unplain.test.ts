import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, collect, DONE, house, unlock } from '../support/strands.ts';
import { UNCOPYABLE } from '../support/strands-parts.ts';
import { Disk, type ServedOptions, served } from './support/served.ts';
import { endOf, resultsOf, yes } from './support/wire.ts';

const HALF = 'Party tonight \ud83c';

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = { a: value };
  return value;
}

/** A bridge whose agent can read the web, and takes anything. */
function webServed(turns: Parameters<typeof served>[0], options: ServedOptions = {}) {
  const h = house();
  const read = h.tool('read_web', 0, z.object({}), () => HALF);
  const send = h.tool('send_data', 2, z.looseObject({}));
  return served(turns, { ...options, house: h, tools: [...h.tools, read, send] });
}

describe('[B7] A thread that waits beside what nobody could approve or run', () => {
  it.each(['with a session', 'without one'])('is answered like any other, %s', async (how) => {
    const disk = how === 'with a session' ? { disk: new Disk() } : {};
    const s = await webServed([[call('read_web', {}, 'c1'), unlock('front', 'c2')], DONE, DONE], disk);
    const stopped = await s.run();
    expect(endOf(stopped)).toBe('interrupt');
    expect(endOf(await s.run())).toBe('PENDING_INTERRUPTS');
    const resumed = await s.run({ resume: yes(stopped) });
    expect([endOf(resumed), resultsOf(resumed).map(([id]) => id)]).toEqual(['success', ['c2']]);
    expect(s.started()).toEqual(['read_web {}', 'unlock_door {"door":"front"}']);
    expect(endOf(await s.run())).toBe('success');
  });

  it('is asked about arguments that are nested as deep as any may be', async () => {
    const s = await webServed([[call('send_data', nested(98) as never, 'c1')], DONE]);
    const stopped = await s.run();
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
    expect(s.ran).toMatchObject([{ tool: 'send_data', args: nested(98) }]);
  });
});

describe('[B7] A stop that cannot be kept', () => {
  it.each(['with a session', 'without one'])(
    'ends the run, its question is void, the log says why and the thread is free, %s',
    async (how) => {
      const disk = how === 'with a session' ? { disk: new Disk() } : {};
      const turn = [call('read_lock', { door: 'front' }, 'c1'), unlock('front', 'c2')];
      const s = await webServed([turn, DONE], { ...disk, build: { hooks: [UNCOPYABLE] } });
      expect(endOf(await s.run())).toMatch(/^[A-Z]+_/);
      expect(s.log.of('error').join()).toMatch(/BigInt/);
      expect((await s.store.list()).records.map(({ status }) => status)).toEqual(['void']);
      expect(endOf(await s.run())).toBe('success');
      expect(s.started()).toEqual(['read_lock {"door":"front"}']);
    },
  );

  it('because the store fails once leaves no question that anybody could approve for nothing', async () => {
    const disk = new Disk();
    const s = await webServed([[unlock('front', 'c1')], DONE], { disk });
    const park = s.store.park.bind(s.store);
    let failures = 0;
    s.store.park = (turn) => (failures++ === 0 ? Promise.reject(new Error('the disk is full')) : park(turn));
    expect(endOf(await s.run())).toBe('ADAPTER_BUG');
    expect(s.log.of('error').join()).toMatch(/the disk is full/);
    const { records } = await s.store.list();
    expect(records.map(({ status }) => status)).toEqual(['void']);
    expect(disk.text()).not.toContain('"activated":true');
    expect(endOf(await s.run())).toBe('success');
    expect(s.started()).toEqual([]);
  });

  it.each(['prompt', 'resume', 'wake-up'] as const)(
    'because it was changed in the store is ended by the next %s, loudly, and approves nothing',
    async (how) => {
      const s = await webServed([[unlock('front', 'c1')], DONE, DONE]);
      const stopped = await s.run();
      const key = (await s.store.list()).records[0]?.request.origin.conversation ?? '';
      const turn = await s.store.parked(key);
      if (turn === undefined) throw new Error('nothing parked');
      await s.store.park({ ...turn, state: JSON.parse(JSON.stringify(turn.state).replaceAll('front', 'back')) });
      expect(JSON.stringify(await s.bridge.messagesOf('t1'))).toContain('unlock_door');
      const next = {
        prompt: () => s.run(),
        resume: () => s.run({ resume: yes(stopped) }),
        'wake-up': () => collect(s.bridge.resumeThread('t1')),
      };
      expect(endOf(await next[how]())).toBe('success');
      expect((await s.store.list()).records.map(({ status }) => status)).toEqual(['void']);
      expect([await s.store.parked(key), s.log.of('error').join()]).toEqual([
        undefined,
        expect.stringContaining('is damaged'),
      ]);
      expect(endOf(await s.run())).toBe('success');
      expect(s.started()).toEqual([]);
    },
  );
});
