import { describe, expect, it } from 'vitest';
import { ANN, served } from '../../../test/ag-ui/support/served.ts';
import { endOf, interruptOf } from '../../../test/ag-ui/support/wire.ts';
import { DONE, unlock } from '../../../test/support/strands.ts';
import type { CallOrigin, Principal } from '../../core/call.ts';
import { threadOf } from './thread-of.ts';

function of(origin: CallOrigin): ReturnType<typeof threadOf> {
  return threadOf({ request: { origin } });
}

describe('[B3, B10] threadOf', () => {
  it.each([ANN, undefined])(
    'names the thread of a record, so that it goes on for whoever asked (%j)',
    async (principal) => {
      const who: { readonly principal?: Principal } = principal === undefined ? {} : { principal };
      const s = await served([[unlock('front', 'c1')], DONE]);
      const stopped = await s.run({ threadId: '"olga"/t1' }, who);
      const [record] = (await s.store.list()).records;
      expect(interruptOf(stopped).id).toBe(record?.id);
      const thread = record && threadOf(record);
      expect(thread).toEqual({ threadId: '"olga"/t1', principal: principal ?? { id: 'anonymous', kind: 'person' } });
      await s.tau?.gate.decide(record?.id ?? '', {
        decision: 'approved',
        by: principal ?? thread?.principal ?? ANN,
        channel: 'desk',
      });
      const events = [];
      for await (const event of s.bridge.resumeThread(thread?.threadId ?? '', thread)) events.push(event);
      expect([endOf(events), s.started()]).toEqual(['success', ['unlock_door {"door":"front"}']]);
    },
  );

  it('knows none of a direct call, or where somebody else than the bridge named the conversation', () => {
    expect(of({ kind: 'direct' })).toBeUndefined();
    expect(of({ kind: 'model', conversation: 'c1', principal: ANN })).toBeUndefined();
    expect(of({ kind: 'model', conversation: '"bob"/c1', principal: ANN })).toBeUndefined();
    expect(of({ kind: 'model', conversation: '"\\x"/c1' })).toBeUndefined();
  });
});
