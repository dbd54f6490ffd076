import { describe, expect, it } from 'vitest';
import { call, done, none, play, result, text, told } from '../../../test/support/machine.ts';
import type { ToolBehavior } from '../config.ts';
import type { TranslatorInput } from './input.ts';

describe('[C5.7] a result', () => {
  const behaviors: Record<string, ToolBehavior> = {
    look: { stateFromResult: () => ({}), customResultHandler: none, stopStreamingAfterResult: true },
  };

  it('goes out under a fresh id and joins the thread under the same', () => {
    expect(play([...call('x'), result('x')]).outputs.slice(4)).toEqual([
      { type: 'event', event: { type: 'TOOL_CALL_RESULT', toolCallId: 'x', messageId: 'id2', content: 'ok' } },
      { type: 'message', message: { id: 'id2', role: 'tool', toolCallId: 'x', content: 'ok' }, snapshot: true },
    ]);
  });

  it('that is an error says so in the thread', () => {
    expect(play([...call('x'), result('x', [{ type: 'text', text: 'no' }], 'error')]).outputs.at(-1)).toMatchObject({
      message: { content: 'no', error: 'no' },
    });
  });

  it('is followed by state, then the events of the handler, then the end', () => {
    expect(told([...call('x'), result('x'), text('more'), done, text('more')], { behaviors }).slice(4)).toEqual([
      'TOOL_CALL_RESULT id2 x ok',
      'snapshot id2',
      'hook stateFromResult',
      'hook customResultHandler',
      'halt result',
    ]);
  });

  it('that ends the run does not swallow the results of other calls of the message', () => {
    const lines = told([...call('x'), ...call('y', 'other'), result('x'), result('y'), done], { behaviors });
    expect(lines.filter((entry) => /RESULT|halt/.test(entry))).toEqual([
      'TOOL_CALL_RESULT id3 x ok',
      'TOOL_CALL_RESULT id4 y ok',
      'halt result',
    ]);
  });

  it('comes once for a call', () => {
    expect(told([...call('x'), result('x'), result('x')]).filter((entry) => /RESULT/.test(entry))).toHaveLength(1);
  });

  it('of a call that nobody saw is told all the same', () => {
    expect(told([result('lost'), result('')])).toEqual(['TOOL_CALL_RESULT id1 lost ok', 'snapshot id1']);
  });

  it('shows its data to the hooks', () => {
    const [hook] = play([...call('x', 'look', '{}'), result('x', [{ type: 'json', json: { n: 1 } }])], {
      behaviors,
    }).outputs.filter((output) => output.type === 'hook');
    expect(hook?.view).toEqual({
      toolName: 'look',
      toolUseId: 'x',
      toolInput: {},
      argsStr: '{}',
      resultData: { n: 1 },
      messageId: 'id2',
    });
  });
});

describe('[C5.8] a progress report', () => {
  const progress = (toolUseId: string | undefined, data: unknown): TranslatorInput => ({
    type: 'tool_progress',
    toolUseId,
    data,
  });

  it('is for the handler of its tool', () => {
    const { outputs } = play([...call('x'), progress('x', { state: { a: 1 } })], {
      behaviors: { look: { toolStreamEventHandler: none } },
    });
    expect(outputs.at(-1)).toMatchObject({
      hook: 'toolStreamEventHandler',
      view: { toolName: 'look', toolUseId: 'x', data: { state: { a: 1 } } },
    });
  });

  it('without a handler shows the state it carries, also when it could be of several tools', () => {
    expect(told([progress(undefined, { state: { a: [1, 2] } })])).toEqual(['state {"a":[1,2]}']);
  });

  it('that carries nothing is dropped', () => {
    class SdkEvent {
      readonly state = { secret: true };
    }
    for (const data of ['half', null, 7, {}, { state: [1] }, { state: 'x' }, new SdkEvent()]) {
      expect(told([progress('x', data)])).toEqual([]);
    }
  });
});

describe('[C5.9] snapshots', () => {
  it('of a tool that asks for none are left out after its call and its result', () => {
    const behaviors: Record<string, ToolBehavior> = { look: { skipMessagesSnapshot: true } };
    expect(told([...call('x'), result('x')], { behaviors }).filter((entry) => !/TOOL/.test(entry))).toEqual([
      'message id1',
      'message id2',
    ]);
  });
});
