import type { BaseEvent } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { of, run, states, use } from '../../../test/support/agent-run.ts';
import { line, MemoryLog } from '../../../test/support/translate.ts';

describe("the developer's hooks", () => {
  async function* stream<T>(...items: T[]): AsyncGenerator<T> {
    yield* items;
  }
  const note = (name: string): BaseEvent => ({ type: 'CUSTOM', name, value: 1 }) as unknown as BaseEvent;
  const failing = (): never => {
    throw new Error('broke');
  };

  it('[C4.15] add to the state what they set, and one does not take back what another set', async () => {
    const { events, end } = await run([use('look'), [{ text: 'ok' }]], {
      input: { state: { list: [1, 2], messages: ['m'] } },
      behaviors: { look: { stateFromArgs: () => ({ a: [3] }), stateFromResult: async () => ({ b: { c: 1 } }) } },
    });
    expect(states(events)).toEqual([
      { list: [1, 2], a: [3] },
      { list: [1, 2], a: [3], looking: true },
      { list: [1, 2], a: [3], looking: true, b: { c: 1 } },
      { list: [1, 2], messages: ['m'], a: [3], looking: true, b: { c: 1 } },
    ]);
    expect(end.state).toEqual({ list: [1, 2], messages: ['m'], a: [3], looking: true, b: { c: 1 } });
  });

  it('[C4.15] leave state without keys as it came', async () => {
    expect(states((await run([[{ text: 'a' }]], { input: { state: [1, 2] } })).events)).toEqual([[1, 2]]);
    expect(states((await run([[{ text: 'a' }]], { input: { state: undefined } })).events)).toEqual([{}]);
    expect(states((await run([use('look')], { input: { state: [1] } })).events).at(-1)).toEqual({ looking: true });
  });

  it('[C5.5] stream arguments of their own', async () => {
    const { events } = await run([use('look', { at: 'x' })], {
      behaviors: { look: { argsStreamer: () => stream('{"at"', '', ':"x"}') } },
    });
    expect(of(events, 'TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END').map(line)).toEqual([
      'TOOL_CALL_START tooluse_1',
      'TOOL_CALL_ARGS tooluse_1 {"at"',
      'TOOL_CALL_ARGS tooluse_1 :"x"}',
      'TOOL_CALL_END tooluse_1',
    ]);
  });

  it('[C5.5, C13.5] that fail to stream end the call without a snapshot', async () => {
    const { events } = await run([use('look')], { behaviors: { look: { argsStreamer: failing } } });
    const at = events.findIndex(({ type }) => type === 'TOOL_CALL_START');
    expect(events.slice(at, at + 4).map(line)).toEqual([
      'TOOL_CALL_START tooluse_1',
      'CUSTOM hook_error {"hook":"argsStreamer","tool":"look","error":"broke"}',
      'TOOL_CALL_END tooluse_1',
      'STATE_SNAPSHOT {"looking":true}',
    ]);
    expect(of(events, 'MESSAGES_SNAPSHOT').map(line)[0]).toBe('MESSAGES_SNAPSHOT id1 id2');
  });

  it.each(['stateFromArgs', 'stateFromResult', 'customResultHandler'] as const)(
    '[C13.5] %s that fails is told to the client and ends nothing else',
    async (hook) => {
      const { events, end } = await run([use('look'), [{ text: 'ok' }]], { behaviors: { look: { [hook]: failing } } });
      expect(of(events, 'CUSTOM').map(line)).toEqual([
        `CUSTOM hook_error {"hook":"${hook}","tool":"look","error":"broke"}`,
      ]);
      expect(of(events, 'TEXT_MESSAGE_END')).toHaveLength(1);
      expect(end.end.type).toBe('result');
    },
  );

  it('[C13.5] that derive something other than state have failed', async () => {
    const { events } = await run([use('look')], { behaviors: { look: { stateFromArgs: () => [1] as never } } });
    expect(of(events, 'CUSTOM')).toHaveLength(1);
    expect(states(events)).not.toContainEqual([1]);
  });

  it('[C5.7] send events of their own for a result, and know the call and the request', async () => {
    const seen: unknown[] = [];
    const { events } = await run([use('look', { at: 'x' })], {
      extras: { context: { user: 'ada' }, forwardedProps: { theme: 'dark' } },
      behaviors: {
        look: {
          customResultHandler: (context) => {
            const { inputData, ...rest } = context;
            seen.push(inputData.threadId, rest);
            return stream(note('mine'), null, undefined);
          },
        },
      },
    });
    expect(of(events, 'CUSTOM')).toEqual([note('mine')]);
    expect(seen).toEqual([
      't',
      {
        toolName: 'look',
        toolUseId: 'tooluse_1',
        toolInput: { at: 'x' },
        argsStr: '{"at":"x"}',
        resultData: 'looked at x',
        messageId: 'id2',
        context: { user: 'ada' },
        forwardedProps: { theme: 'dark' },
      },
    ]);
  });

  it('[C5.7] may not end the run, and state they send is not taken back', async () => {
    const log = new MemoryLog();
    const own = [{ type: 'RUN_FINISHED' }, { type: 7 }, { type: 'STATE_SNAPSHOT', snapshot: { mine: 1 } }];
    const { events } = await run([use('look')], {
      log,
      behaviors: { look: { customResultHandler: () => stream(...(own as unknown as BaseEvent[])) } },
    });
    expect(of(events, 'RUN_FINISHED')).toEqual([]);
    expect(log.warnings).toHaveLength(2);
    expect(states(events).at(-1)).toEqual({ looking: true, mine: 1 });
  });

  it('[C5.8] hear of the progress of their tool in a real stream', async () => {
    const seen: unknown[] = [];
    const { events } = await run([use('look')], {
      behaviors: {
        look: {
          toolStreamEventHandler: (context) => {
            seen.push([context.toolName, context.toolUseId, context.data]);
            return stream(note('half'));
          },
        },
      },
    });
    expect(seen).toEqual([['look', 'tooluse_1', { state: { looking: true } }]]);
    expect(of(events, 'CUSTOM')).toEqual([note('half')]);
    expect(states(events)).toEqual([{}]);
  });

  it('[C5.8, C13.5] that fail at progress are told to the log only', async () => {
    const log = new MemoryLog();
    const { events } = await run([use('look')], { log, behaviors: { look: { toolStreamEventHandler: failing } } });
    expect(of(events, 'CUSTOM')).toEqual([]);
    expect(log.warnings).toEqual(["toolStreamEventHandler of tool 'look' failed: broke"]);
  });
});
