import type { Message } from '@ag-ui/core';
import type { ApprovalRecord } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { call, DONE, held, house, unlock, until } from '../support/strands.ts';
import {
  ADA,
  BOB,
  interruptsOf,
  leaveMidBody,
  newState,
  type Running,
  runInput,
  startHub,
  typesOf,
} from './support/hub.ts';

/** Decides the one open question of a token. */
async function decide(hub: Running, token: string, decision: 'approved' | 'rejected' = 'approved'): Promise<void> {
  const { id, digest } = await hub.question(token);
  const { status } = await hub.send(`/api/approvals/${id}/decision`, { token, body: { decision, digest } });
  expect(status).toBe(200);
}

/** The texts of a thread's messages. */
async function thread(hub: Running, token: string, id = 't1'): Promise<readonly string[]> {
  const { body } = await hub.send(`/api/threads/${id}`, { token });
  return body.messages.map(({ role, content }: Message) => `${role}: ${String(content)}`);
}

/** A run whose client left when an approved body was at work. */
async function leftAtWork() {
  const home = house();
  const body = held<string>();
  const tools = [home.tool('unlock_door', 2, z.object({ door: z.string() }), () => body.promise)];
  const hub = await startHub([[unlock('front', 'c1')], DONE, DONE], { house: { ...home, tools } });
  const ada = await hub.token();
  const [question] = interruptsOf(await hub.run(ada));
  const resume = [{ interruptId: question?.id ?? '', status: 'resolved', payload: { approved: true } }];
  await leaveMidBody(hub, ada, runInput({ resume }));
  return { hub, ada, body };
}

const status = async (hub: Running, token: string) => (await hub.send('/api/threads/t1', { token })).body;

/** Takes its time with the question that an edit makes, so that for a moment there is none. */
class SlowEdits extends MemoryApprovalStore {
  override async create(record: ApprovalRecord): Promise<void> {
    if (record.editOf !== undefined) await new Promise((resolve) => setTimeout(resolve, 100));
    await super.create(record);
  }
}

