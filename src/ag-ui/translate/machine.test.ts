import { describe, expect, it } from 'vitest';
import {
  again,
  brief,
  call,
  done,
  play,
  result,
  type Setting,
  text,
  told,
  toldToTheEnd,
} from '../../../test/support/machine.ts';
import type { TranslatorInput } from './input.ts';
import { fail, finish } from './machine.ts';
import { initialState } from './state.ts';
import { usageList } from './usage.ts';

describe('[C5.11] nodes of a multi-agent run', () => {
  it('are steps, and what a node said ends with it', () => {
    const inputs: TranslatorInput[] = [
      { type: 'step_start', name: 'agent:a' },
      { type: 'step_start', name: 'agent:a' },
      text('hi'),
      { type: 'step_stop', name: 'agent:a' },
      { type: 'step_stop', name: 'agent:a' },
      { type: 'handoff', from: 'a', to: ['b'], message: null },
      { type: 'step_start', name: 'agent:b' },
    ];
    const { outputs, state } = play(inputs);
    const events = [...outputs, ...finish(state).outputs].flatMap((out) => (out.type === 'event' ? [out.event] : []));
    expect(events.filter(({ type }) => !/TEXT/.test(type))).toEqual([
      { type: 'STEP_STARTED', stepName: 'agent:a' },
      { type: 'STEP_FINISHED', stepName: 'agent:a' },
      { type: 'CUSTOM', name: 'MultiAgentHandoff', value: { from_nodes: ['a'], to_nodes: ['b'], message: null } },
      { type: 'STEP_STARTED', stepName: 'agent:b' },
      { type: 'STEP_FINISHED', stepName: 'agent:b' },
    ]);
    expect(events.findIndex(({ type }) => type === 'TEXT_MESSAGE_END')).toBe(3);
  });
});

describe('a client tool', () => {
  const frontend = ['ask'];

  it('[C6.2, C6.4] silences the model, keeps its placeholder, and ends the run when the batch is done', () => {
    const thought: TranslatorInput = { type: 'reasoning', text: 'hm' };
    const inputs = [...call('x', 'ask', '{}'), text('a'), thought, { type: 'redacted', data: 'A' } as const];
    expect(told([...inputs, result('x'), done, text('b'), ...call('y')], { frontend })).toEqual([
      'TOOL_CALL_START x',
      'TOOL_CALL_ARGS x {}',
      'TOOL_CALL_END x',
      'snapshot id1',
      'halt frontend',
    ]);
  });

  it('[C6.4] does not swallow the result of a server tool in the same message', () => {
    const lines = told([...call('x', 'ask', '{}'), ...call('y'), result('y'), result('x'), done], { frontend });
    expect(lines.filter((entry) => /RESULT|halt/.test(entry))).toEqual(['TOOL_CALL_RESULT id3 y ok', 'halt frontend']);
  });

  it('[C6.2] with continueAfterFrontendCall lets the run go on, still without the placeholder', () => {
    const lines = told([...call('x', 'ask', '{}'), result('x'), done, text('b')], {
      frontend,
      behaviors: { ask: { continueAfterFrontendCall: true } },
    });
    expect(lines.slice(4)).toEqual(['TEXT_MESSAGE_START id2', 'TEXT_MESSAGE_CONTENT id2 b']);
  });

  it('[C6.4] whose call was refused has that as its result, and the run goes on', () => {
    const refused = result('x', [{ type: 'text', text: 'refused' }], 'error');
    const lines = told([...call('x', 'ask', '{}'), refused, done, text('b')], { frontend });
    expect(lines.slice(4, 7)).toEqual(['TOOL_CALL_RESULT id2 x refused', 'snapshot id2', 'TEXT_MESSAGE_START id3']);
  });

  it('[C6.2] whose call broke off does not end the run', () => {
    const open = call('x', 'ask', '{}').slice(0, -1);
    expect(told([...open, again(true), text('b'), done]).at(-1)).toBe('TEXT_MESSAGE_CONTENT id2 b');
    expect(told([...open, again(true), text('b'), done], { frontend }).at(-1)).toBe('TEXT_MESSAGE_CONTENT id2 b');
  });

  it('[C6.5] without an id, with one that is used twice, or with one from the history is an error', () => {
    const rejected = (inputs: readonly TranslatorInput[], setting: Setting = {}): string =>
      told(inputs, { frontend, ...setting }).at(-1) ?? '';
    expect(rejected(call('', 'ask').slice(0, 1))).toBe(
      "reject FRONTEND_TOOL_IDENTITY_ERROR Frontend tool 'ask' requires a non-empty, unique native toolUseId from Strands. Upgrade the Strands model provider or use one that supplies stable tool-use IDs.",
    );
    const twice = [...call('x', 'ask'), ...call('x', 'ask').slice(0, 1)];
    expect(rejected(twice)).toMatch(/^reject FRONTEND_TOOL_IDENTITY_ERROR .*another call of this turn/);
    expect(rejected([...call('x'), ...call('x', 'ask').slice(0, 1)])).toMatch(/another call of this turn/);
    const reused = call('old', 'ask').slice(0, 1);
    expect(rejected(reused, { past: ['old'] })).toMatch(/^reject FRONTEND_TOOL_IDENTITY_ERROR .*in the history/);
    expect(rejected(reused, { announced: ['old'] })).toMatch(/in the history/);
  });

  it('[C6.5, C8.13] of a resumed batch is known to the client already and does not end the run again', () => {
    const pending: TranslatorInput = { type: 'tool_pending', toolUseId: 'x', name: 'ask', input: {} };
    expect(told([pending, result('x'), done], { frontend, announced: ['x'], past: ['x'] })).toEqual([]);
  });
});

