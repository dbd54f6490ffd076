import { BeforeToolCallEvent } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { call, collect, DONE, endOf, held, house, unlock, until, world } from '../../test/support/strands.ts';
import { assertOnlyApproved, assertValidHistory } from '../../test/support/strands-checks.ts';
import { on } from '../../test/support/strands-parts.ts';

const ANONYMOUS = { id: 'anonymous', kind: 'person' } as const;

describe('[S9, S16] while a background task of the agent runs', () => {
  it('a question waits and is answered like any other', async () => {
    const slow = held<string>();
    const h = house();
    const tools = [h.tool('slow', 1, undefined, () => slow.promise), ...h.tools];
    const w = await world([[call('slow', {}), unlock()], DONE, DONE], [{ parked: true }], {
      tools,
      house: h,
      backgroundTasks: { always: ['slow'] },
    });
    const { reason, approvalIds = [] } = endOf(await w.turn());
    expect(reason).toBe('parked');
    await w.tau.gate.decide(approvalIds[0] ?? '', { decision: 'approved', by: ANONYMOUS, channel: 'test' });
    const resumed = collect(w.tau.resume());
    await until(() => w.ran.length === 2);
    slow.settle('finished');
    expect(endOf(await resumed).reason).toBe('endTurn');
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertOnlyApproved(w);
  });

  it('a foreign interrupt is refused, and the next turn works', async () => {
    const slow = held<string>();
    const h = house();
    const tools = [h.tool('slow', 1, undefined, () => slow.promise), ...h.tools];
    let raised = 0;
    const w = await world([[call('slow', {}), call('read_lock', { door: 'front' })], DONE, DONE, DONE], [], {
      tools,
      house: h,
      maxTurns: 3,
      backgroundTasks: { always: ['slow'] },
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          if (event.toolUse.name === 'read_lock' && raised < 9) event.interrupt({ name: `n${raised++}` });
        }),
      ],
    });
    const end = endOf(await w.turn());
    slow.settle('finished');
    expect(end.reason).toBe('interrupt');
    raised = 9;
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertValidHistory(w);
  });
});
