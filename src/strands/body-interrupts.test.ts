import { InterruptResponseContent, Tool, type ToolSpec, type ToolStreamGenerator } from '@strands-agents/sdk';
import type { Tier } from 'strands-tau';
import { guardTool } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, endOf, house, world } from '../../test/support/strands.ts';
import { assertOnlyApproved, resultTexts } from '../../test/support/strands-checks.ts';
import { SessionDisk } from '../../test/support/strands-parts.ts';
import { readCheckpoint } from './checkpoint.ts';

type Interrupt = { interrupt(params: { name: string; response?: string }): unknown };

/** A tool that throws what looks like the SDK's interrupt. */
class Stops extends Tool {
  readonly name: string = 'stops';
  readonly description: string = 'Stops.';
  readonly toolSpec: ToolSpec = { name: 'stops', description: 'Stops.', inputSchema: { type: 'object' } };
  stream(): ToolStreamGenerator {
    throw Object.assign(new Error('stop'), { name: 'InterruptError', interrupts: [] });
  }
}

/** An agent with one tool whose body pauses. */
async function pausing(tier: Tier, kept: boolean, body?: (context: Interrupt) => unknown) {
  const h = house();
  const pause = body ?? ((context) => `you said ${JSON.stringify(context.interrupt({ name: 'which' }))}`);
  const tool = h.tool('unlock_door', tier, z.object({}), (_args, context) => pause(context as Interrupt));
  const session = kept ? { sessionManager: new SessionDisk().session() } : {};
  return world([[call('unlock_door', {})], DONE], ['approved', 'rejected'], { tools: [tool], house: h, ...session });
}

describe('[S13, S17, G4] interrupt() in the body of a tool', () => {
  it.each([
    [2, false],
    [2, true],
    [1, true],
  ] as const)(
    'that runs once (tier %i, session %s) is refused before anybody is asked, and its author told',
    async (tier, kept) => {
      const w = await pausing(tier, kept);
      const events = await w.turn();
      const text = expect.stringMatching(/'unlock_door' cannot pause with interrupt\(\).*split the tool/);
      expect(endOf(events).reason).toBe('endTurn');
      expect(events.filter(({ type }) => type === 'notice')).toEqual([]);
      expect(resultTexts(w.agent)).toEqual([text]);
      expect(w.of('error')).toMatchObject([{ where: 'interrupt', tool: 'unlock_door', message: text }]);
      expect(w.of('tool_call').map(({ status }) => status)).toEqual(['error']);
      expect((await w.tau.gate.store.list()).records.map(({ status }) => status)).toEqual(['failed']);
      expect([w.ran.length, readCheckpoint(w.agent).interrupts]).toEqual([1, {}]);
      if (tier === 2) assertOnlyApproved(w);
    },
  );

  it('that runs once may bring its answer along', async () => {
    const w = await pausing(2, false, (context) => context.interrupt({ name: 'which', response: 'front' }));
    await w.turn();
    expect([resultTexts(w.agent), w.of('error')]).toEqual([['front'], []]);
  });

  it('that runs once is no way to the SDK either when the interrupt is made in another way', async () => {
    const h = house();
    const tool = guardTool(new Stops(), { tier: 2 });
    const w = await world([[call('stops', {})], DONE], ['approved'], { tools: [tool], house: h });
    const events = await w.turn();
    expect(endOf(events).reason).toBe('endTurn');
    expect(events.filter(({ type }) => type === 'notice')).toEqual([]);
    expect([resultTexts(w.agent), w.approver.requests.length]).toEqual([['Error: stop'], 1]);
  });

  it.each([
    [0, false],
    [0, true],
    [1, false],
  ] as const)('that may run again (tier %i, session %s) gets its answer, and is told of once', async (tier, kept) => {
    const w = await pausing(tier, kept);
    const stopped = await w.agent.invoke('go', { invocationState: {} });
    expect([stopped.stopReason, w.of('tool_call')]).toEqual(['interrupt', []]);
    const answers = (stopped.interrupts ?? []).map(
      ({ id }) => new InterruptResponseContent({ interruptId: id, response: 'front' }),
    );
    await w.agent.invoke(answers);
    expect(resultTexts(w.agent)).toEqual(['you said "front"']);
    expect(w.of('tool_call').map(({ status }) => status)).toEqual(['success']);
    expect(w.tau.gate.running).toEqual([]);
  });
});
