import type { BaseEvent } from '@ag-ui/core';
import { describe, expect, test, vi } from 'vitest';
import { CUSTOM, RUN_ERROR, RUN_FINISHED, RUN_STARTED, TEXT_CONTENT, TOOL_RESULT } from '../translate/events.ts';
import { eventForClient } from './for-client.ts';
import { encoderFor, wantsProtobuf } from './negotiate.ts';
import { PROTOBUF, protobufEncoder } from './protobuf.ts';
import { sseEncoder } from './sse.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const custom = (value: unknown): BaseEvent => ({ type: CUSTOM, name: 'x', value });
const subagent = (type: string): BaseEvent => JSON.parse(`{"type":"${type}","subagentRunId":"s"}`);

describe('server-sent events', () => {
  test('an event is one line of JSON and an empty one, whatever its texts hold', () => {
    const event = custom('a\nb\r\n\u0085\u2028\u2029\ud800');
    const sent = text(sseEncoder.encode(event));
    expect(sent).toBe('data: {"type":"CUSTOM","name":"x","value":"a\\nb\\r\\n\\u0085\\u2028\\u2029\\ud800"}\n\n');
    expect(JSON.parse(sent.slice('data: '.length))).toEqual(event);
  });

  test('what JSON cannot carry is refused', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    for (const value of [1n, cyclic]) expect(() => sseEncoder.encode(custom(value))).toThrow(TypeError);
    for (const event of ['undefined', 'null', '7', '[]', '"x"']) {
      const notAnEvent: BaseEvent = event === 'undefined' ? undefined : JSON.parse(event);
      expect(() => sseEncoder.encode(notAnEvent)).toThrow('the event is no object');
    }
  });

  test('the cost of encoding grows with the length of the event, not faster', () => {
    const time = (length: number) => {
      const event = custom('\u2028'.repeat(length));
      const from = performance.now();
      sseEncoder.encode(event);
      return performance.now() - from;
    };
    time(1000);
    expect(time(200_000)).toBeLessThan(3000);
  });
});

describe('negotiation', () => {
  test('[C12.3] protobuf only for an Accept header that names it', () => {
    for (const accept of [
      '',
      '*/*',
      'application/*',
      'text/event-stream',
      'application/json',
      `${PROTOBUF};q=0`,
      `x${PROTOBUF}`,
    ]) {
      expect([accept, wantsProtobuf(accept)]).toEqual([accept, false]);
    }
    for (const accept of [
      PROTOBUF,
      PROTOBUF.toUpperCase(),
      `text/event-stream, ${PROTOBUF}`,
      `*/*, ${PROTOBUF};q=0.1`,
    ]) {
      expect([accept, wantsProtobuf(accept)]).toEqual([accept, true]);
    }
    expect(wantsProtobuf(`text/event-stream, ${PROTOBUF};q=0.5`)).toBe(false);
    expect(wantsProtobuf(`${PROTOBUF};q=nonsense`)).toBe(false);
  });

  test('[C12.3] each client gets its encoder', async () => {
    const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() };
    expect(await encoderFor(undefined, log)).toBe(sseEncoder);
    const encoder = await encoderFor(PROTOBUF, log);
    expect(encoder).toBe(await protobufEncoder());
    expect([encoder.contentType, encoder.keepAlive, log.warn.mock.calls]).toEqual([PROTOBUF, undefined, []]);
    const bytes = encoder.encode({ type: TEXT_CONTENT, messageId: 'm', delta: 'hi' });
    expect(new DataView(bytes.buffer).getUint32(0)).toBe(bytes.byteLength - 4);
  });
});

describe('eventForClient', () => {
  test('a client of protocol 1.0 gets every event as it is', () => {
    for (const type of ['SUBAGENT_STARTED', 'RUN_FINISHED']) {
      const event = { ...subagent(type), metadata: {}, usage: [] };
      expect(eventForClient(event, '1.0')).toBe(event);
    }
  });

  test('a client that said no version gets no field and no event of 1.0', () => {
    const shown = (event: BaseEvent) => eventForClient(event, undefined);
    const usage = [{ inputTokens: 1 }];
    const ids = { threadId: 't', runId: 'r' };
    expect(shown({ type: RUN_STARTED, ...ids, protocolVersion: '1.0' })).toEqual({ type: RUN_STARTED, ...ids });
    expect(shown({ type: RUN_ERROR, message: 'x', code: 'Y', usage, metadata: {} })).toEqual({
      type: RUN_ERROR,
      message: 'x',
      code: 'Y',
    });
    const finished = (outcome: unknown) => shown({ type: RUN_FINISHED, ...ids, usage, outcome });
    expect(finished(undefined)).toEqual({ type: RUN_FINISHED, ...ids });
    expect(finished({ type: 'success', pendingToolCallIds: ['a'] })).toEqual({
      type: RUN_FINISHED,
      ...ids,
      outcome: { type: 'success' },
    });
    const interrupts = [{ id: 'i', reason: 'tau:approval', metadata: { tau: { tool: 'x' } } }];
    expect(finished({ type: 'interrupt', interrupts, more: 1 })).toEqual({
      type: RUN_FINISHED,
      ...ids,
      outcome: { type: 'interrupt', interrupts },
    });
    expect(finished({ type: 'cancelled' })).toEqual({ type: RUN_FINISHED, ...ids });
    for (const type of ['SUBAGENT_STARTED', 'SUBAGENT_FINISHED', 'SUBAGENT_ERROR']) {
      expect(shown(subagent(type))).toBeUndefined();
    }
    expect(shown({ type: TEXT_CONTENT, messageId: 'm', delta: 'x', metadata: { a: 1 }, subagentRunId: 's' })).toEqual({
      type: TEXT_CONTENT,
      messageId: 'm',
      delta: 'x',
    });
  });

  test('content parts of tool results are texts to a client that said no version', () => {
    const parts = [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }];
    expect(eventForClient({ type: TOOL_RESULT, toolCallId: 'c', messageId: 'm', content: parts }, undefined)).toEqual({
      type: TOOL_RESULT,
      toolCallId: 'c',
      messageId: 'm',
      content: 'a b',
    });
    const messages = [
      { id: '1', role: 'user', content: parts },
      { id: '2', role: 'tool', toolCallId: 'c', content: parts },
    ];
    const snapshot: BaseEvent = JSON.parse(JSON.stringify({ type: 'MESSAGES_SNAPSHOT', messages }));
    expect(eventForClient(snapshot, undefined)).toEqual({
      type: 'MESSAGES_SNAPSHOT',
      messages: [messages[0], { ...messages[1], content: 'a b' }],
    });
  });
});
