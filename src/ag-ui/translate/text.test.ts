import { describe, expect, it } from 'vitest';
import { again, call, play, type Setting, stop, text, told, toldToTheEnd } from '../../../test/support/machine.ts';
import type { TranslatorInput } from './input.ts';
import { finish } from './machine.ts';

describe('[C5.2] text', () => {
  it('is opened once, sent as it comes without empty pieces, and closed at the end', () => {
    expect(toldToTheEnd([text('Hel'), text(''), text('lo'), stop, text('!')])).toEqual([
      'TEXT_MESSAGE_START id1',
      'TEXT_MESSAGE_CONTENT id1 Hel',
      'TEXT_MESSAGE_CONTENT id1 lo',
      'TEXT_MESSAGE_CONTENT id1 !',
      'TEXT_MESSAGE_END id1',
      'snapshot id1',
    ]);
  });

  it('joins the thread as one message of the assistant', () => {
    const { state } = play([text('Hel'), text('lo')]);
    expect(finish(state).outputs.at(-1)).toEqual({
      type: 'message',
      message: { id: 'id1', role: 'assistant', content: 'Hello' },
      snapshot: true,
    });
  });

  it('ends before a call, and what follows has an id of its own, with snapshots or without', () => {
    const inputs = [text('a'), ...call('x', 'look', '{}'), ...call('y', 'look', '{}'), text('b')];
    const ids = (setting: Setting): readonly unknown[] =>
      play(inputs, setting).outputs.flatMap((output) =>
        output.type === 'event' && /START/.test(output.event.type)
          ? [output.event.parentMessageId ?? output.event.messageId]
          : [],
      );
    expect(ids({})).toEqual(['id1', 'id2', 'id3', 'id4']);
    expect(ids({ behaviors: { look: { skipMessagesSnapshot: true } } })).toEqual(['id1', 'id2', 'id3', 'id4']);
  });

  it('of a try that broke off ends and stays out of the thread', () => {
    expect(told([text('Hel'), again(true), text('Hello')])).toEqual([
      'TEXT_MESSAGE_START id1',
      'TEXT_MESSAGE_CONTENT id1 Hel',
      'TEXT_MESSAGE_END id1',
      'TEXT_MESSAGE_START id2',
      'TEXT_MESSAGE_CONTENT id2 Hello',
    ]);
  });

  it('of a whole message ends where the next message of the model begins', () => {
    expect(told([text('One.'), again(false), text('Two.')]).slice(2, 5)).toEqual([
      'TEXT_MESSAGE_END id1',
      'snapshot id1',
      'TEXT_MESSAGE_START id2',
    ]);
  });
});

describe('[C5.3] reasoning', () => {
  it('is bracketed twice under one id and ends with its block', () => {
    expect(play([{ type: 'reasoning', text: 'hm' }, stop, stop]).outputs).toEqual(
      [
        { type: 'REASONING_START', messageId: 'id1' },
        { type: 'REASONING_MESSAGE_START', messageId: 'id1', role: 'reasoning' },
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'id1', delta: 'hm' },
        { type: 'REASONING_MESSAGE_END', messageId: 'id1' },
        { type: 'REASONING_END', messageId: 'id1' },
      ].map((event) => ({ type: 'event', event })),
    );
  });

  it('hands on what only the provider can read, under the message it belongs to', () => {
    expect(play([{ type: 'redacted', data: 'AAEC' }]).outputs.at(-1)).toEqual({
      type: 'event',
      event: { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'id1', encryptedValue: 'AAEC' },
    });
  });

  it('ends when the answer or a call begins, and at the end of the run', () => {
    const thought: TranslatorInput = { type: 'reasoning', text: 'hm' };
    expect(told([thought, text('a')]).slice(3, 6)).toEqual([
      'REASONING_MESSAGE_END id1',
      'REASONING_END id1',
      'TEXT_MESSAGE_START id2',
    ]);
    expect(told([thought, ...call('x')])[4]).toBe('REASONING_END id1');
    expect(toldToTheEnd([thought]).slice(3)).toEqual(['REASONING_MESSAGE_END id1', 'REASONING_END id1']);
  });
});
