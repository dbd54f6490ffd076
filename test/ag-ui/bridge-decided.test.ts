import type { BaseEvent } from '@ag-ui/core';
import type { Policy, Principal } from 'strands-tau';
import { ManualClock } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import type { TauDecided } from '../../src/ag-ui/index.ts';
import { collect, DONE, held, unlock, until } from '../support/strands.ts';
import { ANN, BOB, type Served, type ServedOptions, served } from './support/served.ts';
import { answer, customs, endOf, interruptOf, interruptsOf, no, recorded, types, yes } from './support/wire.ts';

const ANYBODY: Policy = { version: '1', sees: () => true, mayDecide: () => true };

async function parked(options: ServedOptions = {}, turn = [unlock('front', 'c1')]) {
  const s = await served([turn, DONE, DONE], { build: { policy: ANYBODY }, ...options });
  return { s, stopped: await s.run() };
}

/** Somebody decides on another channel. */
function decide(
  s: Served,
  events: readonly BaseEvent[],
  decision: 'approved' | 'rejected',
  by: Principal = BOB,
  at = 0,
) {
  return s.tau?.gate.decide(interruptsOf(events)[at]?.id ?? '', { decision, by, channel: 'phone' });
}

function decidedBy(id: string, decision: TauDecided['decision'], by = 'bob'): TauDecided {
  return { interruptId: id, decision, by, at: expect.stringMatching(/^\d{4}-.*Z$/) };
}

describe('[B3] A question that was decided elsewhere before the client answered', () => {
  it('keeps that decision; the client is told, and the run goes on with it', async () => {
    const { s, stopped } = await parked();
    const { id } = interruptOf(stopped);
    await decide(s, stopped, 'approved');
    const ended = await s.run({ resume: no(stopped) });
    expect(customs(ended, 'tau:decided')).toEqual([decidedBy(id, 'approved')]);
    expect([endOf(ended), s.started()]).toEqual(['success', ['unlock_door {"door":"front"}']]);
  });

  it('stays refused although the client approves', async () => {
    const { s, stopped } = await parked();
    await decide(s, stopped, 'rejected');
    const ended = await s.run({ resume: yes(stopped) });
    expect(customs(ended, 'tau:decided')).toEqual([decidedBy(interruptOf(stopped).id, 'rejected')]);
    expect([endOf(ended), s.started()]).toEqual(['success', []]);
  });

  it('beside one that was not: both count, each by whoever was first', async () => {
    const { s, stopped } = await parked({}, [unlock('front'), unlock('back')]);
    await decide(s, stopped, 'rejected');
    const ended = await s.run({ resume: yes(stopped) });
    expect(customs(ended, 'tau:decided')).toEqual([decidedBy(interruptsOf(stopped)[0]?.id ?? '', 'rejected')]);
    expect([endOf(ended), s.started()]).toEqual(['success', ['unlock_door {"door":"back"}']]);
  });

  it('may be answered by a client that could not have decided it, and never before', async () => {
    const policy: Policy = { version: '1', sees: () => true, mayDecide: ({ id }) => id === 'bob' };
    const { s, stopped } = await parked({ build: { policy } });
    const refused = await s.run({ resume: yes(stopped) });
    expect(endOf(refused)).toBe('FORBIDDEN_ANSWER');
    expect(s.started()).toEqual([]);
    await decide(s, stopped, 'approved');
    const ended = await s.run({ resume: yes(stopped) });
    expect(customs(ended, 'tau:decided')).toEqual([decidedBy(interruptOf(stopped).id, 'approved')]);
    expect([endOf(ended), s.started()]).toEqual(['success', ['unlock_door {"door":"front"}']]);
  });

  it.each(['while it was open', 'after somebody had said yes'])(
    'or withdrawn, %s: the client is told who did it and when, and not why',
    async (when) => {
      const clock = new ManualClock();
      const { s, stopped } = await parked({ build: { policy: ANYBODY, clock } });
      const { id } = interruptOf(stopped);
      if (when !== 'while it was open') await decide(s, stopped, 'approved', ANN);
      await clock.advance(5000);
      const at = new Date(clock.now()).toISOString();
      await s.tau?.gate.cancel(id, { by: BOB, channel: 'phone', because: 'a private matter' });
      await clock.advance(5000);
      const ended = await s.run({ resume: yes(stopped) });
      expect(customs(ended, 'tau:decided')).toEqual([{ interruptId: id, decision: 'cancelled', by: 'bob', at }]);
      expect([endOf(ended), s.started()]).toEqual(['success', []]);
      expect(customs(await s.run({ resume: yes(stopped) }), 'tau:decided')).toHaveLength(1);
    },
  );

  it('and edited there is asked about again, as a new question', async () => {
    const { s, stopped } = await parked({
      build: { policy: { ...ANYBODY, mayDecide: ({ id }) => id === 'anonymous' } },
    });
    const { id } = interruptOf(stopped);
    const edit = { arguments: { door: 'back' }, by: { id: 'anonymous', kind: 'person' }, channel: 'phone' } as const;
    await s.store.close(id, 'void', 0, 'set aside');
    expect((await s.tau?.gate.edit(id, edit))?.status).toBe('already_decided');
    const again = await s.run({ resume: yes(stopped) });
    expect(customs(again, 'tau:decided')).toEqual([{ interruptId: id, decision: 'void', by: null, at: null }]);
    expect([endOf(again), s.started()]).toEqual(['interrupt', []]);
    expect(interruptOf(again).id).not.toBe(id);
  });

  it('and replaced by another question is not a partial answer: the run stops at the new one', async () => {
    const { s, stopped } = await parked({}, [
      { toolUse: { name: 'run_shell', input: { command: 'ls' }, toolUseId: 'c1' } },
    ]);
    const { id } = interruptOf(stopped);
    const edited = await s.tau?.gate.edit(id, { arguments: { command: 'df' }, by: BOB, channel: 'phone' });
    expect(edited?.status).toBe('asked_again');
    const again = await s.run({ resume: yes(stopped) });
    expect([endOf(again), s.started()]).toEqual(['interrupt', []]);
    expect(interruptOf(again).metadata).toMatchObject({ tau: { arguments: { command: 'df', sudo: false } } });
    expect(endOf(await s.run({ resume: yes(again) }))).toBe('success');
    expect(s.started()).toEqual(['run_shell {"command":"df","sudo":false}']);
  });
});

