import { ContextWindowOverflowError, ModelThrottledError } from '@strands-agents/sdk';
import type { ScriptedTurn } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, collect, DONE, endOf, house, unlock, world } from '../../test/support/strands.ts';
import {
  assertConfigError,
  assertOnlyApproved,
  assertValidHistory,
  resultTexts,
} from '../../test/support/strands-checks.ts';

const note = call('add_note', { text: 'x' });

describe('[S10] turn events', () => {
  it('come in order: text, tool start, progress, call, text, end', async () => {
    const h = house();
    const steps = h.tool('steps', 1, z.object({ n: z.number() }), async function* () {
      yield { at: 1 };
      return 'whole';
    });
    const w = await world([[{ text: 'ok' }, call('steps', { n: 1 }, 'id-1')], [{ text: 'end' }]], [], {
      tools: [steps],
      house: h,
      conversation: 'c1',
    });
    const events = await w.turn();
    expect(events.map((event) => (event.type === 'text' ? event.text : event.type)).join(' ')).toBe(
      'o k tool_start tool_progress tool_call e n d end',
    );
    expect(events.find((event) => event.type === 'tool_start')).toEqual({
      type: 'tool_start',
      tool: 'steps',
      toolUseId: 'id-1',
      input: { n: 1 },
    });
    expect(events.find((event) => event.type === 'tool_call')).toMatchObject({
      call: { tool: 'steps', tier: 1, status: 'success', origin: { kind: 'model', conversation: 'c1' } },
    });
    expect(endOf(events)).toEqual({ type: 'end', reason: 'endTurn' });
  });

  it('tell only of calls of this turn, also when two turns share a gate', async () => {
    const h = house();
    const a = await world([[note], DONE], [], { house: h });
    const b = await world([[note, note], DONE], [], { gate: a.tau.gate, tools: h.tools });
    const [ofA, ofB] = await Promise.all([a.turn(), b.turn()]);
    expect([ofA, ofB].map((events) => events.filter(({ type }) => type === 'tool_call').length)).toEqual([1, 2]);
  });

  it('a prompt that is not content is refused, and reaches neither model nor SDK', async () => {
    const { InterruptResponseContent, Message, TextBlock, ToolResultBlock } = await import('@strands-agents/sdk');
    const w = await world([DONE]);
    const answer = new InterruptResponseContent({ interruptId: 'x', response: { tau: 'approved' } });
    const text = new TextBlock('hi');
    const result = new ToolResultBlock({ toolUseId: 'x', status: 'success', content: [text] });
    const prompts: unknown[] = [
      [answer],
      [text, answer],
      [{ interruptResponse: { interruptId: '__proto__', response: 'y' } }],
      [new Message({ role: 'assistant', content: [text] })],
      [{ type: 'textBlock', role: 'user', content: [] }],
      [result],
      [],
      null,
      { checkpointResume: {} },
    ];
    for (const prompt of prompts) {
      const turn = async (): Promise<unknown> => collect(w.tau.stream(prompt as never));
      await expect(turn(), JSON.stringify(prompt)).rejects.toMatchObject({ code: 'invalid_prompt' });
    }
    expect([w.model.calls, w.agent.messages]).toEqual([[], []]);
    await collect(w.tau.stream([text]));
    expect(w.model.calls).toHaveLength(1);
  });
});

