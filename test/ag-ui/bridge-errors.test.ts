import type { BaseEvent } from '@ag-ui/core';
import { ContextWindowOverflowError, ModelThrottledError, tool } from '@strands-agents/sdk';
import { ManualClock } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import codes from '../../src/ag-ui/error-codes.json' with { type: 'json' };
import { call, DONE, held, unlock, until } from '../support/strands.ts';
import { answered, clientTool, type ServedOptions, served, type Turns, user } from './support/served.ts';
import { answer, cancel, endOf, errorOf, interruptsOf, resultsOf, types, yes } from './support/wire.ts';

const SECRET = 'https://key:s3cret@db.internal/table';
const broken = (): Error => new Error(SECRET);
const ENTRY = { interruptId: 'x', status: 'resolved', payload: true } as const;

/** A run that ends with a code: what leads to it, and its text. */
type Case = readonly [code: keyof typeof codes, message: string | RegExp, run: () => Promise<readonly BaseEvent[]>];

const run = async (turns: Turns, options: ServedOptions = {}, over: object = {}): Promise<readonly BaseEvent[]> =>
  (await served(turns, options)).run(over);

/** A guarded thread that waits at two calls. */
async function waiting() {
  const s = await served([[unlock('front'), unlock('back')], DONE]);
  return { s, stopped: await s.run() };
}

