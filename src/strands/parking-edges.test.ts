import { BeforeToolCallEvent } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  call,
  collect,
  DONE,
  endOf,
  held,
  house,
  rest,
  unlock,
  type World,
  world,
} from '../../test/support/strands.ts';
import { assertOnlyApproved, assertValidHistory, started } from '../../test/support/strands-checks.ts';
import { on, SessionDisk } from '../../test/support/strands-parts.ts';

const PARK = { parked: true } as const;
const ANONYMOUS = { id: 'anonymous', kind: 'person' } as const;

function decide(w: World, id: string | undefined, decision: 'approved' | 'rejected') {
  return w.tau.gate.decide(id ?? '', { decision, by: ANONYMOUS, channel: 'test' });
}

describe('[S16] a parked agent that is used otherwise meanwhile', () => {
  it('a direct call of a guarded tool does not disturb the batch: history stays valid, each body once', async () => {
    const w = await world([[unlock('front')], DONE], [PARK, 'approved', 'rejected']);
    const { approvalIds } = endOf(await w.turn());
    await w.agent.tool.run_shell?.invoke({ command: 'ls' });
    await w.agent.tool.unlock_door?.invoke({ door: 'front' }, { recordDirectToolCall: false });
    await decide(w, approvalIds?.[0], 'approved');
    await collect(w.tau.resume());
    expect(started(w)).toEqual([
      ['run_shell', { command: 'ls', sudo: false }],
      ['unlock_door', { door: 'front' }],
    ]);
    assertOnlyApproved(w);
  });

  it("a turn in another conversation's name does not forget the batch", async () => {
    const w = await world([[unlock('front')], DONE, DONE], [PARK], { conversation: 'a' });
    const { approvalIds } = endOf(await w.turn());
    await decide(w, approvalIds?.[0], 'approved');
    const other = await collect(w.tau.stream('hello', { conversation: 'b' })).catch((error: unknown) => error);
    expect(other).toMatchObject({ code: 'parked' });
    await collect(w.tau.resume());
    expect(w.ran).toHaveLength(1);
    assertOnlyApproved(w);
  });

  it('driving the SDK agent by hand is refused by the SDK and changes nothing', async () => {
    const w = await world([[unlock('front')], DONE], [PARK]);
    const { approvalIds } = endOf(await w.turn());
    await expect(w.agent.invoke('hello')).rejects.toThrow(/interrupt/);
    await decide(w, approvalIds?.[0], 'approved');
    await collect(w.tau.resume());
    expect(w.ran).toHaveLength(1);
    assertOnlyApproved(w);
  });

  it('a session whose messages are gone goes on with a history that a model accepts', async () => {
    const disk = new SessionDisk();
    const w = await world([[unlock('front')], DONE], [PARK], { sessionManager: disk.session() });
    const { approvalIds } = endOf(await w.turn());
    await decide(w, approvalIds?.[0], 'approved');
    w.agent.messages.length = 0;
    await collect(w.tau.resume());
    expect(w.ran).toHaveLength(1);
    assertOnlyApproved(w);
  });
});

describe('[S16] what a resume does with rules that changed', () => {
  it('an exemption that came after the yes runs the call once, and leaves no yes behind', async () => {
    const w = await world([[unlock('front')], DONE], [PARK]);
    const { approvalIds } = endOf(await w.turn());
    await decide(w, approvalIds?.[0], 'approved');
    w.tau.gate.addExemption(() => true);
    await collect(w.tau.resume());
    expect(w.ran).toHaveLength(1);
    const { records } = await w.tau.gate.store.list();
    expect(records.filter(({ status }) => status === 'approved' || status === 'pending')).toEqual([]);
  });

  it('a retry of the resumed call asks anew: its yes is used up', async () => {
    const { AfterToolCallEvent } = await import('@strands-agents/sdk');
    let retries = 0;
    const w = await world([[unlock('front')], DONE], [PARK, 'rejected'], {
      hooks: [
        on(AfterToolCallEvent, (event) => {
          event.retry = retries++ < 1;
        }),
      ],
    });
    const { approvalIds } = endOf(await w.turn());
    await decide(w, approvalIds?.[0], 'approved');
    await collect(w.tau.resume());
    expect([w.ran.length, w.approver.requests.length]).toEqual([1, 2]);
    assertOnlyApproved(w);
  });

  it('a structured answer beside a question that waits is taken when the turn goes on', async () => {
    const w = await world([[unlock('front'), call('strands_structured_output', { city: 'Izmir' })], DONE], [PARK], {
      structuredOutputSchema: z.object({ city: z.string() }),
    });
    const { approvalIds } = endOf(await w.turn());
    await decide(w, approvalIds?.[0], 'approved');
    const end = endOf(await collect(w.tau.resume()));
    expect(end.reason).toBe('endTurn');
    expect(w.of('tool_call').map(({ tool, status }) => [tool, status])).toEqual([
      ['unlock_door', 'success'],
      ['strands_structured_output', 'success'],
    ]);
  });

  it('a hook that fails during the resume ends the turn; the body runs at most once, and never without its yes', async () => {
    let fail = true;
    const w = await world([[unlock('front')], DONE], [PARK], {
      hooks: [
        on(BeforeToolCallEvent, () => {
          if (fail && w.of('approval').length > 0) throw new Error('hook failed');
        }),
      ],
    });
    const { approvalIds } = endOf(await w.turn());
    await decide(w, approvalIds?.[0], 'approved');
    const end = endOf(await collect(w.tau.resume()));
    fail = false;
    expect([end.reason, w.ran.length <= 1]).toEqual(['modelError', true]);
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertOnlyApproved(w);
  });
});

describe('[S16, G9] a question of a person who is slow', () => {
  it('parks in one conversation and does not hold up another', async () => {
    const h = house();
    const slow = held<'approved'>();
    const a = await world([[unlock('front')], DONE], [() => slow.promise, 'approved'], { house: h, conversation: 'a' });
    const b = await world([[unlock('back')], DONE], [], { gate: a.tau.gate, tools: h.tools, conversation: 'b' });
    const first = a.turn();
    await rest();
    await b.turn();
    expect(started({ ran: h.ran })).toEqual([['unlock_door', { door: 'back' }]]);
    slow.settle('approved');
    await first;
    expect(h.ran).toHaveLength(2);
    assertValidHistory(a);
    assertValidHistory(b);
  });
});
