import {
  AfterToolsEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  ExecuteToolStage,
  InterruptResponseContent,
} from '@strands-agents/sdk';
import type { TurnEvent } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import { call, DONE, endOf, house, rest, unlock, type World, world } from '../../test/support/strands.ts';
import { assertOnlyApproved, assertValidHistory, refusal, resultTexts } from '../../test/support/strands-checks.ts';
import { on, SessionDisk } from '../../test/support/strands-parts.ts';
import { clearCheckpoint, pendingBatch, readCheckpoint, refusals, wake } from './checkpoint.ts';

const REFUSED = {
  type: 'notice',
  key: 'notice.interrupt_refused',
  text: 'A component wanted to pause for an answer that nobody can give here; it was refused.',
};

function notices(events: readonly TurnEvent[]): readonly TurnEvent[] {
  return events.filter((event) => event.type === 'notice');
}

function assertClear(w: World): void {
  expect(readCheckpoint(w.agent)).toMatchObject({ pending: undefined, activated: false });
}

describe('[S13] a foreign interrupt', () => {
  it('of a hook is refused in the same turn, with notice and error event, and the hook learns it', async () => {
    const answers: unknown[] = [];
    const w = await world([[unlock()], DONE], ['approved'], {
      hooks: [on(BeforeToolCallEvent, (event) => void answers.push(event.interrupt({ name: 'confirm' })))],
    });
    const events = await w.turn();
    expect(answers).toEqual([{ tau: 'rejected' }]);
    expect(notices(events)).toEqual([REFUSED]);
    expect(w.of('error')).toMatchObject([{ where: 'interrupt' }]);
    expect(endOf(events).reason).toBe('endTurn');
    expect([w.ran.length, w.approver.requests.length]).toEqual([1, 1]);
    assertOnlyApproved(w);
    assertClear(w);
  });

  it('of middleware, of several hooks at once, and before the batch, is refused each time', async () => {
    const w = await world([[unlock('front'), unlock('back')], DONE], ['approved', 'approved'], {
      hooks: [
        on(BeforeToolsEvent, (event) => void event.interrupt({ name: 'batch' })),
        on(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'one' })),
        on(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'two' })),
      ],
    });
    w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
      context.interrupt({ name: 'middle' });
      return yield* next(context);
    });
    const events = await w.turn();
    expect(endOf(events).reason).toBe('endTurn');
    expect(notices(events).length).toBeGreaterThanOrEqual(3);
    expect(w.ran).toHaveLength(2);
    assertOnlyApproved(w);
    assertClear(w);
  });

  it('under new names for ever ends the turn with interrupt after maxTurns refusals; the next turn works', async () => {
    let count = 0;
    let stubborn = true;
    const w = await world([[unlock()], [unlock()], DONE], ['approved'], {
      maxTurns: 3,
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          if (stubborn) event.interrupt({ name: `n${count++}` });
        }),
      ],
    });
    const events = await w.turn();
    expect(endOf(events).reason).toBe('interrupt');
    expect(notices(events)).toHaveLength(4);
    expect([w.ran, w.model.calls.length]).toEqual([[], 1]);
    assertClear(w);
    assertValidHistory(w);
    stubborn = false;
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertOnlyApproved(w);
  });

  it('shares the budget: a refusal gives no fresh model calls', async () => {
    const turns = Array.from({ length: 9 }, () => [call('read_lock', { door: 'front' })]);
    const w = await world(turns, [], {
      maxTurns: 3,
      hooks: [on(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'confirm' }))],
    });
    const events = await w.turn();
    expect(endOf(events).reason).toBe('limitTurns');
    expect(w.model.calls).toHaveLength(3);
    expect(w.of('turn_limit')).toHaveLength(1);
    assertValidHistory(w);
  });

  it('that takes the name of a wake-up of tau is foreign all the same', async () => {
    for (const name of ['tau.', 'tau.5f0c7a52-0000-4000-8000-000000000000', 'tau-wake']) {
      const w = await world([[unlock()], DONE], ['approved'], {
        hooks: [on(BeforeToolCallEvent, (event) => void event.interrupt({ name }))],
      });
      const events = await w.turn();
      expect(notices(events)).toEqual([REFUSED]);
      expect(endOf(events).reason).toBe('endTurn');
      expect(await w.tau.gate.store.parked(w.agent.sessionId)).toBeUndefined();
      expect(endOf(await w.turn()).reason).toBe('endTurn');
    }
  });

  it('beside a question that waits: it is refused, and the question stays', async () => {
    const w = await world([[call('add_note', { text: 'x' }), unlock()], DONE], [{ parked: true }], {
      hooks: [on(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'confirm' }))],
    });
    const events = await w.turn();
    const { reason, approvalIds = [] } = endOf(events);
    expect([reason, approvalIds.length]).toEqual(['parked', 1]);
    expect(
      notices(events)
        .slice(0, -1)
        .every((event) => JSON.stringify(event) === JSON.stringify(REFUSED)),
    ).toBe(true);
    const by = { id: 'anonymous', kind: 'person' } as const;
    await w.tau.gate.decide(approvalIds[0] ?? '', { decision: 'approved', by, channel: 'test' });
    for await (const _ of w.tau.resume()) void _;
    expect(w.ran.map(({ tool }) => tool)).toEqual(['add_note', 'unlock_door']);
    assertOnlyApproved(w);
  });

  it('before a model call or after the tools is refused, or the turn ends; the next one works', async () => {
    for (const event of [BeforeModelCallEvent, AfterToolsEvent] as const) {
      let raised = 0;
      const w = await world([[unlock()], DONE, DONE, DONE], ['approved', 'rejected'], {
        hooks: [
          on(event as unknown as typeof BeforeToolsEvent, (raisedIn) => {
            const context = raisedIn as { interrupt?: (params: { name: string }) => unknown };
            if (raised++ < 2) context.interrupt?.({ name: 'confirm' });
          }),
        ],
      });
      await w.turn();
      await rest();
      assertValidHistory(w);
      assertClear(w);
      expect(endOf(await w.turn()).reason).toBe('endTurn');
      assertOnlyApproved(w);
    }
  });

  it('in a session that was saved with it is cleared at the first turn, with notice and error event', async () => {
    const disk = new SessionDisk();
    const h = house();
    const before = await world([[unlock()]], [], { sessionManager: disk.session(), house: h });
    before.agent.addHook(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'confirm' }));
    await before.agent.invoke('go');
    const after = await world([DONE], [], { sessionManager: disk.session(), house: h });
    expect(readCheckpoint(after.agent).activated).toBe(true);
    const events = await after.turn();
    expect(notices(events)).toEqual([REFUSED]);
    expect(after.of('error')).toMatchObject([{ where: 'interrupt' }]);
    expect(endOf(events).reason).toBe('endTurn');
    expect(h.ran).toEqual([]);
    assertValidHistory(after);
    assertClear(after);
  });
});