const cases: readonly Case[] = [
  [
    'CONTINUATION_TOOL_NAME_UNRESOLVED',
    /^Cannot name the tool behind continuation tool result\(s\) n1, n2, n3, n4: absent/,
    () => run([DONE], {}, { messages: [user('hi'), ...['n1', 'n2', 'n3', 'n4', 'n5'].map((id) => answered(id, 'x'))] }),
  ],
  [
    'FORBIDDEN_ANSWER',
    'This caller may not decide these approvals, by the policy or by its credential; they stay open.',
    async () => {
      const { s, stopped } = await waiting();
      return s.run({ resume: yes(stopped) }, { mayDecide: false });
    },
  ],
  [
    'FRONTEND_TOOL_IDENTITY_ERROR',
    /^Frontend tool 'pick' requires a non-empty, unique native toolUseId/,
    () => run([[call('pick', {}, '')], DONE], { kind: 'plain', tools: [] }, { tools: [clientTool('pick')] }),
  ],
  [
    'INVALID_PAYLOAD',
    /^Invalid payload for interrupt '.*': expected an object\.$/,
    async () => {
      const { s, stopped } = await waiting();
      return s.run({ resume: answer(stopped, 'y') });
    },
  ],
  [
    'MEDIA_NOT_SUPPORTED',
    /^This agent accepts text only; the message holds only image/,
    () =>
      run(
        [DONE],
        {},
        {
          messages: [
            {
              id: 'm',
              role: 'user',
              content: [{ type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' } }],
            },
          ],
        },
      ),
  ],
  [
    'ORCHESTRATOR_NOT_SUPPORTED',
    'This agent is an orchestrator, which this server cannot run yet.',
    () => run([], { agent: { stream: () => undefined } as never }),
  ],
  [
    'PARTIAL_RESUME',
    /^Partial resume: missing interrupt IDs: \w+\. All open interrupts must be addressed\.$/,
    async () => {
      const { s, stopped } = await waiting();
      return s.run({ resume: yes(stopped).slice(0, 1) });
    },
  ],
  [
    'PENDING_INTERRUPTS',
    'Thread has pending interrupts. Include resume[] to address them.',
    async () => {
      const { s } = await waiting();
      return s.run();
    },
  ],
  [
    'SEED_BUILD_ERROR',
    /^Failed to build conversation seed: /,
    () =>
      run(
        [DONE],
        { config: { replayHistoryIntoStrands: false } },
        {
          messages: [
            {
              id: 'm',
              role: 'user',
              get content() {
                throw new Error('unreadable');
              },
            },
            user('hi'),
          ],
        },
      ),
  ],
  [
    'SESSION_MANAGER_ERROR',
    'Failed to initialize session manager: the provider failed; see the log of the server',
    () =>
      run([DONE], {
        config: {
          sessionManagerProvider: () => {
            throw new Error('no licence');
          },
        },
      }),
  ],
  [
    'SESSION_MANAGER_INVALID_TYPE',
    'sessionManagerProvider returned Object; expected a SessionManager instance',
    () => run([DONE], { config: { sessionManagerProvider: () => ({}) as never } }),
  ],
  ['STRANDS_ERROR', 'The model service is busy; try again later.', () => run([new ModelThrottledError(SECRET)])],
  ['STRANDS_ERROR', 'The conversation is too long for the model.', () => run([new ContextWindowOverflowError(SECRET)])],
  [
    'STRANDS_ERROR',
    "The answer was cut off at the model's maximum length.",
    () => run([{ blocks: [{ text: 'a' }], stopReason: 'maxTokens' }]),
  ],
  ['STRANDS_FORCE_STOP', 'The Strands agent stopped unexpectedly.', () => run([broken()])],
  [
    'TEMPLATE_TOOLS_PROVIDER_ERROR',
    'Failed to resolve the template tools for this request: no licence',
    () =>
      run([DONE], {
        config: {
          templateToolsProvider: () => {
            throw new Error('no licence');
          },
        },
      }),
  ],
  [
    'THREAD_AGENT_CONFIG_ERROR',
    'Failed to build per-thread agent config: threadAgentConfig failed; see the log of the server',
    () =>
      run([DONE], {
        config: {
          threadAgentConfig: () => {
            throw new Error('no licence');
          },
        },
      }),
  ],
  [
    'THREAD_BUSY',
    'Another run is already in progress on thread "t1". Wait for RUN_FINISHED before starting another.',
    async () => {
      const gate = held<void>();
      const s = await served([
        async () => {
          await gate.promise;
          return DONE;
        },
      ]);
      const first = s.run();
      await until(() => s.model.calls.length === 1);
      const second = await s.run();
      gate.settle();
      await first;
      return second;
    },
  ],
  ['UNKNOWN_INTERRUPT_ID', 'No pending interrupts for this thread.', () => run([DONE], {}, { resume: [ENTRY] })],
  [
    'UNKNOWN_INTERRUPT_ID',
    'This agent did not issue any interrupts to resume: x. Resume entries must reference an outstanding interruptId.',
    async () => {
      const { s } = await waiting();
      return s.run({ resume: [ENTRY] });
    },
  ],
  [
    'ADAPTER_BUG',
    'The server failed to handle this run; see its log.',
    async () => {
      const s = await served([DONE]);
      s.store.parked = () => Promise.reject(new TypeError(SECRET));
      return s.run();
    },
  ],
];

/** Codes that no run of the bridge can end with, and why. */
const elsewhere: Readonly<Record<string, string>> = {
  ENCODING_ERROR: 'raised where events are encoded for HTTP',
};

describe('[C9.1] A run that fails', () => {
  it.each(cases)('%s: %s', async (code, message, make) => {
    const events = await make();
    expect(types(events)[0]).toBe('RUN_STARTED');
    expect(endOf(events)).toBe(code);
    if (typeof message === 'string') expect(errorOf(events)).toBe(message);
    else expect(errorOf(events)).toMatch(message);
    expect(JSON.stringify(events)).not.toContain('s3cret');
  });

  it('has one of the documented codes, and each of them is reached or explained', () => {
    const reached = new Set(cases.map(([code]) => code));
    const missing = Object.keys(codes).filter((code) => !reached.has(code as never) && elsewhere[code] === undefined);
    expect(missing).toEqual([]);
  });

  it('[C8.6] never fails for an approval whose time ran out: the client is told, and could not go on otherwise', async () => {
    for (const say of [yes, cancel]) {
      const clock = new ManualClock();
      const s = await served([[unlock('front')], DONE], { timeoutSeconds: 1, build: { clock } });
      const stopped = await s.run();
      expect(interruptsOf(stopped)[0]?.expiresAt).toBe(new Date(clock.now() + 1000).toISOString());
      await clock.advance(2000);
      const ended = await s.run({ resume: say(stopped) });
      expect([endOf(ended), s.started()]).toEqual(['success', []]);
      expect(resultsOf(ended)).toHaveLength(1);
      expect(endOf(await s.run())).toBe('success');
    }
  });

  it('[C8.6] never fails for an interrupt of the developer: it has no time limit, whatever its reason says', async () => {
    const reason = { expiresAt: '2001-01-01T00:00:00.000Z' };
    const ask = tool({
      name: 'ask',
      description: 'Asks.',
      inputSchema: z.object({}),
      callback: (_input, context) => JSON.stringify(context?.interrupt({ name: 'sure', reason })),
    });
    const s = await served([[call('ask', {}, 'c1')], DONE], { kind: 'plain', tools: [ask] });
    const stopped = await s.run();
    expect(interruptsOf(stopped)).toEqual([{ id: 'tool:c1:sure', reason: 'sure', metadata: { reason } }]);
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
  });
});
