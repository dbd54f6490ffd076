import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { ANONYMOUS } from '../../../core/call.ts';
import { sseEncoder } from '../../encode/sse.ts';
import { RUN_STARTED } from '../../translate/events.ts';
import { RunFeed } from '../run-feed.ts';
import { pump } from './response.ts';

test('[B7] a client that left while its answer was being set up gets no run', async () => {
  let started = 0;
  const input = { threadId: 't', runId: 'r', messages: [], tools: [], context: [] };
  const agent = {
    async *run() {
      started += 1;
      yield { type: RUN_STARTED, threadId: 't', runId: 'r' };
    },
  };
  const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };
  const feed = new RunFeed({
    agent,
    input,
    caller: { principal: ANONYMOUS },
    headers: {},
    encoder: sseEncoder,
    log,
    keepAliveMs: 50,
  });
  const pumped = Promise.withResolvers<void>();
  const app = express().get('/', async (_request, response) => {
    response.destroy();
    await once(response, 'close');
    pump(feed, sseEncoder.contentType, response).then(pumped.resolve, pumped.reject);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  await pumped.promise;
  expect(started).toBe(0);
  server.close();
});
