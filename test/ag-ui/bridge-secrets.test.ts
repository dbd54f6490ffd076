import { describe, expect, it } from 'vitest';
import { DONE, unlock } from '../support/strands.ts';
import { Disk, type ServedOptions, served, type Turns } from './support/served.ts';
import { endOf, interruptsOf, types, yes } from './support/wire.ts';

const SECRET = 'https://key:s3cret@db.internal/table';
const broken = (): Error => new Error(SECRET);
const ENTRY = { interruptId: 'x', status: 'resolved', payload: true } as const;

describe('[B9] What goes wrong inside', () => {
  const inside: readonly (readonly [string, ServedOptions & { readonly turns?: Turns }])[] = [
    ['the model', { turns: [broken()] }],
    ['the model, with something that is no error', { turns: [() => Promise.reject(SECRET)] }],
    [
      'a plugin',
      {
        bridge: {
          plugins: [
            {
              name: 'p',
              initAgent: () => {
                throw broken();
              },
            },
          ],
        },
      },
    ],
    [
      'a session that cannot be restored',
      {
        config: {
          sessionManagerProvider: () => {
            const session = new Disk().session('s');
            session.restoreSnapshot = () => Promise.reject(broken());
            return session;
          },
        },
      },
    ],
    [
      'a session that cannot be saved',
      {
        config: {
          sessionManagerProvider: () => {
            const session = new Disk().session('s');
            session.saveSnapshot = () => Promise.reject(broken());
            return session;
          },
        },
      },
    ],
  ];

  it.each(inside)(
    'in %s is told with a safe text; the log has all of it',
    async (_what, { turns = [DONE], ...options }) => {
      for (const kind of ['guarded', 'plain'] as const) {
        const s = await served(turns, { ...options, kind });
        const events = await s.run();
        expect(types(events).at(-1)).toBe('RUN_ERROR');
        expect(JSON.stringify(events)).not.toContain('s3cret');
        expect(s.log.of('error').join()).toContain('s3cret');
      }
    },
  );

  it.each(['parked', 'list', 'get', 'create', 'park', 'decide', 'consume', 'unpark'] as const)(
    'in %s of the store is told with a safe text, runs nothing twice and leaves a thread that goes on',
    async (method) => {
      const s = await served([[unlock('front')], DONE, DONE, DONE, DONE]);
      const working = s.store[method];
      const fail = (): void => {
        Object.assign(s.store, { [method]: () => Promise.reject(broken()) });
      };
      if (!['decide', 'consume', 'unpark', 'list'].includes(method)) fail();
      const stopped = await s.run();
      fail();
      const resumed = await s.run({ resume: interruptsOf(stopped).length > 0 ? yes(stopped) : [ENTRY] });
      expect(JSON.stringify([stopped, resumed])).not.toContain('s3cret');
      Object.assign(s.store, { [method]: working });
      const last = await s.run();
      const open = endOf(last) === 'PENDING_INTERRUPTS';
      const after = open ? await s.run({ resume: yes(stopped) }) : last;
      expect(['success', 'interrupt']).toContain(endOf(after));
      expect(s.started().length).toBeLessThanOrEqual(1);
    },
  );

  it('is logged with the id of its run, whatever the id holds', async () => {
    const s = await served([broken(), DONE]);
    await s.run({ runId: 'r\n1\u001b[31m' });
    await s.run({ threadId: 'x\ny', resume: [ENTRY] });
    for (const line of s.log.lines) expect([line.includes('\n'), line.includes('\u001b')]).toEqual([false, false]);
    expect(s.log.of('warn').join()).toContain('was refused: UNKNOWN_INTERRUPT_ID');
  });
});
