import { AfterToolCallEvent, type BackgroundTasksConfig } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { call, DONE, endOf, held, house, unlock, until, world } from '../../test/support/strands.ts';
import {
  assertOnlyApproved,
  assertValidHistory,
  physical,
  refusal,
  resultTexts,
} from '../../test/support/strands-checks.ts';
import { ForeignTool, on, plugin } from '../../test/support/strands-parts.ts';

describe("[S5, S14, G14] the model's own ids", () => {
  it('two calls of a batch with one id get a question and a result each', async () => {
    const w = await world([[unlock('front', 'same'), unlock('back', 'same')], DONE], ['approved', 'rejected']);
    await w.turn();
    expect(w.approver.requests.map((request) => request.arguments)).toEqual([{ door: 'front' }, { door: 'back' }]);
    expect(resultTexts(w.agent)).toEqual(['unlock_door done', refusal('unlock_door')]);
    expect(new Set(w.of('tool_call').map(({ toolUseId }) => toolUseId)).size).toBe(2);
    assertOnlyApproved(w);
  });

  it('two calls with one id and one input: one yes runs one body', async () => {
    for (const answers of [
      ['approved', 'rejected'],
      ['rejected', 'approved'],
    ] as const) {
      const w = await world([[unlock('front', 'x'), unlock('front', 'x'), unlock('front', 'x')], DONE], answers);
      await w.turn();
      expect([w.approver.requests.length, w.ran.length]).toEqual([3, 1]);
      assertOnlyApproved(w);
    }
  });

  it('two calls with one id that wait: each has its own record, and each is decided by itself', async () => {
    const w = await world([[unlock('front', 'x'), unlock('front', 'x')], DONE], [{ parked: true }, { parked: true }]);
    const { approvalIds = [] } = endOf(await w.turn());
    expect(approvalIds).toHaveLength(2);
    const by = { id: 'anonymous', kind: 'person' } as const;
    await w.tau.gate.decide(approvalIds[1] ?? '', { decision: 'approved', by, channel: 'test' });
    await w.tau.gate.decide(approvalIds[0] ?? '', { decision: 'rejected', by, channel: 'test' });
    for await (const _ of w.tau.resume()) void _;
    expect(resultTexts(w.agent)).toEqual([refusal('unlock_door'), 'unlock_door done']);
    expect(w.ran).toHaveLength(1);
    assertOnlyApproved(w);
  });

  it('an id that comes again in a later answer and in a later turn is a new question', async () => {
    const turns = [[unlock('front', 'x')], [unlock('front', 'x')], DONE, [unlock('front', 'x')], DONE];
    const w = await world(turns, ['approved', 'rejected', 'rejected']);
    await w.turn();
    await w.turn();
    expect([w.approver.requests.length, w.ran.length]).toEqual([3, 1]);
    assertOnlyApproved(w);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '\ud800'])(
    '%j as an id is one id like any other: approved, refused and parked',
    async (id) => {
      const w = await world(
        [[unlock('front', id), unlock('back', id)], DONE, [unlock('front', id)], DONE],
        ['approved', 'rejected', { parked: true }],
      );
      await w.turn();
      expect(resultTexts(w.agent)).toEqual(['unlock_door done', refusal('unlock_door')]);
      const { reason, approvalIds = [] } = endOf(await w.turn());
      expect([reason, approvalIds.length, w.ran.length]).toEqual(['parked', 1, 1]);
      const by = { id: 'anonymous', kind: 'person' } as const;
      await w.tau.gate.decide(approvalIds[0] ?? '', { decision: 'approved', by, channel: 'test' });
      for await (const _ of w.tau.resume()) void _;
      expect(w.ran).toHaveLength(2);
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('response');
      expect(({} as Record<string, unknown>).response).toBeUndefined();
      assertOnlyApproved(w);
    },
  );
});

it('[S5] a call with an empty id, which the SDK drops, runs nothing and leaves a usable history', async () => {
  const w = await world([[unlock('front', '')], DONE], ['approved']);
  await w.turn();
  await w.turn();
  expect([w.ran, w.approver.requests]).toEqual([[], []]);
  assertValidHistory(w);
});

