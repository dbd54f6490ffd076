import type { BaseEvent } from '@ag-ui/core';
import { defaultPolicy, type Policy } from 'strands-tau';
import { RunStopped } from 'strands-tau/ag-ui';
import { describe, expect, it } from 'vitest';
import { collect, DONE, held, rest, unlock, until } from '../support/strands.ts';
import { BOB, type Served, served } from './support/served.ts';
import { answer, endOf, yes } from './support/wire.ts';

const YES: object = { approved: true };

describe('[B7] A run that is stopped while its answers are recorded', () => {
  it.each([
    ['stopped', new RunStopped(), ['cancelled', 'cancelled']],
    ['left', undefined, ['approved', 'approved']],
  ] as const)(
    'takes back what it approved, also when the next answer fails; one that is only %s does what it should',
    async (_how, reason, expected) => {
      const turns = [[unlock('front', 'c1'), unlock('back', 'c2'), unlock('front', 'c3')], DONE];
      const s = await served(turns);
      const stopped = await s.run();
      const { store } = s;
      const decide = store.decide.bind(store);
      const slow = held<void>();
      let decisions = 0;
      store.decide = async (...step) => {
        decisions += 1;
        if (decisions < 3) return decide(...step);
        await slow.promise;
        throw new Error('the disk is full');
      };
      const signal = new AbortController();
      const run = s.run({ resume: yes(stopped) }, { signal: signal.signal });
      await until(() => decisions === 3);
      signal.abort(reason);
      slow.settle();
      expect(endOf(await run)).not.toBe('success');
      await s.bridge.idle();
      const { records } = await store.list();
      expect(records.map(({ status }) => status)).toEqual([...expected, 'pending']);
      expect(s.started()).toEqual([]);
    },
  );
});

describe('[B7] A run that is stopped when its yes is recorded and its agent has not begun', () => {
  const answers = [
    ['a yes', YES],
    ['a yes to other arguments', { approved: true, editedArgs: { door: 'back' } }],
  ] as const;

  it.each(answers)('takes back %s at once, while its reader rests', async (_what, payload) => {
    const s = await served([[unlock('front', 'c1')], DONE]);
    const stopped = await s.run();
    const stop = new AbortController();
    const run = await opened(s, stopped, stop.signal, payload);
    expect(await statuses(s)).toContain('approved');
    stop.abort(new RunStopped());
    await rest();
    expect(await statuses(s)).not.toContain('approved');
    await run.return();
    await s.bridge.idle();
    await collect(s.bridge.resumeThread('t1'));
    expect(s.started()).toEqual([]);
  });

  it.each(answers)('takes back %s, while a store that is read takes its time', async (_what, payload) => {
    const s = await served([[unlock('front', 'c1')], DONE]);
    const stopped = await s.run();
    const slow = held<void>();
    let asked = 0;
    const parked = s.store.parked.bind(s.store);
    s.store.parked = async (conversation) => {
      if ((await statuses(s)).includes('approved')) asked += 1;
      if (asked > 0) await slow.promise;
      return parked(conversation);
    };
    const stop = new AbortController();
    const run = s.run({ resume: answer(stopped, payload) }, { signal: stop.signal });
    await until(() => asked > 0);
    stop.abort(new RunStopped());
    expect(endOf(await run)).toBe('cut off');
    await s.bridge.idle();
    expect(await statuses(s)).not.toContain('approved');
    slow.settle();
    await collect(s.bridge.resumeThread('t1'));
    expect(s.started()).toEqual([]);
  });

  it('keeps the yes of somebody else', async () => {
    const everyone: Policy = { ...defaultPolicy, version: 'everyone', mayDecide: () => true };
    const s = await served([[unlock('front', 'c1')], DONE], { build: { policy: everyone } });
    const stopped = await s.run();
    const { id, digest } = (await s.store.list()).records[0]?.request ?? { id: '', digest: '' };
    await s.tau?.gate.decide(id, { decision: 'approved', by: BOB, channel: 'page', digest });
    const stop = new AbortController();
    const run = await opened(s, stopped, stop.signal);
    stop.abort(new RunStopped());
    await run.return();
    await s.bridge.idle();
    expect(await statuses(s)).toEqual(['approved']);
  });

  it('keeps its yes when its client has only left', async () => {
    const s = await served([[unlock('front', 'c1')], DONE]);
    const stopped = await s.run();
    const left = new AbortController();
    const run = await opened(s, stopped, left.signal);
    left.abort();
    await run.return();
    await s.bridge.idle();
    expect(await statuses(s)).toEqual(['approved']);
  });
});

/** A run that answers with yes, read up to where its yes is recorded and its agent has not begun. */
async function opened(s: Served, stopped: readonly BaseEvent[], signal: AbortSignal, payload = YES) {
  const run = s.bridge.run(s.input({ state: { a: 1 }, resume: answer(stopped, payload) }), { signal });
  for (let event = await run.next(); event.value?.type !== 'STATE_SNAPSHOT'; ) event = await run.next();
  return run;
}

async function statuses({ store }: Served): Promise<readonly string[]> {
  return (await store.list()).records.map(({ status }) => status);
}