describe('[P20] a decision', () => {
  it('is followed although the store cannot be read for a while', async () => {
    let failing = 0;
    class Flaky extends MemoryApprovalStore {
      override parked(conversation: string): ReturnType<MemoryApprovalStore['parked']> {
        failing -= 1;
        return failing >= 0 ? Promise.reject(new Error('locked')) : super.parked(conversation);
      }
    }
    const hub = await startHub([[unlock('front', 'c1')], DONE], { state: newState(new Flaky()) });
    const ada = await hub.token();
    await hub.run(ada);
    // More often than a client is made to wait for.
    failing = 7;
    await decide(hub, ada);
    for (let i = 0; i < 60 && hub.started().length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(hub.started()).toEqual(['unlock_door {"door":"front"}']);
  });

  it('resumes the run although nobody is connected, and whoever comes back reads all of it', async () => {
    const hub = await startHub([[{ text: 'I will open it.' }, unlock('front', 'c1')], DONE]);
    const ada = await hub.token();
    const left = new AbortController();
    const response = await fetch(`${hub.url}/agent`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada}`, 'content-type': 'application/json' },
      body: JSON.stringify(runInput({ messages: [{ id: 'm', role: 'user', content: 'open' }] })),
      signal: left.signal,
    });
    await response.text();
    left.abort();
    expect((await hub.send('/api/threads', { token: ada })).body.threads).toMatchObject([
      { threadId: 't1', status: 'waiting', title: 'open' },
    ]);
    await decide(hub, ada);
    await expect
      .poll(() => thread(hub, ada))
      .toEqual(['user: open', 'assistant: I will open it.', 'tool: unlock_door done', 'assistant: Done.']);
    expect(hub.started()).toEqual(['unlock_door {"door":"front"}']);
    expect((await hub.send('/api/threads/t1', { token: ada })).body.status).toBe('idle');
  });

  it('waits for the other questions of the run', async () => {
    const hub = await startHub([[unlock('front', 'c1'), unlock('back', 'c2')], DONE]);
    const ada = await hub.token();
    expect(interruptsOf(await hub.run(ada)).length).toBe(2);
    await decide(hub, ada);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([hub.started(), hub.model.calls.length]).toEqual([[], 1]);
    await decide(hub, ada, 'rejected');
    await until(() => hub.model.calls.length === 2);
    expect(hub.started()).toEqual(['unlock_door {"door":"front"}']);
  });

  it('that is silence resumes it, too', async () => {
    const hub = await startHub([[unlock('front', 'c1')], DONE], { timeoutSeconds: 0.1 });
    const ada = await hub.token();
    await hub.run(ada);
    await until(() => hub.model.calls.length === 2);
    const { body } = await hub.send('/api/approvals?status=timeout', { token: ada });
    expect([hub.started(), body.approvals.length]).toEqual([[], 1]);
  });

  it('that edits is not overtaken in a store that takes its time', async () => {
    const store = new MemoryApprovalStore();
    const create = store.create.bind(store);
    store.create = async (record) => {
      if (record.editOf !== undefined) await new Promise((resolve) => setTimeout(resolve, 100));
      await create(record);
    };
    const hub = await startHub([[call('run_shell', { command: 'ls' }, 'c1')], DONE], { state: newState(store) });
    const ada = await hub.token();
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    const edit = { decision: 'approved', digest, editedArguments: { command: 'pwd' } } as const;
    const edited = await hub.send(`/api/approvals/${id}/decision`, { token: ada, body: edit });
    expect([edited.body.result, hub.model.calls.length]).toEqual(['asked_again', 1]);
    await decide(hub, ada);
    await until(() => hub.model.calls.length === 2);
    expect(hub.started()).toEqual(['run_shell {"command":"pwd","sudo":false}']);
    expect((await hub.send('/api/approvals', { token: ada })).body.approvals.length).toBe(2);
  });

  it('from before a restart resumes after it, with the session and the questions', async () => {
    const state = newState();
    const home = house();
    const before = await startHub([[unlock('front', 'c1')]], { state, house: home });
    const ada = await before.token();
    await before.run(ada, { messages: [{ id: 'm', role: 'user', content: 'open' }] });
    const { id, digest } = await before.question(ada);
    await before.hub.stop();
    expect((await state.store.get(id))?.status).toBe('pending');
    await state.store.decide(id, { decision: 'approved', by: ADA, channel: 'elsewhere', at: Date.now(), tookMs: 1 });
    // What another program has parked is none of the hub's business, whatever it looks like.
    await state.store.park({ conversation: 'elsewhere', run: 'r', at: 1, state: [] });
    const after = await startHub([DONE], { state, house: home });
    await until(() => after.model.calls.length === 1);
    expect(after.log.filter((line) => line.includes('could not be woken'))).toEqual([]);
    expect(after.started()).toEqual(['unlock_door {"door":"front"}']);
    await expect
      .poll(() => thread(after, ada))
      .toEqual(['user: open', 'assistant: ', 'tool: unlock_door done', 'assistant: Done.']);
    const late = { decision: 'approved', digest } as const;
    expect((await after.send(`/api/approvals/${id}/decision`, { token: ada, body: late })).status).toBe(409);
  });

  it('does not resume for a principal that is no longer known', async () => {
    const state = newState();
    const before = await startHub([[unlock('front', 'c1')]], { state });
    const ada = await before.token();
    await before.run(ada);
    const { id } = await before.question(ada);
    await before.hub.stop();
    await state.store.decide(id, { decision: 'approved', by: ADA, channel: 'elsewhere', at: Date.now(), tookMs: 1 });
    const after = await startHub([DONE], { state, hub: { principals: [BOB] } });
    await until(() => after.log.some((line) => line.includes('no longer known')));
    expect([after.started(), after.model.calls.length]).toEqual([[], 0]);
  });
});

describe('[P20, B3] a client that answers late', () => {
  it('[C8.2] and lost what came of it gets the result when it sends its answer again, and nothing runs twice', async () => {
    const hub = await startHub([[unlock('front', 'c1')], DONE]);
    const ada = await hub.token();
    const [question] = interruptsOf(await hub.run(ada, { messages: [{ id: 'm', role: 'user', content: 'open' }] }));
    const resume = [{ interruptId: question?.id ?? '', status: 'resolved', payload: { approved: true } }];
    await hub.run(ada, { resume });
    const again = await hub.run(ada, { resume });
    expect(typesOf(again)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
    expect(JSON.stringify(again)).toContain('unlock_door done');
    expect([hub.started(), hub.model.calls.length]).toEqual([['unlock_door {"door":"front"}'], 2]);
  });

  it('is told what was decided, gets the history, and can go on', async () => {
    const hub = await startHub([[unlock('front', 'c1')], DONE, [{ text: 'Hello again.' }]]);
    const ada = await hub.token();
    const [question] = interruptsOf(await hub.run(ada, { messages: [{ id: 'm', role: 'user', content: 'open' }] }));
    await decide(hub, ada);
    await until(() => hub.model.calls.length === 2);
    const resume = [{ interruptId: question?.id ?? '', status: 'resolved', payload: { approved: false } }];
    const told = await hub.run(ada, { resume });
    expect(typesOf(told)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'CUSTOM', 'RUN_FINISHED']);
    expect(JSON.stringify(told)).toContain('"name":"tau:decided"');
    const snapshot = told.find(({ type }) => type === 'MESSAGES_SNAPSHOT');
    expect(JSON.stringify(snapshot)).toContain('Done.');
    expect(hub.started().length).toBe(1);
    const next = await hub.run(ada, { messages: [{ id: 'n', role: 'user', content: 'hello' }] });
    const all = next.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT');
    const messages: readonly Message[] = all !== undefined && 'messages' in all ? (all.messages as Message[]) : [];
    expect(messages.map(({ role, content }) => `${role}: ${String(content)}`)).toEqual([
      'user: open',
      'assistant: ',
      'tool: unlock_door done',
      'assistant: Done.',
      'user: hello',
      'assistant: Hello again.',
    ]);
  });

  it('[C4.3] while the run of another tab is at work is told so at once', async () => {
    const home = house();
    const body = held<string>();
    const tools = [home.tool('unlock_door', 2, z.object({ door: z.string() }), () => body.promise)];
    const hub = await startHub([[unlock('front', 'c1')], DONE], { house: { ...home, tools } });
    const ada = await hub.token();
    const [question] = interruptsOf(await hub.run(ada));
    const resume = [{ interruptId: question?.id ?? '', status: 'resolved', payload: { approved: true } }];
    const first = hub.run(ada, { resume });
    await until(() => hub.started().length === 1);
    // The hub has heard of the decision by now, and waits for the run of the client.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await hub.run(ada)).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'THREAD_BUSY' });
    body.settle('open');
    expect((await first).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('that leaves while its tool is at work finds it running, and then the whole of it in the conversation', async () => {
    const { hub, ada, body } = await leftAtWork();
    expect((await status(hub, ada)).status).toBe('running');
    body.settle('it is open');
    await vi.waitFor(async () => expect((await status(hub, ada)).status).toBe('idle'));
    expect((await thread(hub, ada)).slice(1)).toEqual(['assistant: ', 'tool: it is open', 'assistant: Done.']);
    expect(hub.started()).toHaveLength(1);
  });

  it('or anybody of its principal can stop it: the tool ends, its result is kept, and nothing else starts', async () => {
    const { hub, ada, body } = await leftAtWork();
    const stop = (id: string, token: string) => hub.send(`/api/threads/${id}/stop`, { token, body: {} });
    expect((await stop('t1', await hub.token('bob'))).status).toBe(404);
    expect((await stop('t2', ada)).status).toBe(404);
    expect((await stop('t1', ada)).body).toEqual({ stopped: true });
    // Longer than an agent may take that has no tool at work.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await status(hub, ada)).status).toBe('running');
    body.settle('it is open');
    await vi.waitFor(async () => expect((await status(hub, ada)).status).toBe('idle'));
    const said = (await thread(hub, ada)).join('\n');
    expect(said).toContain('it is open');
    expect([said.includes('Done.'), hub.model.calls.length]).toEqual([false, 1]);
    expect((await stop('t1', ada)).body).toEqual({ stopped: false });
    expect((await hub.run(ada)).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(hub.started()).toHaveLength(1);
  });

  it('that still reads a run which somebody stops is told how far it came, and that it is over', async () => {
    const hub = await startHub([() => new Promise(() => undefined), DONE]);
    const ada = await hub.token();
    const run = hub.run(ada, { messages: [{ id: 'm1', role: 'user', content: 'hello' }] });
    await until(() => hub.model.calls.length === 1);
    expect((await hub.send('/api/threads/t1/stop', { token: ada, body: {} })).body).toEqual({ stopped: true });
    const [snapshot, end] = (await run).slice(-2);
    expect(snapshot).toMatchObject({ type: 'MESSAGES_SNAPSHOT', messages: [{ role: 'user', content: 'hello' }, {}] });
    expect(end).toMatchObject({ type: 'RUN_FINISHED', threadId: 't1' });
    expect((await hub.run(ada)).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('while the hub resumes waits for it instead of being refused', async () => {
    const home = house();
    const gate = held<string>();
    const tools = [home.tool('unlock_door', 2, z.object({ door: z.string() }), () => gate.promise)];
    const hub = await startHub([[unlock('front', 'c1')], DONE], { house: { ...home, tools } });
    const ada = await hub.token();
    const [question] = interruptsOf(await hub.run(ada));
    await decide(hub, ada);
    await until(() => hub.started().length === 1);
    const resume = [{ interruptId: question?.id ?? '', status: 'resolved', payload: { approved: true } }];
    const late = hub.run(ada, { resume });
    await new Promise((resolve) => setTimeout(resolve, 100));
    gate.settle('open');
    const events = await late;
    expect(typesOf(events)).not.toContain('RUN_ERROR');
    expect([events.at(-1)?.type, hub.started().length]).toEqual(['RUN_FINISHED', 1]);
  });

  it('in form of an edit wakes nothing before the edit itself is decided, however slowly it is stored', async () => {
    const store = new SlowEdits();
    const hub = await startHub([[unlock('front', 'c1')], DONE], { state: newState(store) });
    const ada = await hub.token();
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    const edit = { decision: 'approved', digest, editedArguments: { door: 'back' } };
    expect((await hub.send(`/api/approvals/${id}/decision`, { token: ada, body: edit })).status).toBe(200);
    await until(() => hub.model.calls.length === 2);
    expect(hub.started()).toEqual(['unlock_door {"door":"back"}']);
    expect((await store.list({ limit: 10 })).records.map(({ status }) => status)).toEqual(['void', 'done']);
  });

  it('of many that answer at once runs the body once', async () => {
    const hub = await startHub([[unlock('front', 'c1')], DONE]);
    const ada = await hub.token();
    const [question] = interruptsOf(await hub.run(ada));
    const resume = [{ interruptId: question?.id ?? '', status: 'resolved', payload: { approved: true } }];
    await Promise.all([
      decide(hub, ada).catch(() => undefined),
      ...Array.from({ length: 10 }, () => hub.run(ada, { resume })),
    ]);
    await until(() => hub.model.calls.length === 2);
    expect(hub.started()).toEqual(['unlock_door {"door":"front"}']);
  });
});