describe('[S14, S16] answers from outside', () => {
  it('planted in the SDK before or during a turn approve nothing', async () => {
    const w = await world([[unlock()], DONE], ['rejected'], {
      hooks: [
        on(BeforeToolCallEvent, (event) => {
          for (const name of ['tau.', 'confirm', 'approval']) event.interrupt({ name, response: 'approved' });
        }),
      ],
    });
    await w.turn();
    expect([w.ran, resultTexts(w.agent)]).toEqual([[], [refusal('unlock_door')]]);
    assertOnlyApproved(w);
  });

  it('to __proto__ never reach the prototype of every object', async () => {
    const w = await world([[unlock()], DONE], [{ parked: true }]);
    await w.turn();
    const responses = ['__proto__', 'constructor', 'toString'].map(
      (interruptId) => new InterruptResponseContent({ interruptId, response: 'approved' }),
    );
    for (const response of responses) {
      await expect(async () => w.tau.stream([response] as never)).rejects.toMatchObject({ code: 'invalid_prompt' });
    }
    expect(Reflect.ownKeys(Object.prototype)).not.toContain('response');
    expect(w.ran).toEqual([]);
  });

  it('an interrupt with the id __proto__, thrown by a hook, is not answered into the prototype', async () => {
    const { Interrupt, InterruptError } = await import('@strands-agents/sdk').then((sdk) => sdk as never as Thrown);
    if (Interrupt === undefined || InterruptError === undefined) return;
    const w = await world([[unlock()], DONE, DONE], ['approved'], {
      maxTurns: 2,
      hooks: [
        on(BeforeToolCallEvent, () => {
          throw new InterruptError(new Interrupt({ id: '__proto__', name: 'x', source: 'hook' }));
        }),
      ],
    });
    await w.turn();
    expect(Reflect.ownKeys(Object.prototype)).not.toContain('response');
    expect(w.ran).toEqual([]);
    assertValidHistory(w);
  });
});

interface Thrown {
  readonly Interrupt?: new (data: object) => object;
  readonly InterruptError?: new (interrupt: object) => Error;
}

describe('[S13, S16] the checkpoint, through public snapshots', () => {
  it('has the shape that tau knows, and is cleared and woken', async () => {
    const w = await world([[unlock('front', 'u1')]], [{ parked: true }]);
    await w.turn();
    const { pending, activated } = readCheckpoint(w.agent);
    expect(activated).toBe(true);
    expect(pending).toMatchObject({ assistantMessageData: { role: 'assistant' }, completedToolResults: {} });
    const batch = pendingBatch(pending);
    expect(batch).toMatch(/^[0-9a-f-]{36}$/);
    if (pending === undefined) throw new Error('nothing pending');
    const input = wake(w.agent, pending);
    expect(JSON.parse(JSON.stringify(input))).toEqual([
      { interruptResponse: { interruptId: 'tau-wake', response: 'wake' } },
    ]);
    const { data } = w.agent.takeSnapshot({ include: ['interrupts'] });
    expect(Object.keys((data.interrupts as { interrupts: object }).interrupts)).toEqual(['tau-wake']);
    expect(pendingBatch(readCheckpoint(w.agent).pending)).toBe(batch);
    clearCheckpoint(w.agent);
    assertClear(w);
  });

  it('a shape that tau does not know is a ConfigError', () => {
    for (const interrupts of [7, [], { interrupts: 7 }, { interrupts: [] }]) {
      const agent = { takeSnapshot: () => ({ data: { interrupts } }) };
      expect(() => readCheckpoint(agent as never)).toThrow(/keeps its interrupts in a way/);
    }
    expect(readCheckpoint({ takeSnapshot: () => ({ data: {} }) } as never)).toMatchObject({ activated: false });
    expect(pendingBatch({ assistantMessageData: { trackingId: 7 } })).toBeUndefined();
    expect(JSON.parse(JSON.stringify(refusals(['a'])))).toEqual([
      { interruptResponse: { interruptId: 'a', response: { tau: 'rejected' } } },
    ]);
  });
});
