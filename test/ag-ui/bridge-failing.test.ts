import { tool } from '@strands-agents/sdk';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, until } from '../support/strands.ts';
import { assertAlternates } from '../support/strands-checks.ts';
import { served } from './support/served.ts';
import { endOf } from './support/wire.ts';

/** A value that nobody can read. */
const unreadable = {
  get state(): never {
    throw new Error('unreadable');
  },
};

/** One tool that works until it is told to stop, and one whose progress cannot be shown once the other is at work. */
function tools() {
  const seen = { started: 0, stopped: 0 };
  const inputSchema = z.object({});
  const work = tool({
    name: 'work',
    description: 'Works until it is told to stop.',
    inputSchema,
    callback: async (_input, context) => {
      seen.started += 1;
      await new Promise((resolve) => context?.agent.cancelSignal.addEventListener('abort', resolve));
      seen.stopped += 1;
      return 'stopped';
    },
  });
  const report = tool({
    name: 'report',
    description: 'Reports what cannot be read.',
    inputSchema,
    callback: async function* () {
      await until(() => seen.started > 0);
      yield unreadable;
      return 'reported';
    },
  });
  return { seen, tools: [work, report] };
}

/** What work comes to, or that it is not done after a time in milliseconds. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | 'hangs'> {
  const late = new Promise<'hangs'>((resolve) => setTimeout(() => resolve('hangs'), milliseconds));
  return Promise.race([work, late]);
}

it('[B7, C4.15] A run that cannot be shown any further stops what is still at work, ends, and frees its thread', async () => {
  const { seen, tools: both } = tools();
  const s = await served([[call('work', {}), call('report', {})], DONE], { kind: 'plain', tools: both });
  expect(await within(2000, s.run().then(endOf))).toBe('STRANDS_FORCE_STOP');
  expect(seen).toEqual({ started: 1, stopped: 1 });
  expect(endOf(await s.run())).toBe('success');
  for (const { messages } of s.model.calls) assertAlternates(messages);
});
