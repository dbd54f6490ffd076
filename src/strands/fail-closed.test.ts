import type { Approver, Policy } from 'strands-tau';
import { describe, expect, it } from 'vitest';
import { call, DONE, endOf, unlock, until, world, worldOf } from '../../test/support/strands.ts';
import { assertOnlyApproved, refusal, resultTexts, unknown } from '../../test/support/strands-checks.ts';

const ALLOW: Policy = { version: '1', sees: () => true, mayDecide: () => true };

function approver(decide: Approver['decide'], more: object = {}): Approver {
  return { name: 'faulty', decide, ...more };
}

describe('[G6, S7] everything fails closed, through the real loop', () => {
  const nonsense: [string, () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['does not return a promise', () => 'approved'],
    ['answers nothing', () => Promise.resolve(undefined)],
    ['answers true', () => Promise.resolve(true)],
    ['answers yes', () => Promise.resolve('yes')],
    ['answers APPROVED', () => Promise.resolve('APPROVED')],
    ['answers an object without a decision', () => Promise.resolve({ approved: true })],
    ['answers with a wrong decider', () => Promise.resolve({ decision: 'approved', by: 'ann' })],
    ['answers as an agent', () => Promise.resolve({ decision: 'approved', by: { id: 'anonymous', kind: 'agent' } })],
    ['answers as somebody else', () => Promise.resolve({ decision: 'approved', by: { id: 'eve', kind: 'person' } })],
    ['answers with a reason that is no text', () => Promise.resolve({ decision: 'approved', reason: 7 })],
    [
      'throws nonsense',
      () => {
        // biome-ignore lint/style/useThrowOnlyError: that is what it does wrong
        throw null;
      },
    ],
  ];

  it.each(nonsense)('an approver that %s', async (_name, decide) => {
    const w = await worldOf([[unlock()], DONE], approver(decide as Approver['decide']));
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    expect([w.ran, resultTexts(w.agent)]).toEqual([[], [refusal('unlock_door')]]);
    expect(w.of('tool_call')).toMatchObject([{ status: 'error', reason: 'approver_failed' }]);
    expect(w.of('error')).toMatchObject([{ where: 'approver' }]);
    assertOnlyApproved(w);
  });

  it('an approver that hangs: nothing runs until the timeout, which refuses; its late yes counts for nothing', async () => {
    const late = Promise.withResolvers<'approved'>();
    const signals: AbortSignal[] = [];
    const w = await worldOf(
      [[unlock()], DONE],
      approver((_request, { signal }) => {
        signals.push(signal);
        return late.promise;
      }),
      { timeoutSeconds: 30 },
    );
    const turn = w.turn();
    await until(() => signals.length === 1);
    await w.clock.advance(29_000);
    expect(w.ran).toEqual([]);
    await w.clock.advance(2_000);
    await turn;
    late.resolve('approved');
    await w.clock.advance(0);
    expect([w.ran, resultTexts(w.agent), signals[0]?.aborted]).toEqual([[], [refusal('unlock_door')], true]);
    expect(w.of('approval')).toMatchObject([{ decision: 'timeout' }]);
    expect(w.of('tool_call')).toMatchObject([{ approval: 'timeout' }]);
    assertOnlyApproved(w);
  });

  it("the approver's own timeout counts when the gate has none", async () => {
    const asked: string[] = [];
    const faulty = approver(
      ({ tool }) => {
        asked.push(tool);
        return new Promise(() => undefined);
      },
      { timeoutSeconds: 5 },
    );
    const w = await worldOf([[unlock()], DONE], faulty);
    const turn = w.turn();
    await until(() => asked.length === 1);
    await w.clock.advance(5_001);
    await turn;
    expect([w.ran, w.of('tool_call')[0]?.approval]).toEqual([[], 'timeout']);
  });

  it('an unknown tool, and an approver is not even asked', async () => {
    const w = await world([[call('open_window', {})], DONE], ['approved']);
    await w.turn();
    expect([resultTexts(w.agent), w.approver.requests]).toEqual([[unknown('open_window')], []]);
  });

  it.each<[string, Partial<Policy>, string]>([
    [
      'sees() throws',
      {
        sees: () => {
          throw new Error('broken');
        },
      },
      unknown('unlock_door'),
    ],
    ['sees() answers a truthy value', { sees: () => 1 as never }, unknown('unlock_door')],
    [
      'mayDecide() throws',
      {
        mayDecide: () => {
          throw new Error('broken');
        },
      },
      refusal('unlock_door'),
    ],
    ['mayDecide() answers a truthy value', { mayDecide: () => 'yes' as never }, refusal('unlock_door')],
  ])('a policy whose %s', async (_name, change, text) => {
    const w = await world([[unlock()], DONE], ['approved'], { policy: { ...ALLOW, ...change } });
    await w.turn();
    expect([w.ran, resultTexts(w.agent)]).toEqual([[], [text]]);
    assertOnlyApproved(w);
  });

  it('an effect that throws, and a store that is broken', async () => {
    const { tauTool } = await import('strands-tau/strands');
    const { z } = await import('zod');
    const ran: unknown[] = [];
    const tool = tauTool({
      name: 'unlock_door',
      description: 'Unlocks.',
      inputSchema: z.object({}),
      tier: 2,
      effect: () => {
        throw new Error('no effect');
      },
      callback: (args) => void ran.push(args),
    });
    const effect = await world([[call('unlock_door', {})], DONE], ['approved'], { tools: [tool] });
    await effect.turn();
    const stored = await world([[unlock()], DONE], ['approved']);
    stored.tau.gate.store.create = () => Promise.reject(new Error('disk full'));
    await stored.turn();
    for (const w of [effect, stored]) {
      expect([w.ran, w.approver.requests, resultTexts(w.agent)]).toEqual([[], [], [refusal('unlock_door')]]);
      expect(w.of('tool_call')).toMatchObject([{ reason: 'gate_failed' }]);
      expect(w.of('error').length).toBeGreaterThan(0);
    }
    expect(ran).toEqual([]);
  });

  it('an exemption that throws or is only truthy: the human is asked; exactly true: nobody is, and it is recorded', async () => {
    for (const [exempt, asked] of [
      [
        () => {
          throw new Error('broken');
        },
        1,
      ],
      [() => 'yes' as never, 1],
      [() => Promise.resolve(true) as never, 1],
      [() => true, 0],
    ] as const) {
      const w = await world([[unlock()], DONE], ['rejected']);
      w.tau.gate.addExemption(exempt);
      await w.turn();
      expect([w.approver.requests.length, w.ran.length]).toEqual([asked, 1 - asked]);
      expect(w.of('tool_call')[0]?.approval).toBe(asked === 0 ? 'exempt' : 'rejected');
      assertOnlyApproved(w, { exempt: () => asked === 0 });
    }
  });

  it('an exemption cannot change what runs', async () => {
    const w = await world([[unlock('front')], DONE], ['approved']);
    w.tau.gate.addExemption((_tool, args) => {
      Object.assign(args as object, { door: 'back' });
      return true;
    });
    await w.turn();
    expect(w.ran).toEqual([{ tool: 'unlock_door', args: { door: 'front' } }]);
    assertOnlyApproved(w);
  });

  it('a sink that throws changes nothing', async () => {
    const w = await world([[unlock()], DONE], ['approved']);
    w.tau.gate.subscribe(() => {
      throw new Error('sink');
    });
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    expect(w.ran).toHaveLength(1);
    assertOnlyApproved(w);
  });

  it('[S7] a tool that the turn may not see is refused like an unknown one, and not asked about', async () => {
    const w = await world([[unlock(), call('read_lock', { door: 'front' })], DONE], ['approved']);
    await w.turn('go', { visible: ['read_lock'] });
    expect(resultTexts(w.agent)).toEqual([unknown('unlock_door'), 'read_lock done']);
    expect(w.approver.requests).toEqual([]);
    expect(w.of('tool_call')[0]).toMatchObject({ reason: 'hidden' });
  });
});
