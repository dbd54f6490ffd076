import type { Message, ModelStreamEvent, StreamOptions } from '@strands-agents/sdk';
import type { Approver } from 'strands-tau';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, held, house, unlock, until } from '../support/strands.ts';
import { assertAlternates } from '../support/strands-checks.ts';
import { Disk, type Served, type ServedOptions, served, user } from './support/served.ts';
import { endOf, time, upTo, yes } from './support/wire.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** A model that does not listen to its cancel signal while it hangs. */
class DeafModel extends ScriptedModel {
  hung = 0;

  override async *stream(messages: Message[], options?: StreamOptions): AsyncGenerator<ModelStreamEvent> {
    if (this.hung++ === 0) await never();
    yield* super.stream(messages, options);
  }
}

describe('[B7] A client that leaves', () => {
  it('aborts a model call, and its thread is free at once', async () => {
    const s = await served([() => never(), DONE]);
    const left = new AbortController();
    const run = s.run({}, { signal: left.signal });
    await until(() => s.model.calls.length === 1);
    left.abort();
    const start = performance.now();
    expect(endOf(await run)).toBe('cut off');
    expect(endOf(await s.run())).toBe('success');
    expect(performance.now() - start).toBeLessThan(500);
  });

  it('leaves its thread free within half a second, also when the model does not listen', async () => {
    for (const how of ['signal', 'return'] as const) {
      const model = new DeafModel([DONE]);
      const s = await served([], { build: { model } });
      const left = new AbortController();
      const run = s.bridge.run(s.input(), { signal: left.signal });
      await upTo(run, 'MESSAGES_SNAPSHOT');
      const pending = run.next();
      await until(() => model.hung === 1);
      const start = performance.now();
      if (how === 'signal') left.abort();
      else await run.return();
      await pending;
      expect(endOf(await s.run())).toBe('success');
      expect(performance.now() - start).toBeLessThan(1000);
    }
  });

  it.each([
    'RUN_STARTED',
    'STATE_SNAPSHOT',
    'MESSAGES_SNAPSHOT',
    'TOOL_CALL_START',
    'TOOL_CALL_END',
    'TOOL_CALL_RESULT',
    'TEXT_MESSAGE_CONTENT',
    'RUN_FINISHED',
  ])('at %s leaves a thread that goes on, with a history that a model takes', async (type) => {
    const turns = [[call('read_lock', { door: 'front' }, 'c1')], DONE, DONE, DONE];
    for (const options of [{}, { disk: new Disk() }] satisfies ServedOptions[]) {
      const s = await served(turns, options);
      const run = s.bridge.run(s.input());
      await upTo(run, type);
      await run.return();
      expect(endOf(await s.run())).toBe('success');
      for (const { messages } of s.model.calls) assertAlternates(messages);
    }
  });

  it.each(['TOOL_CALL_END', 'RUN_FINISHED'])(
    'at %s of a run that asks: the question is closed, or stays to be answered',
    async (type) => {
      const s = await served([[unlock('front', 'c1')], DONE, DONE]);
      const run = s.bridge.run(s.input());
      const events = await upTo(run, type);
      await run.return();
      const open = (await s.store.list({ status: 'pending' })).records;
      if (type === 'RUN_FINISHED') {
        expect(open).toHaveLength(1);
        expect(endOf(await s.run({ resume: yes(events) }))).toBe('success');
        expect(s.started()).toHaveLength(1);
      } else {
        expect(open).toEqual([]);
        expect(endOf(await s.run())).toBe('success');
        expect(s.started()).toEqual([]);
      }
    },
  );

  it.each(['RUN_STARTED', 'STATE_SNAPSHOT', 'TOOL_CALL_RESULT'])(
    'at %s of a resume never makes a body run twice',
    async (type) => {
      const s = await served([[unlock('front', 'c1')], DONE, DONE, DONE], { disk: new Disk() });
      const stopped = await s.run();
      const run = s.bridge.run(s.input({ resume: yes(stopped) }));
      await upTo(run, type);
      await run.return();
      // Once its calls have gone on, a turn that was left waits for nothing any more.
      if (type === 'TOOL_CALL_RESULT') expect(await s.store.parked('t1')).toBeUndefined();
      const again = await s.run({ resume: yes(stopped) });
      expect(['success', 'UNKNOWN_INTERRUPT_ID']).toContain(endOf(again));
      if (type !== 'STATE_SNAPSHOT') expect(s.started()).toHaveLength(1);
      expect(s.started().length).toBeLessThanOrEqual(1);
      expect(endOf(await s.run())).toBe('success');
      for (const { messages } of s.model.calls) assertAlternates(messages);
    },
  );

  describe('while an approved body runs', () => {
    async function leftAtWork(options: ServedOptions = {}) {
      const home = house();
      const body = held<string>();
      const slow = home.tool('slow', 2, z.object({}), () => body.promise);
      const turns = [[call('slow', {}, 'c1'), unlock('back', 'c2')], [unlock('front', 'c3')], DONE, DONE];
      const s = await served(turns, { house: home, tools: [slow, ...home.tools], ...options });
      const stopped = await s.run();
      const run = s.bridge.run(s.input({ resume: yes(stopped) }));
      const reading = upTo(run, 'RUN_FINISHED').catch(() => undefined);
      await until(() => s.started().length === 1);
      expect(await time(run.return())).toBeLessThan(1000);
      await reading;
      return { s, body };
    }
    const said = ({ model }: Served): string => JSON.stringify(model.calls.at(-1)?.messages);

    it('keeps its thread for it: what it did is in the conversation, and nothing else of the run starts', async () => {
      for (const options of [{ config: { replayHistoryIntoStrands: false } }, { disk: new Disk() }]) {
        const { s, body } = await leftAtWork(options);
        expect(endOf(await s.run())).toBe('THREAD_BUSY');
        body.settle('it is open');
        await s.bridge.idle({ threadId: 't1' });
        const next = await s.run();
        expect(endOf(next)).toBe('interrupt');
        expect(said(s)).toContain('it is open');
        expect(s.started()).toEqual(['slow {}']);
        for (const { messages } of s.model.calls) assertAlternates(messages);
      }
    });

    it('gives the thread up when that takes too long; nothing runs twice, a new question stays', async () => {
      for (const finishToolsSeconds of [0, 0.05]) {
        const { s, body } = await leftAtWork({ config: { finishToolsSeconds } });
        if (finishToolsSeconds > 0) await new Promise((resolve) => setTimeout(resolve, 2500));
        const next = await s.run();
        expect(endOf(next)).toBe('interrupt');
        body.settle('it is open');
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(endOf(await s.run({ resume: yes(next) }))).toBe('success');
        expect(s.started()).toEqual(['slow {}', 'unlock_door {"door":"front"}']);
      }
    });
  });

  it('while its run is slow to begin leaves alone what the thread waits for by the time it does', async () => {
    const turns = [[unlock('front', 'c1')], [unlock('back', 'c2')], DONE];
    const s = await served(turns, { disk: new Disk() });
    const stopped = await s.run();
    const run = s.bridge.run(s.input({ resume: yes(stopped) }));
    await upTo(run, 'STATE_SNAPSHOT');
    const { store } = s;
    const [parked, slow] = [store.parked.bind(store), held<void>()];
    let begins = false;
    store.parked = async (conversation) => {
      const found = await parked(conversation);
      begins = true;
      await slow.promise;
      return found;
    };
    const reading = upTo(run, 'RUN_FINISHED').catch(() => undefined);
    await until(() => begins);
    store.parked = parked;
    await run.return();
    await reading;
    const next = await s.run({ resume: yes(stopped) });
    expect([endOf(next), s.started()]).toEqual(['interrupt', ['unlock_door {"door":"front"}']]);
    slow.settle();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(endOf(await s.run({ resume: yes(next) }))).toBe('success');
    expect(s.started()).toEqual(['unlock_door {"door":"front"}', 'unlock_door {"door":"back"}']);
  });

  it('and is put in order late leaves alone what the thread waits for by then', async () => {
    const slow = held<void>();
    const model = new DeafModel([[unlock('front', 'c1')], () => never(), [unlock('back', 'c2')], DONE]);
    model.hung = 1;
    const s = await served([], { build: { model } });
    const stopped = await s.run();
    const { store } = s;
    const close = store.close.bind(store);
    const closing = held<void>();
    store.close = async (...step) => {
      store.close = close;
      closing.settle();
      await slow.promise;
      return close(...step);
    };
    const left = new AbortController();
    const run = s.run({ resume: yes(stopped) }, { signal: left.signal });
    await until(() => model.calls.length === 2);
    left.abort();
    await run;
    await closing.promise;
    const again = () => s.run({ resume: yes(stopped) });
    let next = await again();
    for (let i = 0; i < 50 && endOf(next) === 'THREAD_BUSY'; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      next = await again();
    }
    expect(endOf(next)).toBe('interrupt');
    slow.settle();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(endOf(await s.run({ resume: yes(next) }))).toBe('success');
    expect(s.started()).toEqual(['unlock_door {"door":"front"}', 'unlock_door {"door":"back"}']);
  });

  it('and whose body ends when others have the thread does not save over what they said', async () => {
    const home = house();
    const body = held<string>();
    const slow = home.tool('slow', 1, z.object({}), () => body.promise);
    const disk = new Disk();
    const config = { finishToolsSeconds: 0 };
    const turns = [[call('slow', {}, 'c1')], [{ text: 'Second answer.' }], DONE];
    const s = await served(turns, { house: home, tools: [slow], disk, config });
    const left = new AbortController();
    const run = s.run({}, { signal: left.signal });
    await until(() => s.started().length === 1);
    left.abort();
    await run;
    expect(endOf(await s.run({ messages: [user('And now?')] }))).toBe('success');
    const before = disk.text();
    expect(before).toContain('Second answer.');
    body.settle('the first body is done');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(disk.text()).toBe(before);
    expect(endOf(await s.run({ messages: [user('Once more.')] }))).toBe('success');
    expect(disk.text()).toContain('Second answer.');
  });

  it('before the approved body starts makes it not start', async () => {
    const s = await served([[unlock('front', 'c1')], DONE, DONE]);
    const stopped = await s.run();
    const left = new AbortController();
    const run = s.bridge.run(s.input({ resume: yes(stopped) }), { signal: left.signal });
    await upTo(run, 'STATE_SNAPSHOT');
    left.abort();
    for await (const _event of run);
    expect(s.started()).toEqual([]);
    expect(endOf(await s.run())).toBe('success');
    expect((await s.store.list()).records.map(({ status }) => status)).not.toContain('approved');
  });
});

it('[B7, S11] what a client that left had running in the background is cancelled: a later yes starts nothing', async () => {
  const question = Promise.withResolvers<AbortSignal>();
  const answer = Promise.withResolvers<'approved'>();
  const approver: Approver = {
    name: 'slow',
    decide: (_request, { signal }) => {
      question.resolve(signal);
      return answer.promise;
    },
  };
  const backgroundTasks = { always: ['unlock_door'] };
  const s = await served([[unlock('front')], () => never(), DONE], { build: { approver, backgroundTasks } });
  const left = new AbortController();
  const run = s.run({}, { signal: left.signal });
  const signal = await question.promise;
  await until(() => s.model.calls.length === 2);
  expect(signal.aborted).toBe(false);
  left.abort();
  await run;
  expect(signal.aborted).toBe(true);
  answer.resolve('approved');
  await s.run();
  expect(s.started()).toEqual([]);
});