describe('the end of a run', () => {
  const open: readonly TranslatorInput[] = [
    { type: 'step_start', name: 'n' },
    text('a'),
    { type: 'reasoning', text: 'hm' },
  ];

  it('[C4.15] closes thought, text with a snapshot, and nodes', () => {
    expect(toldToTheEnd(open).slice(6)).toEqual([
      'REASONING_MESSAGE_END id2',
      'REASONING_END id2',
      'TEXT_MESSAGE_END id1',
      'snapshot id1',
      'STEP_FINISHED',
    ]);
  });

  it('[C4.15] closes the same before an error, without a snapshot', () => {
    expect(fail(play(open).state).outputs.map(brief)).toContain('message id1');
    expect(fail(play(call('x').slice(0, -1)).state).outputs.map(brief)).toEqual(['TOOL_CALL_END x']);
  });

  it('[C13.3] tells why the model stopped, unless it went on', () => {
    const stopped: TranslatorInput = { type: 'stopped', reason: 'guardrail_intervened' };
    expect(toldToTheEnd([text('a'), stopped]).at(-1)).toBe(
      'CUSTOM AgentStopped {"stop_reason":"guardrail_intervened"}',
    );
    expect(toldToTheEnd([stopped, again(false)])).toEqual([]);
  });

  it('[C13.1] sums tokens by model, also of calls that are not shown any more', () => {
    const usage = (model: string | undefined, inputTokens: number, cachedInputTokens?: number): TranslatorInput => ({
      type: 'usage',
      model,
      usage: {
        inputTokens,
        outputTokens: 1,
        totalTokens: inputTokens + 1,
        ...(cachedInputTokens !== undefined && { cachedInputTokens }),
      },
    });
    const { state } = play([usage('m', 10), usage('m', 5, 2), ...call('x', 'ask'), done, usage(undefined, 1)], {
      frontend: ['ask'],
    });
    expect(usageList(state.ledger.usage)).toEqual([
      { model: 'm', inputTokens: 15, outputTokens: 2, totalTokens: 17, cachedInputTokens: 2 },
      { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    ]);
    expect(usageList(initialState().ledger.usage)).toEqual([]);
  });

  it('[C13.4] passes on what it does not know as it is', () => {
    expect(play([{ type: 'raw', event: { type: 'other', a: 1 } }]).outputs).toEqual([
      { type: 'event', event: { type: 'RAW', event: { type: 'other', a: 1 }, source: 'strands' } },
    ]);
  });
});
