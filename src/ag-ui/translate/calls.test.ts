import { describe, expect, it } from 'vitest';
import {
  again,
  call,
  none,
  play,
  result,
  rulesOf,
  stop,
  text,
  told,
  toldToTheEnd,
} from '../../../test/support/machine.ts';
import type { ToolBehavior } from '../config.ts';
import type { TranslatorInput } from './input.ts';
import { step } from './machine.ts';
import { initialState } from './state.ts';

describe('[C5.4] a streamed call', () => {
  const behaviors: Record<string, ToolBehavior> = {
    look: {
      stateFromArgs: () => ({}),
      predictState: [{ stateKey: 'where', tool: 'look', toolArgument: 'place' }],
    },
  };

  it('goes out as it comes, its state before its end, the thread after it', () => {
    expect(told([text('a'), ...call('x', 'look', '{"pl', 'ace":1}')], { behaviors })).toEqual([
      'TEXT_MESSAGE_START id1',
      'TEXT_MESSAGE_CONTENT id1 a',
      'TEXT_MESSAGE_END id1',
      'snapshot id1',
      'CUSTOM PredictState [{"state_key":"where","tool":"look","tool_argument":"place"}]',
      'TOOL_CALL_START x',
      'TOOL_CALL_ARGS x {"pl',
      'TOOL_CALL_ARGS x ace":1}',
      'hook stateFromArgs',
      'TOOL_CALL_END x',
      'snapshot id2',
    ]);
  });

  it('joins the thread as a message of the assistant without text', () => {
    const { outputs } = play([...call('x', 'look', '{"a":1}')]);
    expect(outputs[0]).toEqual({
      type: 'event',
      event: { type: 'TOOL_CALL_START', toolCallId: 'x', toolCallName: 'look', parentMessageId: 'id1' },
    });
    expect(outputs.at(-1)).toEqual({
      type: 'message',
      message: {
        id: 'id1',
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'x', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
      },
      snapshot: true,
    });
  });

  it('shows a hook the parsed arguments, and text that is not JSON as text', () => {
    const view = (...deltas: string[]): unknown =>
      play(call('x', 'look', ...deltas), { behaviors }).outputs.find((output) => output.type === 'hook')?.view;
    const shared = { toolName: 'look', toolUseId: 'x' };
    expect(view('{"a"', ':1}')).toEqual({ ...shared, toolInput: { a: 1 }, argsStr: '{"a":1}' });
    expect(view('{"a"')).toEqual({ ...shared, toolInput: '{"a"', argsStr: '{"a"' });
    expect(view()).toEqual({ ...shared, toolInput: {}, argsStr: '{}' });
  });

  it('without arguments still has some', () => {
    expect(told(call('x'))).toContain('TOOL_CALL_ARGS x {}');
  });

  it('whose block never ends is closed and was not made', () => {
    const open = call('x', 'look', '{"a"').slice(0, -1);
    expect(toldToTheEnd(open).slice(2)).toEqual(['TOOL_CALL_END x']);
    expect(told([...open, ...call('y')]).slice(2, 4)).toEqual(['TOOL_CALL_END x', 'TOOL_CALL_START y']);
    expect(told([...open, again(true)]).slice(2)).toEqual(['TOOL_CALL_END x']);
  });

  it('without a name or an id gets one that clients accept', () => {
    expect(play(call('', '')).outputs[0]).toMatchObject({ event: { toolCallId: 'id1', toolCallName: 'unknown' } });
  });

  it('with an id that another call has goes out under a new one, and so does its result', () => {
    const lines = told([...call('x'), result('x'), ...call('x'), result('x')]);
    expect(lines.filter((entry) => /START|RESULT/.test(entry))).toEqual([
      'TOOL_CALL_START x',
      'TOOL_CALL_RESULT id2 x ok',
      'TOOL_CALL_START id3',
      'TOOL_CALL_RESULT id5 id3 ok',
    ]);
    expect(told(call('old'), { past: ['old'] })[0]).toBe('TOOL_CALL_START id1');
  });

  it('[B8] costs as much for the ten-thousandth piece of its arguments as for the first', () => {
    const rules = rulesOf({});
    let { state } = step(initialState(), { type: 'tool_start', toolUseId: 'x', name: 'look' }, rules);
    const opened = state;
    for (let piece = 0; piece < 10_000; piece++) state = step(state, { type: 'tool_args', delta: 'a' }, rules).state;
    expect(state).toBe(opened);
    expect(step(state, stop, rules).outputs).toHaveLength(2);
  });
});

describe('[C5.5] a call in one go', () => {
  const whole: TranslatorInput = { type: 'tool_use', toolUseId: 'x', name: 'look', input: { a: 1 } };
  const behaviors: Record<string, ToolBehavior> = {
    look: {
      argsStreamer: none,
      stateFromArgs: () => ({}),
      predictState: { stateKey: 'k', tool: 'look', toolArgument: 'a' },
    },
  };

  it('of a provider that does not stream shows its arguments once', () => {
    expect(told([text('a'), whole])).toEqual([
      'TEXT_MESSAGE_START id1',
      'TEXT_MESSAGE_CONTENT id1 a',
      'TEXT_MESSAGE_END id1',
      'snapshot id1',
      'TOOL_CALL_START x',
      'TOOL_CALL_ARGS x {"a":1}',
      'TOOL_CALL_END x',
      'snapshot id2',
    ]);
  });

  it('with a streamer of the developer shows state, then what the streamer gives', () => {
    const expected = [
      'hook stateFromArgs',
      'CUSTOM PredictState [{"state_key":"k","tool":"look","tool_argument":"a"}]',
      'TOOL_CALL_START x',
      'hook argsStreamer',
      'TOOL_CALL_END x',
      'snapshot id1',
    ];
    expect(told([whole], { behaviors })).toEqual(expected);
    expect(told(call('x', 'look', '{"a"', ':1}'), { behaviors })).toEqual(expected);
  });
});

describe('[C5.6] a call that the client knows', () => {
  const behaviors: Record<string, ToolBehavior> = { look: { stateFromArgs: () => ({}) } };
  const pending: TranslatorInput = { type: 'tool_pending', toolUseId: 'x', name: 'look', input: { a: 1 } };

  it('is not shown again, but its state is derived', () => {
    expect(told(call('x', 'look', '{}'), { announced: ['x'], behaviors })).toEqual(['hook stateFromArgs']);
  });

  it('[C8.13] of a resumed batch is not shown again, and its result goes out under the old id', () => {
    expect(told([pending, result('x')], { announced: ['x'], past: ['x'] })).toEqual([
      'TOOL_CALL_RESULT id2 x ok',
      'snapshot id2',
    ]);
    expect(told([pending, result('x')], { past: ['x'] })[0]).toBe('TOOL_CALL_RESULT id2 x ok');
  });

  it('only to the agent, such as one that a hook made, is shown when it is about to run', () => {
    expect(told([pending])).toEqual([
      'TOOL_CALL_START x',
      'TOOL_CALL_ARGS x {"a":1}',
      'TOOL_CALL_END x',
      'snapshot id1',
    ]);
  });
});
