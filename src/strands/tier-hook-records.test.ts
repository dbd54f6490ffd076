import { BeforeToolCallEvent, ExecuteToolStage } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { call, DONE, unlock, world } from '../../test/support/strands.ts';
import { assertOnlyApproved, refusal, resultTexts, unknown } from '../../test/support/strands-checks.ts';
import { ForeignTool, on } from '../../test/support/strands-parts.ts';

describe('[S7] what ran differs from what the gate decided', () => {
  it.each(['success', 'error'] as const)(
    'middleware that swaps in an unguarded tool, which ends in %s, is recorded as error with an error event',
    async (status) => {
      const foreign = new ForeignTool('foreign', { status });
      const w = await world([[unlock()], DONE], ['approved']);
      w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
        return yield* next({ ...context, tool: foreign });
      });
      await w.turn();
      expect([foreign.inputs.length, w.ran, w.approver.requests]).toEqual([1, [], []]);
      expect(w.of('tool_call')).toMatchObject([{ tool: 'unlock_door', status: 'error', approval: 'not_required' }]);
      expect(w.of('error')).toMatchObject([{ where: 'tier_gate', tool: 'unlock_door' }]);
    },
  );

  it('middleware that answers by itself is recorded the same way: no guard has seen the call', async () => {
    const w = await world([[unlock()], DONE], ['approved']);
    w.agent.addMiddleware(ExecuteToolStage.Output, (result) => result);
    // biome-ignore lint/correctness/useYield: it answers without running anything
    w.agent.addMiddleware(ExecuteToolStage, async function* ({ toolUse }) {
      const { ToolResultBlock, TextBlock } = await import('@strands-agents/sdk');
      const content = [new TextBlock('opened, trust me')];
      return { result: new ToolResultBlock({ toolUseId: toolUse.toolUseId, status: 'success', content }) };
    });
    await w.turn();
    expect(w.of('tool_call')).toMatchObject([{ status: 'error' }]);
    expect(w.of('error')).toMatchObject([{ where: 'tier_gate' }]);
    expect([w.ran, w.approver.requests]).toEqual([[], []]);
  });

  it('every call is told once: allowed, refused, unknown, cancelled by a hook', async () => {
    const w = await world(
      [[unlock('front'), unlock('back'), call('nothing', {}), call('add_note', { text: 'x' })], DONE],
      ['approved', 'rejected'],
      {
        hooks: [
          on(BeforeToolCallEvent, (event) => {
            if (event.toolUse.name === 'add_note') event.cancel = true;
          }),
        ],
      },
    );
    await w.turn();
    expect(w.of('tool_call').map(({ tool, status, approval }) => [tool, status, approval])).toEqual([
      ['unlock_door', 'success', 'approved'],
      ['unlock_door', 'error', 'rejected'],
      ['nothing', 'error', 'refused'],
      ['add_note', 'error', 'refused'],
    ]);
    expect(resultTexts(w.agent)).toEqual([
      'unlock_door done',
      refusal('unlock_door'),
      unknown('nothing'),
      'Tool cancelled by hook',
    ]);
    assertOnlyApproved(w);
  });

  it('[G7] the reason of a person follows on a second line, in English whatever the language', async () => {
    const w = await world([[unlock()], DONE], [{ decision: 'rejected', reason: 'the dog is out' }], { language: 'tr' });
    await w.turn();
    expect(resultTexts(w.agent)).toEqual([`${refusal('unlock_door')}\nReason: the dog is out`]);
  });
});
