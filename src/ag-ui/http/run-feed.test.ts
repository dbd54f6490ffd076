import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { describe, expect, test, vi } from 'vitest';
import { ANONYMOUS } from '../../core/call.ts';
import type { RequestContext } from '../config.ts';
import { sseEncoder } from '../encode/sse.ts';
import { RunError } from '../run-error.ts';
import { CUSTOM, RUN_ERROR, RUN_FINISHED, RUN_STARTED } from '../translate/events.ts';
import { RunFeed } from './run-feed.ts';

const ids = { threadId: 't', runId: 'r' };
const started: BaseEvent = { type: RUN_STARTED, ...ids };
const finished: BaseEvent = { type: RUN_FINISHED, ...ids };
const input: RunAgentInput = { ...ids, messages: [], tools: [], context: [] };

type Events = AsyncGenerator<BaseEvent, void, undefined>;

function feedOf(run: (input: RunAgentInput, context: RequestContext) => Events, keepAliveMs = 10_000) {
  const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const feed = new RunFeed({
    agent: { run },
    input,
    caller: { principal: ANONYMOUS },
    headers: { a: 'b' },
    encoder: sseEncoder,
    log,
    keepAliveMs,
  });
  return { feed, log };
}

async function textOf(feed: RunFeed): Promise<string[]> {
  const texts: string[] = [];
  for (let bytes = await feed.next(); bytes !== undefined; bytes = await feed.next()) {
    texts.push(new TextDecoder().decode(bytes));
  }
  return texts;
}

async function eventsOf(feed: RunFeed): Promise<unknown[]> {
  return (await textOf(feed)).map((text) => JSON.parse(text.slice('data: '.length)));
}

/** Like a generator whose agent waits for something that never comes: even `return` would wait behind it. */
function hanging(...events: BaseEvent[]) {
  const returned = vi.fn();
  const generator: Events = {
    next: () => {
      const value = events.shift();
      return value === undefined ? new Promise(() => undefined) : Promise.resolve({ done: false, value });
    },
    return: () => {
      returned();
      return new Promise(() => undefined);
    },
    throw: () => new Promise(() => undefined),
    [Symbol.asyncIterator]: () => generator,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { generator, returned };
}

describe('RunFeed', () => {
  test('sends what the agent yields, hands it who is asking, and always returns it', async () => {
    const cleaned = vi.fn();
    const seen = vi.fn();
    const { feed, log } = feedOf(async function* (given, context) {
      seen(given, { ...context, signal: context.signal.aborted });
      try {
        yield started;
        yield finished;
      } finally {
        cleaned(context.signal.aborted);
      }
    });
    expect(await eventsOf(feed)).toEqual([started, finished]);
    expect(seen).toHaveBeenCalledWith(input, { principal: ANONYMOUS, headers: { a: 'b' }, signal: false });
    expect(cleaned.mock.calls).toEqual([[false]]);
    expect(await feed.next()).toBeUndefined();
    expect(log.error).not.toHaveBeenCalled();
  });

  test('does not start the agent before somebody reads', () => {
    const run = vi.fn(() => hanging().generator);
    feedOf(run);
    expect(run).not.toHaveBeenCalled();
  });

  test('[B9] an agent that throws ends the run with a safe text; the cause goes to the log', async () => {
    const secret = new Error('postgres://user:secret@host');
    const error = { type: 'RUN_ERROR', code: 'STRANDS_ERROR', message: expect.stringMatching(/^The agent failed/) };
    const { feed, log } = feedOf(async function* () {
      yield started;
      throw secret;
    });
    expect(await eventsOf(feed)).toEqual([started, error]);
    expect(log.error.mock.calls).toEqual([[expect.any(String), secret]]);

    const early = feedOf(() => {
      throw secret;
    });
    expect(await eventsOf(early.feed)).toEqual([started, error]);
  });

  test('a coded error keeps its code and its text', async () => {
    const { feed } = feedOf(async function* () {
      yield started;
      throw new RunError('THREAD_BUSY', ['t']);
    });
    expect(await eventsOf(feed)).toMatchObject([
      started,
      { code: 'THREAD_BUSY', message: expect.stringContaining('"t"') },
    ]);
  });

  test('a run that just stops is told to be cut short; what comes after its end is not sent', async () => {
    const { feed } = feedOf(async function* () {
      yield started;
    });
    expect(await eventsOf(feed)).toEqual([
      started,
      { type: RUN_ERROR, code: 'STRANDS_ERROR', message: 'The run ended without a result.' },
    ]);
    const worked = vi.fn();
    const chatty = feedOf(async function* () {
      yield started;
      yield finished;
      worked();
      yield started;
      throw new Error('too late');
    });
    expect(await eventsOf(chatty.feed)).toEqual([started, finished]);
    expect(worked).toHaveBeenCalled();
  });

  test('[C9.1] an event that cannot be encoded ends the run, aborts it and says so', async () => {
    const { generator, returned } = hanging(started, { type: CUSTOM, name: 'x', value: 1n });
    let signal: AbortSignal | undefined;
    const { feed } = feedOf((_, context) => {
      ({ signal } = context);
      return generator;
    });
    expect(await eventsOf(feed)).toEqual([
      started,
      {
        type: RUN_ERROR,
        code: 'ENCODING_ERROR',
        message: 'Encoding error: TypeError: Do not know how to serialize a BigInt',
      },
    ]);
    expect([signal?.aborted, returned.mock.calls.length]).toEqual([true, 1]);
  });

  test('[B7] a client that leaves frees a hanging agent at once, whenever it leaves', async () => {
    for (let count = 0; count < 4; count++) {
      const { generator, returned } = hanging(...Array<BaseEvent>(count).fill(started));
      let signal: AbortSignal | undefined;
      const { feed, log } = feedOf((_, context) => {
        ({ signal } = context);
        return generator;
      });
      for (let i = 0; i < count; i++) await feed.next();
      const waiting = feed.next();
      feed.close();
      expect([signal?.aborted, returned.mock.calls.length]).toEqual([true, 1]);
      feed.close();
      expect([await waiting, await feed.next(), returned.mock.calls.length]).toEqual([undefined, undefined, 1]);
      expect(log.error).not.toHaveBeenCalled();
    }
  });

  test('an agent that fails because its client left is not an error', async () => {
    const { feed, log } = feedOf(async function* (_, { signal }) {
      yield started;
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await feed.next();
    const waiting = feed.next();
    feed.close();
    expect(await waiting).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(log.error).not.toHaveBeenCalled();
  });

  test('no timer is left behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { feed } = feedOf(async function* () {
      yield started;
      for (let i = 0; i < 50; i++) yield { type: CUSTOM, name: 'x', value: i };
      yield finished;
    });
    const before = timers();
    expect(await eventsOf(feed)).toHaveLength(52);
    expect(timers()).toBe(before);
  });

  test('silence is filled, and no event is lost by it', async () => {
    const { feed } = feedOf(async function* () {
      yield started;
      await new Promise((resolve) => setTimeout(resolve, 120));
      yield finished;
    }, 25);
    const texts = await textOf(feed);
    expect(texts.filter((text) => text === ': keep-alive\n\n').length).toBeGreaterThanOrEqual(2);
    expect(texts.filter((text) => text.startsWith('data: '))).toHaveLength(2);
    expect(texts.at(-1)).toContain('RUN_FINISHED');
  });
});