describe('[S9, S19] background tasks', () => {
  const background: BackgroundTasksConfig = { always: ['unlock_door'] };

  it('a tier-2 tool in the background is asked about, and each retry again', async () => {
    let retries = 0;
    const w = await world([[unlock()], DONE, DONE], ['approved', 'rejected'], {
      backgroundTasks: background,
      hooks: [
        on(AfterToolCallEvent, (event) => {
          if (event.toolUse.name === 'unlock_door') event.retry = retries++ < 1;
        }),
      ],
    });
    await w.turn();
    expect([w.approver.requests.length, w.ran.length]).toEqual([2, 1]);
    expect(w.of('tool_call').filter(({ tool }) => tool === 'unlock_door')).toMatchObject([
      { status: 'success', approval: 'approved' },
      { status: 'error', approval: 'rejected' },
    ]);
    expect(w.of('error')).toEqual([]);
    assertOnlyApproved(w);
  });

  it('one that ends while a later batch runs is told once, as what it was', async () => {
    const opened = held<string>();
    const h = house();
    const slow = h.tool('unlock_door', 2, undefined, () => opened.promise);
    const note = h.tool('add_note', 1, undefined, async () => {
      opened.settle('open');
      await until(() => done.count > 0);
      return 'noted';
    });
    const done = { count: 0 };
    const w = await world([[call('unlock_door', {})], [call('add_note', {})], DONE, DONE], ['approved'], {
      backgroundTasks: background,
      tools: [slow, note],
      house: h,
      hooks: [
        on(AfterToolCallEvent, (event) => {
          if (event.toolUse.name === 'unlock_door') done.count++;
        }),
      ],
    });
    await w.turn();
    expect(w.of('tool_call').map(({ tool, status }) => [tool, status])).toEqual([
      ['unlock_door', 'success'],
      ['add_note', 'success'],
    ]);
    expect(w.of('error')).toEqual([]);
  });

  it.each([true, {}])('with backgroundTasks: %j physical tools stay in the foreground', async (backgroundTasks) => {
    const w = await world([[call('unlock_door', { door: 'front', _background_execution: true })], DONE], ['approved'], {
      backgroundTasks,
    });
    await w.turn();
    expect(resultTexts(w.agent)).toEqual(['unlock_door done']);
    assertOnlyApproved(w);
  });

  it('one that cannot wait in the background is refused when the channel would park it', async () => {
    const w = await world([[unlock()], DONE, DONE], [{ parked: true }], { backgroundTasks: background });
    const end = endOf(await w.turn());
    expect([end.reason, w.ran]).toEqual(['endTurn', []]);
    expect(w.of('tool_call')).toMatchObject([{ reason: 'no_approver' }]);
    assertValidHistory(w);
  });

  it('a tool that came late and is sent to the background by the model cannot wait there either', async () => {
    const foreign = new ForeignTool('late');
    const late = call('late', { _background_execution: true });
    const w = await world([[late], DONE, DONE, DONE], [{ parked: true }], {
      backgroundTasks: true,
      plugins: [plugin('bringer', () => undefined, [foreign])],
      guard: { late: { tier: 2 } },
    });
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    expect(w.of('tool_call')).toMatchObject([{ tool: 'late', reason: 'no_approver' }]);
    expect(foreign.inputs).toEqual([]);
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertValidHistory(w);
  });

  it('[S9] two tier-2 bodies never run at the same time, in the background or called directly', async () => {
    let running = 0;
    let most = 0;
    const h = house();
    const busy = async (): Promise<string> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return 'ok';
    };
    const tools = ['unlock_door', 'run_shell'].map((name) => h.tool(name, 2, undefined, busy));
    const w = await world(
      [[call('unlock_door', {}), call('run_shell', {}), call('unlock_door', {})], DONE, DONE, DONE, DONE],
      Array.from({ length: 5 }, () => 'approved' as const),
      { backgroundTasks: { always: ['unlock_door', 'run_shell'] }, tools, house: h },
    );
    await Promise.all([
      w.turn(),
      w.agent.tool.unlock_door?.invoke({}, { recordDirectToolCall: false }),
      w.agent.tool.run_shell?.invoke({}, { recordDirectToolCall: false }),
    ]);
    expect([most, physical(w).length]).toEqual([1, 5]);
  });
});
