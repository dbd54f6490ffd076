import type { ResumeEntry } from '@ag-ui/core';
import type { Policy, Principal } from 'strands-tau';
import { describe, expect, it } from 'vitest';
import type { StrandsAgentConfig } from '../../src/ag-ui/index.ts';
import { DONE, unlock } from '../support/strands.ts';
import { ANN, BOB, served } from './support/served.ts';
import { answer, cancel, customs, endOf, errorOf, interruptOf, interruptsOf, no, of, yes } from './support/wire.ts';

const FORBIDDEN = 'This caller may not decide these approvals, by the policy or by its credential; they stay open.';

/** Nobody decides what they asked for themselves. */
const FOUR_EYES: Policy = {
  version: '1',
  sees: () => true,
  mayDecide: (by, { origin }) => by.id !== origin.principal?.id,
};

/** Ann's thread, which waits for somebody else. */
async function asked(policy = FOUR_EYES, turn = [unlock('front', 'c1')], config: StrandsAgentConfig = {}) {
  const s = await served([turn, DONE, DONE], { build: { policy }, config });
  const run: typeof s.run = (over, options) => s.run(over, { principal: ANN, ...options });
  const stopped = await run();
  const decide = (at = 0, decision: 'approved' | 'rejected' = 'approved') =>
    s.tau?.gate.decide(interruptsOf(stopped)[at]?.id ?? '', { decision, by: BOB, channel: 'phone' });
  const statuses = async () => (await s.store.list()).records.map(({ status }) => status);
  return { s, run, stopped, decide, statuses };
}

function tau(events: Parameters<typeof interruptOf>[0]): unknown {
  return interruptOf(events).metadata?.tau;
}

describe('[B2, B3] A requester who may not decide', () => {
  it('is told so with the question, and whoever may decide is not', async () => {
    const { run, stopped } = await asked();
    expect(tau(stopped)).toMatchObject({ tool: 'unlock_door', mayDecide: false });
    expect(tau(stopped)).not.toHaveProperty('status');
    const [pending] = customs(await run(), 'tau:pending');
    expect(pending).toEqual({ interrupts: interruptsOf(stopped) });
    const free = await served([[unlock('front')]]);
    expect(tau(await free.run())).not.toHaveProperty('mayDecide');
    const mayOnlyTalk = await served([[unlock('front')]]);
    expect(tau(await mayOnlyTalk.run({}, { mayDecide: false }))).toHaveProperty('mayDecide', false);
  });

  it.each<[string, (events: Parameters<typeof yes>[0]) => ResumeEntry[]]>([
    ['a yes', yes],
    ['a no', no],
    ['an edit', (events) => answer(events, { approved: true, editedArgs: { door: 'back' } })],
  ])('is refused %s with FORBIDDEN_ANSWER; the question stays open for others', async (_what, say) => {
    const { s, run, stopped, decide, statuses } = await asked();
    const refused = await run({ resume: say(stopped) });
    expect([endOf(refused), errorOf(refused)]).toEqual(['FORBIDDEN_ANSWER', FORBIDDEN]);
    expect([s.started(), await statuses()]).toEqual([[], ['pending']]);
    expect((await decide())?.status).toBe('decided');
  });

  it('may withdraw it: the thread goes on without the call', async () => {
    const { s, run, stopped, statuses } = await asked();
    const ended = await run({ resume: cancel(stopped) });
    expect([endOf(ended), of(ended, 'CUSTOM')]).toEqual(['success', []]);
    expect([s.started(), await statuses()]).toEqual([[], ['cancelled']]);
    const [record] = (await s.store.list()).records;
    expect(record?.closedBecause).toBe("withdrawn by person 'ann' at ag-ui");
    expect(endOf(await run({ resume: cancel(stopped) }))).toBe('success');
    expect(endOf(await run())).toBe('success');
  });

  it('withdraws nothing in a request that also decides what they may not', async () => {
    const { s, run, stopped, statuses } = await asked(FOUR_EYES, [unlock('front'), unlock('back')]);
    const resume = [...cancel(stopped).slice(0, 1), ...yes(stopped).slice(1)];
    expect(endOf(await run({ resume }))).toBe('FORBIDDEN_ANSWER');
    expect([s.started(), await statuses()]).toEqual([[], ['pending', 'pending']]);
  });

  it('decides nothing of what they may decide in the same request', async () => {
    const mayDecide: Policy['mayDecide'] = (_by, { arguments: args }) => JSON.stringify(args).includes('front');
    const { run, stopped, statuses } = await asked({ ...FOUR_EYES, mayDecide }, [unlock('front'), unlock('back')]);
    expect(endOf(await run({ resume: yes(stopped) }))).toBe('FORBIDDEN_ANSWER');
    expect(await statuses()).toEqual(['pending', 'pending']);
  });

  it('goes on with any answer once somebody has decided, and is told who', async () => {
    for (const say of [yes, no, cancel]) {
      const { s, run, stopped, decide } = await asked();
      await decide();
      expect(endOf(await run())).toBe('PENDING_INTERRUPTS');
      const ended = await run({ resume: say(stopped) });
      expect(customs(ended, 'tau:decided')).toMatchObject([{ decision: 'approved', by: 'bob' }]);
      expect([endOf(ended), s.started()]).toEqual(['success', ['unlock_door {"door":"front"}']]);
    }
  });

  it('goes on also when it is decided while the answer is on its way through the bridge', async () => {
    let meanwhile: () => unknown = () => undefined;
    const config: StrandsAgentConfig = {
      templateToolsProvider: async () => {
        await meanwhile();
        return null;
      },
    };
    const { s, run, stopped, decide } = await asked(FOUR_EYES, [unlock('front', 'c1')], config);
    meanwhile = decide;
    const ended = await run({ resume: yes(stopped) });
    expect([endOf(ended), s.started()]).toEqual(['success', ['unlock_door {"door":"front"}']]);
    expect(customs(ended, 'tau:decided')).toMatchObject([{ decision: 'approved', by: 'bob' }]);
  });
});

