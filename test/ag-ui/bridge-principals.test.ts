import type { BaseEvent } from '@ag-ui/core';
import { tool } from '@strands-agents/sdk';
import type { Policy } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { threadKey } from '../../src/ag-ui/thread/thread-key.ts';
import { call, DONE, held, house, unlock, until } from '../support/strands.ts';
import { ANN, BOB, Disk, type ServedOptions, served, user } from './support/served.ts';
import { endOf, errorOf, interruptOf, yes } from './support/wire.ts';

const asAnn = { principal: ANN };
const asBob = { principal: BOB };
const ANONYMOUS = { principal: { id: 'anonymous', kind: 'person' } as const };

/** Ann's thread waits; Bob knows its id and the id of the question. */
async function annWaits(options: ServedOptions = {}) {
  const s = await served([[unlock('front', 'call-of-ann')], DONE, DONE, DONE], options);
  const stopped = await s.run({ messages: [user('the code is Rosebud')] }, asAnn);
  return { s, stopped };
}

describe('[B5, B10] Somebody else who knows the id of a thread', () => {
  it.each([
    ['without sessions', {}],
    ['with sessions', { disk: new Disk() }],
    ['with replay off', { config: { replayHistoryIntoStrands: false } }],
  ])('has a thread of their own, %s: learns nothing and changes nothing', async (_how, options) => {
    const { s, stopped } = await annWaits(options);
    const forBob = await s.run({}, asBob);
    expect(endOf(forBob)).toBe('success');
    expect(JSON.stringify([forBob, s.model.calls[1]])).not.toMatch(/Rosebud|call-of-ann/);
    const stolen = await s.run({ resume: yes(stopped) }, asBob);
    expect([endOf(stolen), errorOf(stolen)]).toEqual([
      'UNKNOWN_INTERRUPT_ID',
      'No pending interrupts for this thread.',
    ]);
    expect(s.started()).toEqual([]);
    expect((await s.store.get(interruptOf(stopped).id))?.status).toBe('pending');
    expect(endOf(await s.run({ resume: yes(stopped) }, asAnn))).toBe('success');
    expect(s.started()).toEqual(['unlock_door {"door":"front"}']);
  });

  it('gets the same answer for a question of somebody else as for one that never was', async () => {
    const { s, stopped } = await annWaits();
    const entry = { status: 'resolved', payload: { approved: true } } as const;
    const stolen = await s.run({ resume: yes(stopped) }, asBob);
    const made = await s.run({ resume: [{ interruptId: 'made-up', ...entry }] }, asBob);
    expect(errorOf(stolen)).toBe(errorOf(made));
  });

  it('is not kept waiting by a run that is under way', async () => {
    const gate = held<void>();
    const s = await served([
      async () => {
        await gate.promise;
        return DONE;
      },
      DONE,
    ]);
    const ann = s.run({}, asAnn);
    await until(() => s.model.calls.length === 1);
    expect(endOf(await s.run({}, asAnn))).toBe('THREAD_BUSY');
    expect(endOf(await s.run({}, asBob))).toBe('success');
    gate.settle();
    expect(endOf(await ann)).toBe('success');
  });

  it('shares no state of the agent', async () => {
    const home = house();
    const count = tool({
      name: 'count',
      description: 'Counts.',
      inputSchema: z.object({}),
      callback: (_input, context) => {
        const n = Number(context?.agent.appState.get('n') ?? 0) + 1;
        context?.agent.appState.set('n', n);
        return `n is ${n}`;
      },
    });
    const turn = [call('count', {})];
    const s = await served([turn, DONE, turn, DONE, turn, DONE], { kind: 'plain', house: home, tools: [count] });
    const said: string[] = [];
    for (const who of [asAnn, asAnn, asBob]) said.push(JSON.stringify(await s.run({}, who)));
    expect(said.map((text) => /n is \d/.exec(text)?.[0])).toEqual(['n is 1', 'n is 2', 'n is 1']);
  });
});

describe('[B10] The key of a thread', () => {
  it('is the thread id alone without authentication; an empty one is "default"', () => {
    const { principal } = ANONYMOUS;
    expect([threadKey('t1', principal), threadKey('', principal)]).toEqual(['t1', 'default']);
    expect([threadKey('t1', ANN), threadKey('', ANN)]).toEqual(['"ann"/t1', '"ann"/default']);
  });

  it('cannot be written out by anybody else, whatever ids they choose', () => {
    const names = ['anonymous', 'ann', 'a', '"a"', 'a"/b', '', 'a/b', '\\"', '"ann"'];
    const ids = ['', 't1', '"ann"/t1', 'b/t1', '/t1', '"', '"a"/"b"/t', 'default', '"anonymous"/"ann"/t1'];
    const keys = new Map<string, string>();
    for (const id of names) {
      for (const thread of ids) {
        const key = threadKey(thread, { id, kind: 'person' });
        const owner = JSON.stringify([id, thread === '' ? 'default' : thread]);
        expect(keys.get(key) ?? owner).toBe(owner);
        keys.set(key, owner);
      }
    }
  });

  it('keeps an anonymous caller out of a thread whose key they write as a thread id', async () => {
    const { s, stopped } = await annWaits();
    const threadId = '"ann"/t1';
    const forged = await s.run({ threadId, resume: yes(stopped) }, ANONYMOUS);
    expect(endOf(forged)).toBe('UNKNOWN_INTERRUPT_ID');
    expect(endOf(await s.run({ threadId }, ANONYMOUS))).toBe('success');
    expect(s.started()).toEqual([]);
  });

  it('is the key of the application’s own map for anonymous callers only', async () => {
    const agents = new Map();
    const s = await served([DONE, DONE], { kind: 'plain', bridge: { agentsByThread: agents } });
    await s.run();
    await s.run({}, asAnn);
    expect([...agents.keys()]).toEqual(['t1', '"ann"/t1']);
  });
});

