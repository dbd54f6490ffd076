import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseEvent } from '@ag-ui/core';
import { describe, expect, test, vi } from 'vitest';
import { createHandler, type ServedAgent } from '../../src/ag-ui/http/index.ts';
import {
  agentOf,
  event,
  eventsIn,
  finished,
  hangingAgent,
  log,
  minimal,
  post,
  rawPost,
  SERVERS,
  started,
} from './http-fixture.ts';

const delta = (text: string): BaseEvent => event('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: text });

describe.each(SERVERS)('%s', (_name, start) => {
  test('[C12.3] headers are there before the first event', async () => {
    const response = await post(await start(hangingAgent()), minimal, {}, { signal: AbortSignal.timeout(5000) });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  test('[C12.3] each event is sent when it is made, not when the run is over', async () => {
    const response = await post(await start(hangingAgent(started, delta('a'), delta('b'))));
    let text = '';
    for await (const bytes of response.body ?? []) {
      text += new TextDecoder().decode(bytes);
      if (text.includes('"b"')) break;
    }
    expect(eventsIn(text)).toEqual([started, delta('a'), delta('b')]);
  });

  test('[C12.4, B7] a client that leaves at any point frees a hanging agent within 100 ms', async () => {
    for (const count of [0, 1, 2, 5, 40]) {
      const agent = hangingAgent(started, ...Array<BaseEvent>(count).fill(delta('x'.repeat(100))));
      const served = await start(agent);
      const leave = new AbortController();
      const response = await post(served, minimal, {}, { signal: leave.signal });
      if (count > 0) await response.body?.getReader().read();
      await sleep(Math.random() * 20);
      let left = 0;
      served.sockets.at(-1)?.once('close', () => {
        left = performance.now();
      });
      leave.abort();
      await vi.waitFor(() => expect(agent.returned()).toBeDefined(), { timeout: 5000, interval: 1 });
      await vi.waitFor(() => expect(left).toBeGreaterThan(0));
      expect((agent.returned() ?? Infinity) - left).toBeLessThan(100);
      expect(agent.aborted()).toBe(true);
    }
    expect(log.error).not.toHaveBeenCalled();
  });

  test('[C12.4] a connection that is reset frees the agent too', async () => {
    const agent = hangingAgent(started);
    const socket = await rawPost(await start(agent));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    await vi.waitFor(() => expect(agent.returned()).toBeDefined());
    expect(agent.aborted()).toBe(true);
  });

  test('[C12.4] a generator that waits for its signal is cleaned up, and the next run is served', async () => {
    const cleaned = vi.fn();
    const agent: ServedAgent = {
      async *run(_input, { signal }) {
        try {
          yield started;
          await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        } finally {
          cleaned();
        }
      },
    };
    const served = await start(agent);
    for (let i = 1; i <= 3; i++) {
      const response = await post(served);
      await response.body?.cancel();
      await vi.waitFor(() => expect(cleaned).toHaveBeenCalledTimes(i));
    }
    expect(log.error).not.toHaveBeenCalled();
  });

  test('[B7] a client that never reads stops the agent, with at most 1 MiB waiting for it', async () => {
    const size = 16 * 1024;
    let made = 0;
    const agent: ServedAgent = {
      async *run() {
        yield started;
        for (;;) {
          made++;
          yield delta('x'.repeat(size));
        }
      },
    };
    const served = await start(agent);
    const client = connect(served.port, '127.0.0.1').pause();
    const body = JSON.stringify(minimal);
    client.write(
      `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    let before = -1;
    await vi.waitFor(
      () => {
        const still = made > 0 && made === before;
        before = made;
        expect(still).toBe(true);
      },
      { interval: 200, timeout: 20_000 },
    );
    const socket = served.sockets.at(-1);
    const handedOver = (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0);
    expect(made * size - handedOver).toBeLessThan(1024 * 1024);
    await sleep(300);
    expect(made).toBe(before);
    client.destroy();
  });

  test('[B7] a client that reads slowly gets everything', async () => {
    const many = Array.from({ length: 300 }, (_, i) => delta(`${i}:${'x'.repeat(5000)}`));
    const response = await post(await start(agentOf(started, ...many, finished)));
    let text = '';
    let pieces = 0;
    for await (const bytes of response.body ?? []) {
      text += new TextDecoder().decode(bytes, { stream: true });
      if (pieces++ % 10 === 0) await sleep(1);
    }
    expect(eventsIn(text)).toEqual([started, ...many, finished]);
  });

  test('[B7] silence is filled with comments, which no reader takes for an event', async () => {
    const agent: ServedAgent = {
      async *run() {
        yield started;
        await sleep(250);
        yield finished;
      },
    };
    const text = await (await post(await start(agent, { keepAliveSeconds: 0.05 }))).text();
    expect(text.split('\n\n').filter((frame) => frame === ': keep-alive').length).toBeGreaterThanOrEqual(2);
    expect(eventsIn(text)).toEqual([started, finished]);
  });

  test('[B9] an agent that throws ends the stream with a safe error; the cause is logged', async () => {
    const secret = new Error('password=hunter2 at /srv/app');
    const agent: ServedAgent = {
      async *run() {
        yield started;
        throw secret;
      },
    };
    const response = await post(await start(agent));
    const text = await response.text();
    expect([response.status, eventsIn(text)]).toEqual([
      200,
      [started, { type: 'RUN_ERROR', code: 'STRANDS_ERROR', message: expect.stringContaining('log of the server') }],
    ]);
    expect(text).not.toContain('hunter2');
    expect(log.error.mock.calls).toEqual([['The run failed outside the agent', secret]]);
  });

  test('[C9.1] an event that cannot be encoded ends the stream', async () => {
    const broken = { ...event('CUSTOM', { name: 'x' }), value: 1n };
    const response = await post(await start(agentOf(started, broken, finished)));
    expect(eventsIn(await response.text())).toEqual([
      started,
      {
        type: 'RUN_ERROR',
        code: 'ENCODING_ERROR',
        message: expect.stringMatching(/^Encoding error: TypeError: .*BigInt/),
      },
    ]);
  });
});

describe('createHandler', () => {
  test('[C12.4] a stream that its reader cancels frees the agent, without any connection', async () => {
    const agent = hangingAgent(started);
    const handler = createHandler(agent, { logger: log });
    const ask = (signal?: AbortSignal) =>
      handler(
        new Request('http://localhost/', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(minimal),
          ...(signal === undefined ? {} : { signal }),
        }),
      );
    const reader = (await ask()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect([agent.aborted(), agent.returned()]).toEqual([true, expect.any(Number)]);
    expect(await (await ask(AbortSignal.abort())).text()).toBe('');
  });
});
