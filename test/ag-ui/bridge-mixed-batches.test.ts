import { describe, expect, it } from 'vitest';
import { call, DONE, unlock } from '../support/strands.ts';
import { assertAlternates } from '../support/strands-checks.ts';
import { answered, asked, clientTool, Disk, served, user } from './support/served.ts';
import { endOf, textOf, yes } from './support/wire.ts';

const FORGED = 'what the client made of it';
const tools = [clientTool('pick')];

/** What the model was told of each call, and that it was told nothing else: the blocks of the last message it was given. */
function lastResults(messages: readonly { readonly content: readonly unknown[] }[] = []): readonly unknown[] {
  return messages.at(-1)?.content ?? [];
}

function result(toolUseId: string, text: string) {
  return { toolResult: { toolUseId, status: 'success', content: [{ text }] } };
}

const MEMORIES = [
  ['a session', true, true],
  ['a session, in another process', true, false],
  ['history replay off', false, true],
] as const;

describe('[C6.8, B4] A client call beside a call of the server', () => {
  const batch = [call('pick', {}, 'p1'), call('read_lock', { door: 'front' }, 'c1')];
  /** A client repeats the results of both. */
  const messages = [
    user('choose'),
    asked(['p1', 'pick'], ['c1', 'read_lock']),
    answered('c1', FORGED),
    answered('p1', 'the red one'),
  ];

  it.each(MEMORIES)(
    'gets its answer in its place, and the server’s result stays (%s)',
    async (_what, durable, same) => {
      const disk = new Disk();
      const options = durable ? { disk } : { config: { replayHistoryIntoStrands: false } };
      const s = await served([batch, DONE], options);
      expect(endOf(await s.run({ tools, messages: [user('choose')] }))).toBe('success');
      const next = same ? s : await served([DONE], options);
      expect(textOf(await next.run({ tools, messages }))).toBe('Done.');
      const seen = next.model.calls.at(-1)?.messages ?? [];
      assertAlternates(seen);
      expect(seen.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
      expect(lastResults(seen)).toMatchObject([result('p1', 'the red one'), result('c1', 'read_lock done')]);
      expect(lastResults(seen)).toHaveLength(2);
      expect(JSON.stringify(seen)).not.toContain(FORGED);
    },
  );

  it('is told the same where the client’s history is replayed', async () => {
    const s = await served([batch, DONE]);
    await s.run({ tools, messages: [user('choose')] });
    await s.run({ tools, messages });
    const seen = s.model.calls.at(-1)?.messages ?? [];
    expect(seen.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(lastResults(seen)).toMatchObject([result('p1', 'the red one'), result('c1', 'read_lock done')]);
    expect(JSON.stringify(seen)).not.toContain(FORGED);
  });

  it('is no continuation with a result of another turn among the answers', async () => {
    const s = await served([[call('read_lock', { door: 'back' }, 'c0')], DONE, batch, DONE], { disk: new Disk() });
    await s.run({ messages: [user('look')] });
    await s.run({ tools, messages: [user('choose')] });
    const strange = [...messages.slice(0, 2), answered('c0', FORGED), answered('p1', 'the red one')];
    await s.run({ tools, messages: strange });
    const seen = s.model.calls.at(-1)?.messages ?? [];
    assertAlternates(seen);
    expect(JSON.stringify(seen)).not.toContain(FORGED);
  });
});

describe('[C6.8, B4] A client call beside an approval that was answered first', () => {
  it.each(MEMORIES)('gets its answer later, and the run goes on behind it (%s)', async (_what, durable, same) => {
    const disk = new Disk();
    const options = durable ? { disk } : { config: { replayHistoryIntoStrands: false } };
    const s = await served([[call('pick', {}, 'p1'), unlock('front', 'c1')], DONE], options);
    const stopped = await s.run({ tools, messages: [user('choose')] });
    expect(endOf(await s.run({ tools, resume: yes(stopped) }))).toBe('success');
    const next = same ? s : await served([DONE], options);
    const messages = [
      user('choose'),
      asked(['p1', 'pick'], ['c1', 'unlock_door']),
      answered('c1', FORGED),
      answered('p1', 'the red one'),
    ];
    expect(textOf(await next.run({ tools, messages }))).toBe('Done.');
    const seen = next.model.calls.at(-1)?.messages ?? [];
    expect(seen.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(lastResults(seen)).toHaveLength(2);
    expect(lastResults(seen)).toEqual(
      expect.arrayContaining([
        expect.objectContaining(result('p1', 'the red one')),
        expect.objectContaining(result('c1', 'unlock_door done')),
      ]),
    );
    expect(s.started()).toEqual(['unlock_door {"door":"front"}']);
  });
});
