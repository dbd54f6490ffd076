import { RunStopped } from 'strands-tau/ag-ui';
import { describe, expect, it } from 'vitest';
import { DONE, held, unlock, until } from '../support/strands.ts';
import { served } from './support/served.ts';
import { endOf, yes } from './support/wire.ts';

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