describe('[B3] A caller who may not decide', () => {
  it('and may not see the tool learns what they learn of an unknown id, and the question stays', async () => {
    let hidden = false;
    const policy: Policy = { version: '1', sees: () => !hidden, mayDecide: () => false };
    const { run, stopped, statuses } = await asked(policy);
    hidden = true;
    const text = (id: string) =>
      `This agent did not issue any interrupts to resume: ${id}. Resume entries must reference an outstanding interruptId.`;
    for (const say of [yes, no]) {
      for (const options of [{}, { mayDecide: false }]) {
        const refused = await run({ resume: say(stopped) }, options);
        const { id } = interruptOf(stopped);
        expect([endOf(refused), errorOf(refused)]).toEqual(['UNKNOWN_INTERRUPT_ID', text(id)]);
      }
    }
    const nobody = [{ interruptId: 'nobody-knows', status: 'resolved', payload: { approved: true } }] as const;
    const unknown = await run({ resume: [...nobody] });
    expect([endOf(unknown), errorOf(unknown)]).toEqual(['UNKNOWN_INTERRUPT_ID', text('nobody-knows')]);
    expect(await statuses()).toEqual(['pending']);
  });

  it('is no agent: an agent never decides, nor withdraws what its namesake asked for', async () => {
    const agent: Principal = { id: 'ann', kind: 'agent' };
    const { s, run, stopped, statuses } = await asked({ ...FOUR_EYES, mayDecide: () => true });
    for (const say of [yes, no, cancel]) {
      expect(endOf(await run({ resume: say(stopped) }, { principal: agent }))).toBe('FORBIDDEN_ANSWER');
    }
    expect([s.started(), await statuses()]).toEqual([[], ['pending']]);
    expect(of(await run({ resume: yes(stopped) }), 'CUSTOM')).toEqual([]);
    const [record] = (await s.store.list()).records;
    expect(record?.decision).toMatchObject({ by: ANN, channel: 'ag-ui', decision: 'approved' });
  });

  it('with a credential that lets nobody decide may withdraw what they asked for themselves, and no more', async () => {
    const { s, run, stopped, statuses } = await asked({ ...FOUR_EYES, mayDecide: () => true });
    const edit = (events: typeof stopped) => answer(events, { approved: true, editedArgs: { door: 'back' } });
    for (const say of [yes, no, edit]) {
      expect(endOf(await run({ resume: say(stopped) }, { mayDecide: false }))).toBe('FORBIDDEN_ANSWER');
    }
    const namesake: Principal = { id: 'ann', kind: 'service' };
    const theirs = await run({ resume: cancel(stopped) }, { mayDecide: false, principal: namesake });
    expect([endOf(theirs), await statuses()]).toEqual(['FORBIDDEN_ANSWER', ['pending']]);
    expect(endOf(await run({ resume: cancel(stopped) }, { mayDecide: false }))).toBe('success');
    expect([await statuses(), s.started()]).toEqual([['cancelled'], []]);
  });
});
