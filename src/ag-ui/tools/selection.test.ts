import { describe, expect, it } from 'vitest';
import { lineLog, plainTool, requestContext, runInput } from '../../../test/ag-ui/tool-filter-fixture.ts';
import type { TemplateToolsProvider } from '../config.ts';
import { RunError } from '../run-error.ts';
import { askProvider, readSelection, type Selection } from './selection.ts';

const TEMPLATE = ['read', 'delete'];

function ask(provider: unknown, over: { signal?: AbortSignal } = {}): Promise<Selection> {
  return askProvider(provider as TemplateToolsProvider, runInput(), requestContext(over), TEMPLATE, lineLog());
}

async function failure(provider: unknown): Promise<RunError> {
  const error = await ask(provider).catch((cause: unknown) => cause);
  if (error instanceof RunError) return error;
  throw new Error('expected a RunError', { cause: error });
}

const UNREADABLE: readonly (readonly [what: string, answer: unknown, text: RegExp])[] = [
  ['a bare name', 'delete', /one character at a time/],
  ['an empty string', '', /one character at a time/],
  ['a string object', new String('delete'), /one character at a time/],
  ['a Map', new Map([['delete', false]]), /values went unread/],
  ['a Map of another kind', new (class extends Map<string, boolean> {})(), /values went unread/],
  ['a plain object', { delete: false }, /not a container/],
  ['a number', 42, /not a container/],
  ['zero', 0, /not a container/],
  ['true', true, /not a container/],
  ['false', false, /not a container/],
  ['a function', () => ['read'], /not a container/],
  [
    '[T22] a function that can be iterated',
    Object.assign(() => 1, { [Symbol.iterator]: () => ['read'].values() }),
    /not a container/,
  ],
  [
    '[T25] an async generator',
    (async function* () {
      yield 'read';
    })(),
    /not a container/,
  ],
  ['an object whose iterator is no function', { [Symbol.iterator]: 1 }, /not a container/],
];

describe('What a provider may answer', () => {
  it.each(UNREADABLE)('[T18, T19, T20, T21, T22, T25] refuses %s', async (_what, answer, text) => {
    const error = await failure(() => answer);
    expect(error.code).toBe('TEMPLATE_TOOLS_PROVIDER_ERROR');
    expect(error.message).toMatch(/^Failed to resolve the template tools for this request: /);
    expect(error.message).toMatch(text);
  });

  const READABLE: readonly (readonly [what: string, make: () => unknown])[] = [
    ['an array', () => ['read']],
    ['a frozen array', () => Object.freeze(['read'])],
    ['a Set', () => new Set(['read'])],
    [
      'a generator',
      function* () {
        yield 'read';
      },
    ],
    ['any other sync iterable', () => ({ [Symbol.iterator]: () => ['read'].values() })],
    ['one that is async too', () => ({ [Symbol.iterator]: () => ['read'].values(), [Symbol.asyncIterator]: null })],
    ['a tool', () => [plainTool('read')]],
    ['a foreign object of that name', () => [{ name: 'read' }]],
    ['the name twice', () => ['read', 'read', plainTool('read')]],
  ];
  it.each(READABLE)('[T11, T12, T13, T17, T23] takes %s', async (_what, make) => {
    expect(await ask(() => make())).toEqual(new Set(['read']));
  });

  it('[T3, T4, T5] tells an empty list from no filter', async () => {
    expect(await ask(() => [])).toEqual(new Set());
    expect(await ask(() => null)).toBeUndefined();
    expect(await ask(() => undefined)).toBeUndefined();
  });

  it('[T14, T15, T16, T17] drops what the template does not contribute, with one warning for each', () => {
    const log = lineLog();
    const answer = [
      'write',
      'write',
      null,
      7,
      7,
      '',
      { name: 3 },
      () => 'read',
      'READ',
      'constructor',
      'a"\n'.repeat(99),
    ];
    expect(readSelection(answer, TEMPLATE, log)).toEqual(new Set());
    expect(log.of('warn')).toHaveLength(9);
    expect(log.of('warn').every((line) => line.includes('does not contribute'))).toBe(true);
    expect(log.lines.every((line) => line.length < 250 && !line.includes('\n'))).toBe(true);
    expect(readSelection(['write', 'read'], TEMPLATE, lineLog())).toEqual(new Set(['read']));
  });

  it('gives up on an answer without an end', async () => {
    const endless = function* (): Generator<string> {
      for (;;) yield 'read';
    };
    expect((await failure(() => endless())).message).toMatch(/more than 10000 entries/);
  });
});

describe('A provider that fails', () => {
  it('[T26, T27] reports its own text, whether it throws or rejects, and keeps the cause for the log', async () => {
    const cause = new Error('no such role');
    const thrown = await failure(() => {
      throw cause;
    });
    const rejected = await failure(() => Promise.reject(cause));
    for (const error of [thrown, rejected]) {
      expect({ code: error.code, message: error.message, cause: error.cause }).toEqual({
        code: 'TEMPLATE_TOOLS_PROVIDER_ERROR',
        message: 'Failed to resolve the template tools for this request: no such role',
        cause,
      });
    }
    expect((await failure(() => Promise.reject('plain text'))).message).toMatch(/: plain text$/);
  });

  it('[T24] reports what its answer throws while it is read', async () => {
    const broken = function* (): Generator<string> {
      yield 'read';
      throw new Error('the directory went away');
    };
    expect((await failure(() => broken())).message).toMatch(/the directory went away$/);
    const nameless = [
      {
        get name(): string {
          throw new Error('the name went away');
        },
      },
    ];
    expect((await failure(() => nameless)).message).toMatch(/the name went away$/);
  });
});

describe('A provider', () => {
  it('[T6, T7, T8] may be sync or async and gets the request and who sent it', async () => {
    const input = runInput({
      threadId: 'mine',
      forwardedProps: { role: 'admin' },
      context: [{ description: 'a', value: 'b' }],
    });
    const context = requestContext({ principal: { id: 'ann', kind: 'person' } });
    const seen: unknown[] = [];
    const late: TemplateToolsProvider = async (...args) => {
      seen.push(...args);
      await Promise.resolve();
      return ['read'];
    };
    expect(await askProvider(late, input, context, TEMPLATE, lineLog())).toEqual(new Set(['read']));
    expect(seen[0]).toBe(input);
    expect(seen[1]).toBe(context);
    expect(await ask(() => ['read'])).toEqual(new Set(['read']));
  });

  it('is not waited for when the client has left, and is not blamed for it', async () => {
    const controller = new AbortController();
    const gone = new Error('the client left');
    const hanging = ask(() => new Promise(() => undefined), { signal: controller.signal });
    controller.abort(gone);
    await expect(hanging).rejects.toBe(gone);
  });
});
