import type { Message } from '@ag-ui/core';
import { ANONYMOUS, type ValueStore } from 'strands-tau';
import { MemoryValueStore } from 'strands-tau/stores/memory';
import { describe, expect, it } from 'vitest';
import { ThreadIndex } from '../../src/hub/threads.ts';
import { DONE } from '../support/strands.ts';
import { type Body, newState, type Running, startHub } from './support/hub.ts';

/** The texts of a thread's messages. */
async function thread(hub: Running, token: string, id = 't1'): Promise<readonly string[]> {
  const { body } = await hub.send(`/api/threads/${id}`, { token });
  return body.messages.map(({ role, content }: Message) => `${role}: ${String(content)}`);
}

/** Knows so many conversations that nobody may ask for all of them. */
class Many extends MemoryValueStore {
  override list(...args: Parameters<ValueStore['list']>): ReturnType<ValueStore['list']> {
    return args[0] === 'thread' ? Promise.reject(new Error('all conversations were read')) : super.list(...args);
  }
}

describe('[B10, P19] threads', () => {
  it('are listed without a look at all of them: the 200 that were used last, the last one first', async () => {
    const state = { ...newState(), values: new Many() };
    const value = { title: 'x', updatedAt: 1 };
    for (let at = 0; at < 250; at++) await state.values.put('thread', { id: `"ada"/t${at}`, value });
    const hub = await startHub([DONE], { state });
    const ada = await hub.token();
    await hub.run(ada, { threadId: 't7' });
    const { threads } = (await hub.send('/api/threads', { token: ada })).body;
    const ids: readonly string[] = threads.map(({ threadId }: Body) => threadId);
    expect([ids.length, ...ids.slice(0, 3), ids.at(-1)]).toEqual([200, 't7', 't249', 't248', 't51']);
    expect((await hub.send('/api/threads', { token: await hub.token('bob') })).body).toEqual({ threads: [] });
  });

  it('of somebody without a name are found among any number of others', async () => {
    const values = new Many();
    const index = new ThreadIndex(values, { now: () => 5 });
    for (const id of ['mine', 'mine too']) await index.note(id, { messages: [] });
    for (let at = 0; at < 50; at++) await index.note(`"ada"/t${at}`, { messages: [] });
    expect((await index.latest(ANONYMOUS, 2)).map(({ threadId }) => threadId)).toEqual(['mine too', 'mine']);
    expect((await index.latest(ANONYMOUS, 1)).map(({ threadId }) => threadId)).toEqual(['mine too']);
  });

  it('are kept once a run has begun in them; one that is refused leaves nothing behind', async () => {
    const hub = await startHub([DONE]);
    const ada = await hub.token();
    const resume = [{ interruptId: 'none', status: 'resolved', payload: { approved: true } }];
    for (const threadId of ['a', 'b'])
      expect((await hub.run(ada, { threadId, resume })).at(-1)?.type).toBe('RUN_ERROR');
    const long = await hub.send('/agent', {
      token: ada,
      body: { threadId: 'x'.repeat(257), runId: 'r', messages: [] },
    });
    expect([long.status, long.body.error.code]).toEqual([400, 'invalid_input']);
    expect(await hub.state.values.list('thread', 0)).toEqual([]);
    expect((await hub.run(ada, { threadId: 'c' })).at(-1)?.type).toBe('RUN_FINISHED');
    const { threads } = (await hub.send('/api/threads', { token: ada })).body;
    expect(threads.map(({ threadId }: Body) => threadId)).toEqual(['c']);
  });

  it('belong to whoever opened them: the same id of somebody else is another thread', async () => {
    const hub = await startHub([[{ text: 'for Ada' }], [{ text: 'for Bob' }]]);
    const [ada, bob] = [await hub.token(), await hub.token('bob')];
    await hub.run(ada, { messages: [{ id: 'm', role: 'user', content: 'secret of Ada' }] });
    expect((await hub.send('/api/threads/t1', { token: bob })).status).toBe(404);
    expect((await hub.send('/api/threads', { token: bob })).body).toEqual({ threads: [] });
    await hub.run(bob, { messages: [{ id: 'm', role: 'user', content: 'hi' }] });
    expect(await thread(hub, bob)).toEqual(['user: hi', 'assistant: for Bob']);
    expect(await thread(hub, ada)).toEqual(['user: secret of Ada', 'assistant: for Ada']);
    const forged = encodeURIComponent('"ada"/t1');
    expect((await hub.send(`/api/threads/${forged}`, { token: bob })).status).toBe(404);
  });
});
