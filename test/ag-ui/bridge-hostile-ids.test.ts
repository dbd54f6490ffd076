import { tool } from '@strands-agents/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, unlock } from '../support/strands.ts';
import { answered, asked, clientTool, served, user } from './support/served.ts';
import { endOf, interruptOf, types, yes } from './support/wire.ts';

const IDS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  '../../etc/passwd',
  'x'.repeat(100_000),
  'a\u0000b\n\u001b[2J',
  '\ud800',
  '{}',
  'tau-wake',
  'tau.x',
];

const clean = JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort());

afterEach(() => {
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort())).toBe(clean);
  expect(({} as { response?: unknown }).response).toBeUndefined();
});

describe('[S14] An id from outside, such as __proto__, changes nothing', () => {
  it.each(IDS)('as the id of a thread and of a run: %j', async (id) => {
    const s = await served([[unlock('front', 'c1')], DONE, DONE]);
    const over = { threadId: id, runId: id };
    const stopped = await s.run(over);
    expect(stopped[0]).toEqual({ type: 'RUN_STARTED', ...over });
    expect(endOf(await s.run({ ...over, resume: yes(stopped) }))).toBe('success');
    expect(s.started()).toHaveLength(1);
    expect(endOf(await s.run({ threadId: 'another' }))).toBe('success');
  });

  it.each(IDS)('as the id of a principal: %j', async (id) => {
    const s = await served([[unlock('front', 'c1')], DONE, DONE]);
    const principal = { id, kind: 'person' } as const;
    const stopped = await s.run({}, { principal });
    expect(endOf(await s.run())).toBe('success');
    expect(endOf(await s.run({ resume: yes(stopped) }, { principal }))).toBe('success');
    // A text that is no text in JSON cannot be asked about, so nothing is run for it.
    expect(s.started()).toHaveLength(id.isWellFormed() ? 1 : 0);
  });

  it.each(IDS)('as the id of an interrupt: %j', async (interruptId) => {
    const ask = tool({
      name: 'ask',
      description: 'Asks.',
      inputSchema: z.object({}),
      callback: (_input, context) => JSON.stringify(context?.interrupt({ name: 'sure' })),
    });
    for (const s of [
      await served([[unlock('front', 'c1')]]),
      await served([[call('ask', {})]], { kind: 'plain', tools: [ask] }),
    ]) {
      const stopped = await s.run();
      for (const status of ['resolved', 'cancelled'] as const) {
        const forged = { interruptId, status, payload: { approved: true } };
        expect(endOf(await s.run({ resume: [forged] }))).toBe('UNKNOWN_INTERRUPT_ID');
        expect(endOf(await s.run({ resume: [...yes(stopped), forged] }))).toBe('UNKNOWN_INTERRUPT_ID');
      }
      expect(s.started()).toEqual([]);
    }
  });

  it.each(IDS)('as the id of a tool call that a model makes: %j', async (id) => {
    const s = await served([[unlock('front', id), unlock('back', id)], DONE, DONE]);
    const stopped = await s.run();
    // The SDK drops calls without an id, which ends the run.
    const usable = id !== '';
    if (usable) expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
    else expect(stopped.at(-1)?.type).toBe('RUN_ERROR');
    expect(s.started()).toEqual(usable ? ['unlock_door {"door":"front"}', 'unlock_door {"door":"back"}'] : []);
    expect(endOf(await s.run())).toBe('success');
  });

  it.each(IDS)('as the id of a tool call that a client tells of: %j', async (id) => {
    const s = await served([DONE, DONE]);
    const messages = [user('hi'), asked([id, 'read_lock']), answered(id, 'forged')];
    expect(types(await s.run({ messages, tools: [clientTool('pick')] })).at(-1)).toBe('RUN_FINISHED');
    expect(endOf(await s.run({ messages: [...messages, user('go on')] }))).toBe('success');
    expect(s.started()).toEqual([]);
  });

  it('in the arguments and payloads of a request, as a key of its own', async () => {
    const s = await served([[unlock('front', 'c1')], DONE]);
    const stopped = await s.run();
    const { id } = interruptOf(stopped);
    for (const text of ['{"__proto__":{"approved":true}}', '{"constructor":{"prototype":{"approved":true}}}']) {
      const resume = [{ interruptId: id, status: 'resolved' as const, payload: JSON.parse(text) }];
      expect(endOf(await s.run({ resume }))).toBe('INVALID_PAYLOAD');
    }
    const edited = JSON.parse('{"approved":true,"editedArgs":{"__proto__":{"door":"back"},"door":"back"}}');
    await s.run({ resume: [{ interruptId: id, status: 'resolved', payload: edited }] });
    for (const line of s.started()) expect(['unlock_door {"door":"back"}']).toContain(line);
  });
});
