import { Agent, type AgentStreamEvent, type ModelStreamEvent } from '@strands-agents/sdk';
import { ScriptedModel, type ScriptedTurn } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { drain, eventsOf, look, of, run, use } from '../../../test/support/agent-run.ts';
import { asRun, line, runRules, seenByClient, translateOptions } from '../../../test/support/translate.ts';
import { opening as openingEvents } from '../opening.ts';
import { RunError } from '../run-error.ts';
import { HALT_TEXT } from './translation.ts';
import { translate } from './translator.ts';

describe('a run of a real agent', () => {
  it('[C5.2, C5.4, C5.7, C5.9, C4.15] comes out as text, call, result and text, with the thread after each', async () => {
    const { events, end } = await run([
      [{ text: 'ok' }, { toolUse: { name: 'look', input: { at: 'x' } } }],
      [{ text: 'ok' }],
    ]);
    expect(events.map(line)).toEqual([
      'TEXT_MESSAGE_START id1',
      'TEXT_MESSAGE_CONTENT id1 o',
      'TEXT_MESSAGE_CONTENT id1 k',
      'TEXT_MESSAGE_END id1',
      'MESSAGES_SNAPSHOT id1',
      'TOOL_CALL_START tooluse_1',
      'TOOL_CALL_ARGS tooluse_1 {"at',
      'TOOL_CALL_ARGS tooluse_1 ":"x',
      'TOOL_CALL_ARGS tooluse_1 "}',
      'TOOL_CALL_END tooluse_1',
      'MESSAGES_SNAPSHOT id1 id2',
      'STATE_SNAPSHOT {"looking":true}',
      'TOOL_CALL_RESULT id3 tooluse_1 looked at x',
      'MESSAGES_SNAPSHOT id1 id2 id3',
      'TEXT_MESSAGE_START id4',
      'TEXT_MESSAGE_CONTENT id4 o',
      'TEXT_MESSAGE_CONTENT id4 k',
      'TEXT_MESSAGE_END id4',
      'MESSAGES_SNAPSHOT id1 id2 id3 id4',
      'STATE_SNAPSHOT {"looking":true}',
    ]);
    expect(seenByClient(asRun(events))).toHaveLength(events.length + 2);
    expect(end).toMatchObject({
      end: { type: 'result', result: { stopReason: 'endTurn' } },
      halted: undefined,
      usage: [{ model: 'scripted', inputTokens: 20, outputTokens: 10, totalTokens: 30 }],
      state: { looking: true },
      messages: [{ id: 'id1' }, { id: 'id2' }, { id: 'id3' }, { id: 'id4' }],
    });
    await end.closed;
  });

  it('[C5.1] hands an event through before the agent makes the next one', async () => {
    const agent = new Agent({ model: new ScriptedModel([[{ text: 'abc' }]]), printer: false });
    const pulled: string[] = [];
    async function* watched(): ReturnType<Agent['stream']> {
      const stream = agent.stream('hi');
      let next = await stream.next();
      for (; next.done !== true; next = await stream.next()) {
        if (next.value.type === 'modelStreamUpdateEvent') pulled.push(deltaOf(next.value.event));
        yield next.value;
      }
      return next.value;
    }
    const stream = eventsOf(translate(watched(), translateOptions()));
    expect((await stream.next()).value).toMatchObject({ type: 'TEXT_MESSAGE_START' });
    expect(pulled.filter((text) => text !== '')).toEqual(['a']);
    await stream.next();
    await stream.next();
    expect(pulled.filter((text) => text !== '')).toEqual(['a', 'b']);
    await stream.return(undefined as never);
  });

  it('[C5.9, B8] shows the thread at its end only, or never, and rotates ids all the same', async () => {
    const turns: ScriptedTurn[] = [use('look'), [{ text: 'ok' }]];
    const history = { input: { messages: [{ id: 'u', role: 'user' as const, content: 'hi' }] } };
    const once = await run(turns, { ...history, config: { messagesSnapshot: 'run' } });
    expect(of(once.events, 'MESSAGES_SNAPSHOT').map(line)).toEqual(['MESSAGES_SNAPSHOT u id1 id2 id3']);
    expect(once.events.at(-1)?.type).toBe('STATE_SNAPSHOT');
    const never = await run(turns, { ...history, config: { emitMessagesSnapshot: false } });
    expect(of(never.events, 'MESSAGES_SNAPSHOT')).toEqual([]);
    expect(of(never.events, 'TOOL_CALL_START')[0]?.parentMessageId).toBe('id1');
    expect(of(never.events, 'TEXT_MESSAGE_START')[0]?.messageId).toBe('id3');
  });

  it('[C5.10] comes out in chunks when that is asked for', async () => {
    const { events } = await run([[{ text: 'ok' }], [{ text: 'ok' }]], { config: { emitChunkEvents: true } });
    expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
      'TEXT_MESSAGE_CHUNK',
      'TEXT_MESSAGE_CHUNK',
      'TEXT_MESSAGE_CHUNK',
      'MESSAGES_SNAPSHOT',
    ]);
  });
});