describe('[B10] A session that belongs to another thread', () => {
  const shared = (disk: Disk) => ({ sessionManagerProvider: () => disk.session('all') });

  it('is refused, when a provider mixes up principals: nothing of it is shown, nothing is written', async () => {
    const disk = new Disk();
    const s = await served([[{ text: 'for Ann' }], DONE], { config: shared(disk) });
    await s.run({ messages: [user('the code is Rosebud')] }, asAnn);
    const before = disk.text('all');
    const events = await s.run({}, asBob);
    expect(endOf(events)).toBe('SESSION_MANAGER_ERROR');
    expect(errorOf(events)).toBe('Failed to initialize session manager: the session belongs to another thread');
    expect(JSON.stringify(events)).not.toMatch(/Rosebud|for Ann/);
    expect(disk.text('all')).toBe(before);
    expect(s.model.calls).toHaveLength(1);
  });

  it.each(['guarded', 'plain'] as const)('is refused when a %s agent shares one among threads', async (kind) => {
    const disk = new Disk();
    const s = await served([DONE, DONE], { kind, config: shared(disk) });
    await s.run({ threadId: 'a' });
    expect(endOf(await s.run({ threadId: 'b' }))).toBe('SESSION_MANAGER_ERROR');
    expect(endOf(await s.run({ threadId: 'a' }))).toBe('success');
  });

  it('[C2.5] is not made from the one that a guarded agent was built with, which is one for all', async () => {
    const disk = new Disk();
    const s = await served([[{ text: 'for Ann' }], DONE], { build: { sessionManager: disk.session('all') } });
    await s.run({ messages: [user('the code is Rosebud')] }, asAnn);
    expect(endOf(await s.run({}, asBob))).toBe('success');
    expect(JSON.stringify(s.model.calls[1])).not.toContain('Rosebud');
    expect(disk.text('all')).not.toContain('Rosebud');
    expect(s.log.of('warn').join()).toContain('session');
  });

  it('is refused when a factory gives two threads one agent', async () => {
    const base = await served([DONE, DONE]);
    const one = base.tau;
    const s = await served([], { agent: () => one as never });
    expect(endOf(await s.run({}, asAnn))).toBe('success');
    const events = await s.run({}, asBob);
    expect([endOf(events), errorOf(events)]).toEqual([
      'THREAD_AGENT_CONFIG_ERROR',
      'Failed to build per-thread agent config: the agent belongs to another thread',
    ]);
    expect(endOf(await s.run({}, asAnn))).toBe('success');
  });
});

describe('[B5] The principal', () => {
  it('reaches the gate as the requester, and every provider as the context', async () => {
    const seen: unknown[] = [];
    const note = (_input: unknown, context: { readonly principal: unknown; readonly headers: unknown }): undefined => {
      seen.push([context.principal, context.headers]);
    };
    const config = { sessionManagerProvider: note, threadAgentConfig: note, templateToolsProvider: note };
    const s = await served([[unlock('front')]], { config });
    await s.run({}, { principal: ANN, headers: { 'x-app': '1' } });
    expect(seen).toEqual([1, 2, 3].map(() => [ANN, { 'x-app': '1' }]));
    const [record] = (await s.store.list()).records;
    expect(record?.request.origin).toMatchObject({ principal: ANN, channel: 'ag-ui', conversation: '"ann"/t1' });
  });

  it('is not what the client writes into the request', async () => {
    const store = new MemoryApprovalStore();
    const s = await served([[unlock('front')], DONE], { store });
    const stopped = await s.run({ forwardedProps: { principal: ANN, user: 'ann' } }, asBob);
    expect((await store.list()).records[0]?.request.origin.principal).toEqual(BOB);
    const events: readonly BaseEvent[] = await s.run(
      { resume: yes(stopped), forwardedProps: { principal: BOB } },
      asAnn,
    );
    expect(endOf(events)).toBe('UNKNOWN_INTERRUPT_ID');
  });
});

it('[B5] a resumed run has the roles that its principal has now, not those of when it parked', async () => {
  const policy: Policy = {
    version: 'roles-1',
    sees: ({ roles = [] }, { name }) => name !== 'add_note' || roles.includes('admin'),
    mayDecide: ({ id }) => id === 'ann',
  };
  for (const [roles, then] of [
    [['admin'], ['add_note {"text":"x"}']],
    [[], []],
  ] as const) {
    const s = await served([[unlock('front')], [call('add_note', { text: 'x' })], DONE], { build: { policy } });
    const stopped = await s.run({}, { principal: { id: 'ann', kind: 'person', roles: ['admin'] } });
    await s.run({ resume: yes(stopped) }, { principal: { id: 'ann', kind: 'person', roles } });
    expect(s.started()).toEqual(['unlock_door {"door":"front"}', ...then]);
  }
});
