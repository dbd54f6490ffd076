import type { BaseEvent } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { asRun, seenByClient, seenByOldClient } from '../../../test/support/translate.ts';
import { chunkMapper } from './chunks.ts';
import {
  custom,
  RAW,
  REASONING_END,
  REASONING_MESSAGE_CONTENT,
  REASONING_MESSAGE_END,
  REASONING_MESSAGE_START,
  REASONING_START,
  TEXT_END,
  TEXT_START,
  TOOL_END,
  TOOL_START,
  textContent,
  toolArgs,
} from './events.ts';

function chunked(events: readonly BaseEvent[]): readonly BaseEvent[] {
  const map = chunkMapper();
  return events.flatMap((event) => map(event) ?? []);
}

describe('[C5.10] chunks', () => {
  it('carry the start, then the pieces, and need no end', () => {
    expect(
      chunked([
        { type: TEXT_START, messageId: 'm', role: 'assistant' },
        textContent('m', 'a'),
        { type: TEXT_END, messageId: 'm' },
        { type: TOOL_START, toolCallId: 'x', toolCallName: 'look', parentMessageId: 'p' },
        toolArgs('x', '{}'),
        { type: TOOL_END, toolCallId: 'x' },
      ]),
    ).toEqual([
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'a' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'x', toolCallName: 'look', parentMessageId: 'p' },
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'x', delta: '{}' },
    ]);
  });

  it('of thinking leave its brackets as they are', () => {
    const thought = [
      { type: REASONING_START, messageId: 'r' },
      { type: REASONING_MESSAGE_START, messageId: 'r', role: 'reasoning' },
      { type: REASONING_MESSAGE_CONTENT, messageId: 'r', delta: 'hm' },
      { type: REASONING_MESSAGE_END, messageId: 'r' },
      { type: REASONING_END, messageId: 'r' },
    ];
    expect(chunked(thought)).toEqual([
      { type: 'REASONING_START', messageId: 'r' },
      { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r' },
      { type: 'REASONING_MESSAGE_CHUNK', messageId: 'r', delta: 'hm' },
      { type: 'REASONING_END', messageId: 'r' },
    ]);
    const run = asRun(thought);
    expect(seenByClient(asRun(chunked(thought)))).toEqual(run);
    // The older client leaves out the role, which has one value.
    expect(seenByOldClient(asRun(chunked(thought)))).toMatchObject(run.map(({ role: _role, ...event }) => event));
  });

  it('end with one that has only what an end says about the whole', () => {
    expect(chunked([{ type: TEXT_END, messageId: 'm', metadata: { a: 1 } }])).toEqual([
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', metadata: { a: 1 } },
    ]);
  });

  it('name their call again after an event at which clients close it', () => {
    const events = (between: BaseEvent): readonly BaseEvent[] => [
      { type: TOOL_START, toolCallId: 'x', toolCallName: 'look', parentMessageId: 'p' },
      between,
      toolArgs('x', '{'),
      toolArgs('x', '}'),
      { type: TOOL_END, toolCallId: 'x' },
    ];
    const named = chunked(events(custom('note', 1)));
    expect(named[2]).toEqual({
      type: 'TOOL_CALL_CHUNK',
      toolCallId: 'x',
      toolCallName: 'look',
      parentMessageId: 'p',
      delta: '{',
    });
    expect(named[3]).toEqual({ type: 'TOOL_CALL_CHUNK', toolCallId: 'x', delta: '}' });
    expect(seenByClient(asRun(named)).filter(({ type }) => type === 'TOOL_CALL_ARGS')).toHaveLength(2);
    expect(seenByOldClient(asRun(named)).filter(({ type }) => type === 'TOOL_CALL_ARGS')).toHaveLength(2);
    expect(chunked(events({ type: RAW, event: {}, source: 'strands' }))[2]).not.toHaveProperty('toolCallName');
  });

  it('leave other events alone', () => {
    const note = custom('note', 1);
    expect(chunked([note])[0]).toBe(note);
  });
});
