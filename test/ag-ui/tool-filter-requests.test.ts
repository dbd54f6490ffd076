import type { RunAgentInput } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import type { TemplateToolsProvider } from '../../src/ag-ui/index.ts';
import { call, plainTool } from './tool-filter-fixture.ts';
import { failureOf, filterWorld, KINDS, types } from './tool-filter-world.ts';

const DONE = [{ text: 'done' }];
const BOTH = ['delete', 'read'];

/** A provider that gives one answer after the other. */
function answering(...answers: readonly unknown[]): {
  readonly provider: TemplateToolsProvider;
  readonly calls: RunAgentInput[];
} {
  const calls: RunAgentInput[] = [];
  const provider: TemplateToolsProvider = (input) => {
    calls.push(input);
    return answers[Math.min(calls.length, answers.length) - 1] as ReturnType<TemplateToolsProvider>;
  };
  return { provider, calls };
}

describe.each(KINDS)('A filter over a %s template', (kind) => {
  it('[T1, T2] varies between two runs of one thread, on the same agent', async () => {
    const provider: TemplateToolsProvider = ({ runId }) => (runId === 'r1' ? ['read'] : BOTH);
    const w = await filterWorld({ kind, turns: [DONE, DONE], config: { templateToolsProvider: provider } });
    await w.run();
    const agent = w.agents.get('t1');
    expect(agent).toBeDefined();
    expect(w.registered()).toEqual(['read']);
    await w.run();
    expect(w.registered()).toEqual(BOTH);
    expect(w.offered()).toEqual([['read'], BOTH]);
    expect(w.agents.get('t1')).toBe(agent);
  });

  it.each([
    ['[T4] null', null],
    ['[T5] undefined', undefined],
  ])('[T3, T4, T5] withholds all with an empty list and none with %s', async (_what, none) => {
    const w = await filterWorld({ kind, config: { templateToolsProvider: answering([], none).provider } });
    await w.run();
    await w.run();
    expect(w.offered()).toEqual([[], BOTH]);
  });

  it('[T6, T7, T11, T12, T13, T17] takes names and objects, from sync and async providers', async () => {
    const foreign = { name: 'read', steal: true };
    const answers = [['read'], [plainTool('read')], [foreign, 'delete', 'delete'], Promise.resolve(new Set(['read']))];
    const w = await filterWorld({ kind, config: { templateToolsProvider: answering(...answers).provider } });
    for (const _answer of answers) await w.run();
    expect(w.offered()).toEqual([['read'], ['read'], BOTH, ['read']]);
    expect(w.agents.get('t1')?.toolRegistry.get('read')).not.toHaveProperty('steal');
  });

  it('[T8, T9] is asked once for each request, with exactly that request', async () => {
    const { provider, calls } = answering(['read']);
    const turns = [[call('read')], [call('read')], DONE];
    const w = await filterWorld({ kind, turns, config: { templateToolsProvider: provider } });
    const input = {
      forwardedProps: { role: 'admin' },
      context: [{ description: 'page', value: 'home' }],
      threadId: 'mine',
    };
    await w.run(input);
    expect(w.model.calls).toHaveLength(3);
    expect(calls).toEqual([expect.objectContaining({ ...input, runId: 'r1' })]);
  });

  it('[T8] is told who asks', async () => {
    const seen: unknown[] = [];
    const provider: TemplateToolsProvider = (_input, context) => {
      seen.push(context.principal.id, context.headers, context.signal instanceof AbortSignal);
      return context.principal.roles?.includes('admin') ? null : ['read'];
    };
    const w = await filterWorld({ kind, config: { templateToolsProvider: provider } });
    const admin = { id: 'ann', kind: 'person', roles: ['admin'] } as const;
    await w.run({}, { principal: admin, headers: { 'x-tenant': 'a' } });
    await w.run({ forwardedProps: { role: 'admin' } }, { principal: { id: 'bob', kind: 'person' } });
    expect(seen).toEqual(['ann', { 'x-tenant': 'a' }, true, 'bob', {}, true]);
    expect(w.offered()).toEqual([BOTH, ['read']]);
  });

  it('[T10] keeps two threads apart while both run', async () => {
    const provider: TemplateToolsProvider = ({ threadId }) => (threadId === 'a' ? ['read'] : ['delete']);
    const w = await filterWorld({ kind, config: { templateToolsProvider: provider } });
    await Promise.all([w.run({ threadId: 'a' }), w.run({ threadId: 'b' })]);
    expect([...w.offered()].sort()).toEqual([['delete'], ['read']]);
    expect([w.registered('a'), w.registered('b')]).toEqual([['read'], ['delete']]);
  });

  it('[T14, T15, T16] drops what the template does not contribute, and does not take it for no filter', async () => {
    const { provider } = answering(['write', 'read', null, 7, ''], ['write']);
    const w = await filterWorld({ kind, config: { templateToolsProvider: provider } });
    expect(types(await w.run()).at(-1)).toBe('RUN_FINISHED');
    await w.run();
    expect(w.offered()).toEqual([['read'], []]);
    const dropped = w.log.of('warn').filter((line) => line.includes('does not contribute'));
    expect(dropped).toHaveLength(5);
    expect(dropped.filter((line) => line.includes('"write"'))).toHaveLength(2);
  });

  it('[T23] takes any sync iterable of names', async () => {
    const generator = function* (): Generator<string> {
      yield 'read';
    };
    const iterable = { [Symbol.iterator]: () => ['read'].values() };
    const answers = [['read'], new Set(['read']), generator(), Object.freeze(['read']), iterable];
    const w = await filterWorld({ kind, config: { templateToolsProvider: answering(...answers).provider } });
    for (const _answer of answers) expect(failureOf(await w.run())).toBeUndefined();
    expect(w.offered()).toEqual(answers.map(() => ['read']));
  });
});