describe('[S10] the loop guard', () => {
  it('runs the tools of the last allowed call, then ends with notice, event and a usable history', async () => {
    for (const [language, text] of [
      ['en', 'I stopped: this turn reached its limit of 2 model calls.'],
      ['tr', 'Durdum: bu tur 2 model çağrısı sınırına ulaştı.'],
    ] as const) {
      const w = await world([[note], [note], DONE], [], { maxTurns: 2, language });
      const events = await w.turn();
      expect(events.slice(-2)).toEqual([
        { type: 'notice', key: 'notice.turn_limit', text },
        { type: 'end', reason: 'limitTurns' },
      ]);
      expect([w.ran.length, w.model.calls.length]).toEqual([2, 2]);
      expect(w.of('turn_limit')).toMatchObject([{ limit: 'turns', value: 2 }]);
      expect(endOf(await w.turn()).reason).toBe('endTurn');
      assertValidHistory(w);
    }
  });

  it('does not cut an answer on the last allowed call, and starts fresh with each turn', async () => {
    const w = await world([[note], DONE, [note], DONE], [], { maxTurns: 2 });
    expect(endOf(await w.turn())).toEqual({ type: 'end', reason: 'endTurn' });
    expect(endOf(await w.turn())).toEqual({ type: 'end', reason: 'endTurn' });
    expect(w.of('turn_limit')).toEqual([]);
  });

  it.each([
    ['outputTokens', 'limitOutputTokens', { outputTokens: 5 }],
    ['totalTokens', 'limitTotalTokens', { totalTokens: 15 }],
  ] as const)('%s are counted like model calls', async (limit, reason, limits) => {
    const w = await world([[note], DONE, DONE], [], { limits });
    const events = await w.turn();
    expect(endOf(events).reason).toBe(reason);
    expect(events.at(-2)).toMatchObject({ type: 'notice', key: 'notice.token_limit' });
    expect(w.of('turn_limit')).toMatchObject([{ limit, value: Object.values(limits)[0] }]);
    expect(w.ran).toHaveLength(1);
    assertValidHistory(w);
    expect(endOf(await w.turn()).reason).toBe('endTurn');
    assertValidHistory(w);
  });

  it('ends a turn with an output schema by its limit too, not by an error', async () => {
    const w = await world([[note], [note], DONE], [], {
      maxTurns: 2,
      structuredOutputSchema: z.object({ city: z.string() }),
    });
    const events = await w.turn();
    expect(endOf(events).reason).toBe('limitTurns');
    expect(w.of('turn_limit')).toHaveLength(1);
    assertValidHistory(w);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('maxTurns %d is a ConfigError', async (maxTurns) => {
    await assertConfigError(world([], [], { maxTurns }), /maxTurns/);
  });

  it.each([0, -1, Number.NaN])(
    'a token limit of %d is a ConfigError: it would be no limit, or end every turn',
    async (n) => {
      await assertConfigError(world([], [], { limits: { totalTokens: n } }), /totalTokens/);
      await assertConfigError(world([], [], { limits: { outputTokens: n } }), /outputTokens/);
    },
  );
});

describe('[S12] a turn that the model ends', () => {
  const failures: [string, ScriptedTurn, string, string, string][] = [
    ['an error', new Error('no network'), 'modelError', 'notice.model_error', 'The model failed: no network'],
    [
      'throttling',
      new ModelThrottledError('slow'),
      'throttled',
      'notice.throttled',
      'The model service is busy. Please try again in a moment.',
    ],
    [
      'overflow',
      new ContextWindowOverflowError('long'),
      'contextOverflow',
      'notice.overflow',
      'The conversation is too long for the model. Start a new one or shorten it.',
    ],
    [
      'max tokens',
      { blocks: [{ text: 'and th' }], stopReason: 'maxTokens' },
      'maxTokens',
      'notice.max_tokens',
      'The answer was cut off: the model reached its maximum length.',
    ],
  ];

  it.each(failures)('by %s has its notice, and the next turn works', async (_name, failure, reason, key, text) => {
    for (const before of [[], [[note]]] as const) {
      const w = await world([...before, failure, [unlock()], DONE], ['approved']);
      const events = await w.turn();
      expect(events.slice(-2)).toMatchObject([
        { type: 'notice', key, text },
        { type: 'end', reason },
      ]);
      expect(w.of('error')).toMatchObject([{ where: 'agent' }]);
      expect(w.ran).toHaveLength(before.length);
      assertValidHistory(w);
      expect(endOf(await w.turn()).reason).toBe('endTurn');
      expect(resultTexts(w.agent).at(-1)).toBe('unlock_door done');
      assertOnlyApproved(w);
    }
  });

  it('in the middle of a batch that max tokens cut off runs none of it', async () => {
    const cut: ScriptedTurn = { blocks: [unlock()], stopReason: 'maxTokens' };
    const w = await world([cut, DONE], ['approved']);
    expect(endOf(await w.turn()).reason).toBe('maxTokens');
    expect([w.ran, w.approver.requests]).toEqual([[], []]);
    await w.turn();
    assertOnlyApproved(w);
  });

  it('tells in Turkish', async () => {
    const w = await world([new ModelThrottledError('slow')], [], { language: 'tr' });
    expect((await w.turn()).at(-2)).toMatchObject({
      text: 'Model hizmeti şu anda yoğun. Lütfen birazdan yeniden deneyin.',
    });
  });

  it('by a stop reason of its own', async () => {
    const stopped: ScriptedTurn = { blocks: [{ text: 'no' }], stopReason: 'contentFiltered' };
    const w = await world([stopped]);
    expect(endOf(await w.turn())).toEqual({ type: 'end', reason: 'stopped', detail: 'contentFiltered' });
    assertValidHistory(w);
  });
});