describe('[B3] A question that was decided and carried on elsewhere', () => {
  it('is told in a short run that starts nothing', async () => {
    const { s, stopped } = await parked();
    await s.run({ resume: yes(stopped) });
    const late = await s.run({ resume: no(stopped), messages: [{ id: 'm', role: 'user', content: 'hi' }] });
    expect(types(late)).toEqual(['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'CUSTOM', 'RUN_FINISHED']);
    expect(customs(late, 'tau:decided')).toEqual([decidedBy(interruptOf(stopped).id, 'approved', 'anonymous')]);
    expect([endOf(late), s.started().length, s.model.calls.length]).toEqual(['success', 1, 2]);
    const later = await s.run({ resume: no(stopped) });
    expect(customs(later, 'tau:decided')).toHaveLength(1);
  });

  it('is told when the decision and the run came from another process', async () => {
    const { s, stopped } = await parked();
    await decide(s, stopped, 'approved');
    const other = await served([DONE], { store: s.store, build: { policy: ANYBODY } });
    const { tau } = other;
    for await (const _event of tau?.resume({ conversation: 't1' }) ?? []);
    const late = await s.run({ resume: yes(stopped) });
    expect(customs(late, 'tau:decided')).toEqual([decidedBy(interruptOf(stopped).id, 'approved')]);
    expect([endOf(late), s.started()]).toEqual(['success', []]);
    expect(other.started()).toEqual(['unlock_door {"door":"front"}']);
    expect(endOf(await s.run())).toBe('success');
  });

  it('and asked anew there, because the rules changed, is shown to the client as the new question that it is', async () => {
    const { s, stopped } = await parked();
    const other = await served([DONE], { store: s.store, build: { policy: { ...ANYBODY, version: '2' } } });
    await decide(s, stopped, 'approved');
    for await (const _event of other.tau?.resume({ conversation: 't1' }) ?? []);
    const again = await s.run({ resume: yes(stopped) });
    expect([endOf(again), s.started(), other.started()]).toEqual(['interrupt', [], []]);
    expect(interruptOf(again).id).not.toBe(interruptOf(stopped).id);
    expect(endOf(await s.run({ resume: yes(again) }))).toBe('success');
    expect(s.started()).toHaveLength(1);
  });

  it('an answer that lost says so each time it is repeated', async () => {
    const { s, stopped } = await parked();
    await decide(s, stopped, 'rejected');
    const first = await s.run({ resume: yes(stopped) });
    const second = await s.run({ resume: yes(stopped) });
    expect([customs(first, 'tau:decided').length, customs(second, 'tau:decided').length]).toEqual([1, 1]);
    expect([endOf(second), s.started(), s.model.calls.length]).toEqual(['success', [], 2]);
  });
});

describe('[B3] Two tabs', () => {
  it('that answer at once give one body: one wins, the other is told that the thread is busy', async () => {
    const gate = held<void>();
    const s = await served([
      [unlock('front')],
      async () => {
        await gate.promise;
        return DONE;
      },
    ]);
    const stopped = await s.run();
    const first = s.run({ resume: yes(stopped) });
    await until(() => s.started().length === 1);
    const second = await s.run({ resume: no(stopped) });
    expect(endOf(second)).toBe('THREAD_BUSY');
    gate.settle();
    expect(endOf(await first)).toBe('success');
    expect(s.started()).toHaveLength(1);
    const third = await s.run({ resume: no(stopped) });
    expect([endOf(third), customs(third, 'tau:decided').length]).toEqual(['success', 1]);
  });

  it('give one body however the two runs interleave', async () => {
    for (let offset = 0; offset < 12; offset++) {
      const { s, stopped } = await parked();
      const first = s.bridge.run(s.input({ resume: yes(stopped) }));
      const second = s.bridge.run(s.input({ resume: answer(stopped, { approved: true, reason: 'second' }) }));
      const opening: BaseEvent[] = [];
      for (let i = 0; i < offset; i++) {
        const next = await first.next();
        if (next.done !== true) opening.push(next.value);
      }
      const [one, two] = await Promise.all([collect(first).then((rest) => [...opening, ...rest]), recorded(second)]);
      expect(s.started()).toEqual(['unlock_door {"door":"front"}']);
      const ends = [endOf(one), endOf(two)];
      expect(ends).toContain('success');
      for (const end of ends) expect(['success', 'THREAD_BUSY']).toContain(end);
    }
  });
});
