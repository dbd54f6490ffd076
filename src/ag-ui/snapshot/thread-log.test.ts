import type { Message } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { snapshotMode } from './mode.ts';
import { buildSnapshotMessages } from './snapshot-messages.ts';
import { ThreadLog } from './thread-log.ts';

const user: Message = { id: 'u', role: 'user', content: 'hi' };
const asked: Message = {
  id: 'a',
  role: 'assistant',
  content: '',
  toolCalls: [{ id: 'x', type: 'function', function: { name: 'look', arguments: '{}' } }],
};
const answer = (id: string, content: string): Message => ({ id, role: 'tool', toolCallId: 'x', content });

describe('[C5.9] the thread', () => {
  it('holds the messages of the request, then those of the run', () => {
    const thread = new ThreadLog([user]);
    const before = thread.all();
    thread.add({ id: 'b', role: 'assistant', content: 'hello' });
    expect(before).toEqual([user]);
    expect(thread.all()).toEqual([user, { id: 'b', role: 'assistant', content: 'hello' }]);
    expect(thread.produced).toEqual([{ id: 'b', role: 'assistant', content: 'hello' }]);
  });

  it("[B4] has the server's own result in the place of the client's copy", () => {
    const thread = new ThreadLog([user, asked, answer('copy', 'made up'), user]);
    thread.add(answer('own', 'true'));
    expect(thread.all()).toEqual([user, asked, answer('own', 'true'), user]);
    expect(thread.produced).toEqual([answer('own', 'true')]);
  });
});

describe('[C4.11] the messages of a request in a snapshot', () => {
  it('have no field that is null, and an assistant has a content', () => {
    const messages = [
      { id: 'u', role: 'user', content: 'hi', name: null },
      { id: 'a', role: 'assistant', content: null, toolCalls: asked.role === 'assistant' ? asked.toolCalls : [] },
      { id: 'b', role: 'assistant' },
    ] as unknown as Message[];
    const copy = structuredClone(messages);
    expect(buildSnapshotMessages(messages)).toEqual([user, asked, { id: 'b', role: 'assistant', content: '' }]);
    expect(messages).toEqual(copy);
  });

  it('keep what else they say', () => {
    const rich: Message = { id: 'u', role: 'user', content: [{ type: 'text', text: 'hi' }], metadata: { a: null } };
    expect(buildSnapshotMessages([rich])).toEqual([rich]);
  });
});

describe('[B8] snapshots', () => {
  it.each([
    [{}, 'boundaries'],
    [{ messagesSnapshot: 'run' }, 'run'],
    [{ messagesSnapshot: 'off' }, 'off'],
    [{ emitMessagesSnapshot: true }, 'boundaries'],
    [{ emitMessagesSnapshot: false, messagesSnapshot: 'run' }, 'off'],
  ] as const)('with %j are sent at: %s', (config, mode) => {
    expect(snapshotMode(config)).toBe(mode);
  });
});
