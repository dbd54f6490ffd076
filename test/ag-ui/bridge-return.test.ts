import { tool } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, unlock, until } from '../support/strands.ts';
import { Disk, type ServedOptions, served, user } from './support/served.ts';
import { endOf, interruptsOf, resultsOf, time, upTo, yes } from './support/wire.ts';

const never = (): Promise<never> => new Promise(() => undefined);

function hangingTool(hang: () => Promise<never>) {
  return tool({ name: 'hang', description: 'Hangs.', inputSchema: z.object({}), callback: hang });
}

describe('[B7] return() settles although something hangs:', () => {
  const hanging: readonly [string, (hang: () => Promise<never>) => ServedOptions][] = [
    ['the session manager provider', (hang) => ({ config: { sessionManagerProvider: hang } })],
    ['the thread configuration', (hang) => ({ config: { threadAgentConfig: hang } })],
    ['the tool filter', (hang) => ({ config: { templateToolsProvider: hang } })],
    ['a factory', (hang) => ({ agent: hang })],
    ['a tool that does not stop', (hang) => ({ kind: 'plain', tools: [hangingTool(hang)] })],
  ];

  it.each(hanging)('%s', async (_what, options) => {
    let hangs = 0;
    let asked = 0;
    const hang = (): Promise<never> => {
      hangs += 1;
      return hangs === 1 ? never() : Promise.reject(new Error('not again'));
    };
    const turn = () => (asked++ === 0 ? [call('hang', {})] : DONE);
    const s = await served([turn, turn, turn], options(hang));
    const run = s.bridge.run(s.input());
    const read = (async () => {
      for await (const _event of run);
    })();
    await until(() => hangs === 1);
    expect(await time(run.return())).toBeLessThan(1000);
    await read;
    expect(['cut off', 'THREAD_BUSY']).not.toContain(endOf(await s.run()));
    expect(hangs).toBeLessThanOrEqual(2);
  });

  it('a store', async () => {
    const s = await served([[unlock('front')], DONE]);
    const stopped = await s.run();
    const { store } = s;
    const get = store.get.bind(store);
    let hung = false;
    store.get = async (id) => {
      if (hung) return get(id);
      hung = true;
      return never();
    };
    const run = s.bridge.run(s.input({ resume: yes(stopped) }));
    await upTo(run, 'RUN_STARTED');
    const pending = run.next();
    await until(() => hung);
    expect(await time(run.return())).toBeLessThan(1000);
    expect((await pending).done).toBe(true);
    expect(s.started()).toEqual([]);
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
    expect(s.started()).toHaveLength(1);
  });

  it('the session while it is saved', async () => {
    const disk = new Disk();
    const session = disk.session('anonymous-t1');
    let saves = 0;
    session.saveSnapshot = () => (saves++ === 0 ? never() : Promise.resolve());
    const s = await served([DONE, DONE], { config: { sessionManagerProvider: () => session } });
    const run = s.bridge.run(s.input());
    const read = (async () => {
      for await (const _event of run);
    })();
    await until(() => saves === 1);
    expect(await time(run.return())).toBeLessThan(1000);
    await read;
    expect(endOf(await s.run())).toBe('success');
  });

  it('nothing: a run that was never read, or has ended', async () => {
    const s = await served([DONE, DONE]);
    const unread = s.bridge.run(s.input());
    expect(await unread.return()).toEqual({ done: true, value: undefined });
    const ended = s.bridge.run(s.input({ messages: [user('hi')] }));
    for await (const _event of ended);
    expect(await ended.return()).toEqual({ done: true, value: undefined });
    expect(await ended.next()).toEqual({ done: true, value: undefined });
    {
      await using disposed = s.bridge.run(s.input());
      await disposed.next();
    }
    const events = await s.run();
    expect([endOf(events), interruptsOf(events), resultsOf(events)]).toEqual(['success', [], []]);
  });
});