describe('[C6.2, C6.4] a client tool in a run of a real agent', () => {
  it('ends the run with the results of the others told and everything in the history', async () => {
    const { agent, events, end } = await run(
      [[{ toolUse: { name: 'ask', input: {} } }, { toolUse: { name: 'look', input: {} } }], [{ text: 'never' }]],
      { rules: runRules(['ask']) },
    );
    expect(of(events, 'TOOL_CALL_RESULT').map(({ toolCallId }) => toolCallId)).toEqual(['tooluse_2']);
    expect(of(events, 'TEXT_MESSAGE_START')).toEqual([]);
    expect(end.halted).toBe('frontend');
    expect(agent.messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 2],
      ['user', 2],
      ['assistant', 1],
    ]);
    expect(agent.messages.at(-1)?.content[0]).toMatchObject({ text: HALT_TEXT });
  });

  it('[C6.5] with an id from the history fails the run before it is announced', async () => {
    const messages = [
      {
        id: 'a',
        role: 'assistant' as const,
        toolCalls: [{ id: 'old', type: 'function' as const, function: { name: 'ask', arguments: '{}' } }],
      },
    ];
    const { agent, events, end } = await run([use('ask', {}, 'old')], {
      rules: runRules(['ask']),
      input: { messages },
    });
    expect(events).toEqual([]);
    expect(end.end).toMatchObject({ type: 'failed', error: { code: 'FRONTEND_TOOL_IDENTITY_ERROR' } });
    expect(end.end.type === 'failed' && end.end.error).toBeInstanceOf(RunError);
    await end.closed;
    expect(agent.isInvoking).toBe(false);
  });

  it('[C5.7] ends as well after a result that is to be the last', async () => {
    const { end, events } = await run([use('look'), [{ text: 'never' }]], {
      behaviors: { look: { stopStreamingAfterResult: true } },
    });
    expect(end.halted).toBe('result');
    expect(of(events, 'TEXT_MESSAGE_START')).toEqual([]);
  });
});

describe('[C4.15] a run that does not end well', () => {
  it('has its message closed when the model fails in the middle, and tells the error', async () => {
    class Failing extends ScriptedModel {
      override async *stream(): AsyncGenerator<ModelStreamEvent> {
        yield { type: 'modelMessageStartEvent', role: 'assistant' };
        yield { type: 'modelContentBlockStartEvent' };
        yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'Hel' } };
        throw new Error('the model broke');
      }
    }
    const agent = new Agent({ model: new Failing([]), printer: false, retryStrategy: null });
    const { events, end } = await drain(translate(agent.stream('hi'), translateOptions()));
    expect(events.map(({ type }) => type)).toEqual(['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END']);
    expect(end.end).toMatchObject({ type: 'failed', error: { message: 'the model broke' } });
    expect(seenByClient(asRun(events, true))).toHaveLength(events.length + 2);
  });

  it('does not wait for a model that hangs when nobody listens any more', async () => {
    const left = new AbortController();
    const hung = new Agent({
      model: new ScriptedModel([() => new Promise<ScriptedTurn>(() => undefined)]),
      printer: false,
    });
    const cancel = new AbortController();
    const stream = hung.stream('hi', { cancelSignal: cancel.signal });
    const drained = drain(translate(stream, translateOptions({ signal: left.signal })));
    left.abort();
    const { events, end } = await drained;
    expect(events).toEqual([]);
    expect(end).toMatchObject({ end: { type: 'left' } });
    cancel.abort();
    await end.closed;
    expect(hung.isInvoking).toBe(false);
  });

  it('is not begun when nobody listened from the start', async () => {
    const gone = AbortSignal.abort();
    const { events, end } = await run([[{ text: 'a' }]], { signal: gone });
    expect(events).toEqual([]);
    expect(end.end).toEqual({ type: 'left' });
  });

  it('does not wait for a hook that hangs when nobody listens any more', async () => {
    const left = new AbortController();
    const agent = new Agent({ model: new ScriptedModel([use('look')]), tools: [look], printer: false });
    const behaviors = { look: { stateFromArgs: () => new Promise<never>(() => setTimeout(() => left.abort(), 1)) } };
    const { events, end } = await drain(
      translate(agent.stream('hi'), translateOptions({ behaviors, signal: left.signal })),
    );
    expect(end.end).toEqual({ type: 'left' });
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['TOOL_CALL_END', 'MESSAGES_SNAPSHOT']);
  });

  it('closes the agent when it is left between two events', async () => {
    const agent = new Agent({ model: new ScriptedModel([[{ text: 'abc' }]]), printer: false });
    const seen: string[] = [];
    for await (const event of eventsOf(translate(agent.stream('hi'), translateOptions()))) {
      seen.push(event.type);
      break;
    }
    await expect.poll(() => agent.isInvoking).toBe(false);
    expect(seen).toEqual(['TEXT_MESSAGE_START']);
  });
});

describe('[C4.10, C4.11] the opening of a run', () => {
  it('shows state that has keys, without the messages in it, and the messages', () => {
    const messages = [{ id: 'u', role: 'user' as const, content: 'hi' }];
    const opening = (state: unknown, config = {}): readonly string[] =>
      [...openingEvents({ threadId: 't', runId: 'r', tools: [], context: [], messages, state }, config)].map(line);
    expect(opening({ a: 1, messages: ['x'] })).toEqual(['STATE_SNAPSHOT {"a":1}', 'MESSAGES_SNAPSHOT u']);
    expect(opening([1, 2])).toEqual(['MESSAGES_SNAPSHOT u']);
    expect(opening(undefined, { emitMessagesSnapshot: false })).toEqual([]);
    expect(opening({}, { messagesSnapshot: 'run' })).toHaveLength(2);
  });
});

function deltaOf(event: Extract<AgentStreamEvent, { type: 'modelStreamUpdateEvent' }>['event']): string {
  return event.type === 'modelContentBlockDeltaEvent' && event.delta.type === 'textDelta' ? event.delta.text : '';
}
