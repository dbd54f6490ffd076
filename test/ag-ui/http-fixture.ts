import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, type Mock, vi } from 'vitest';
import type { Logger, RequestContext } from '../../src/ag-ui/config.ts';
import {
  type Authenticate,
  createHandler,
  createStrandsApp,
  type MayDecide,
  type ServedAgent,
  type TransportOptions,
} from '../../src/ag-ui/http/index.ts';

export type Events = AsyncGenerator<BaseEvent, void, undefined>;

/** What both kinds of server take. */
export interface CommonOptions extends TransportOptions {
  readonly authenticate?: Authenticate;
  readonly mayDecide?: MayDecide;
}

/** A server on a free port of this machine. */
export interface Served {
  readonly url: string;
  readonly port: number;
  /** The server's side of every connection so far. */
  readonly sockets: readonly Socket[];
}

/** A logger that remembers. */
export const log: Record<'debug' | 'warn' | 'error', Mock<Logger['warn']>> = {
  debug: vi.fn(),
  warn: vi.fn(),
  error: vi.fn(),
};

const running = new Set<Server>();

afterEach(async () => {
  for (const server of running) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  running.clear();
  vi.clearAllMocks();
});

/** Serves what a listener answers. */
export async function serve(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Served> {
  const sockets: Socket[] = [];
  const server = createServer(listener);
  server.on('connection', (socket) => sockets.push(socket));
  running.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, port, sockets };
}

/** The same agent on both kinds of server. */
export const SERVERS: readonly [
  name: string,
  start: (agent: ServedAgent, options?: CommonOptions) => Promise<Served>,
][] = [
  [
    'Hono',
    (agent, options = {}) => {
      const handler = createHandler(agent, { logger: log, ...options });
      const app = new Hono().all('/', (context) => handler(context.req.raw));
      return serve(getRequestListener(app.fetch));
    },
  ],
  ['Express', async (agent, options = {}) => serve(await createStrandsApp(agent, { logger: log, ...options }))],
];

const ids = { threadId: 't', runId: 'r' };

/** The least that is a request. */
export const minimal: RunAgentInput = { ...ids, messages: [], tools: [], context: [] };

/** An event by the name of its type. */
export function event(type: string, fields: Readonly<Record<string, unknown>> = {}): BaseEvent {
  return JSON.parse(JSON.stringify({ type, ...fields }));
}

export const started: BaseEvent = event('RUN_STARTED', ids);
export const finished: BaseEvent = event('RUN_FINISHED', ids);

/** An agent that yields what it is given and remembers what it was asked. */
export function agentOf(...events: BaseEvent[]): ServedAgent & { readonly asked: [RunAgentInput, RequestContext][] } {
  const asked: [RunAgentInput, RequestContext][] = [];
  return {
    asked,
    async *run(input, context) {
      asked.push([input, context]);
      yield* events;
    },
  };
}

/** An agent that yields some events and then waits for something that never comes, even when it is told to return. */
export function hangingAgent(...events: BaseEvent[]): ServedAgent & {
  readonly returned: () => number | undefined;
  readonly aborted: () => boolean;
} {
  let returnedAt: number | undefined;
  let signal: AbortSignal | undefined;
  const never = new Promise<never>(() => undefined);
  return {
    returned: () => returnedAt,
    aborted: () => signal?.aborted ?? false,
    run(_input, context) {
      ({ signal } = context);
      const queue = [...events];
      const generator: Events = {
        next: () => {
          const value = queue.shift();
          return value === undefined ? never : Promise.resolve({ done: false, value });
        },
        return: () => {
          returnedAt ??= performance.now();
          return never;
        },
        throw: () => never,
        [Symbol.asyncIterator]: () => generator,
        [Symbol.asyncDispose]: () => never,
      };
      return generator;
    },
  };
}

/** Posts a body; JSON unless a text is given. */
export function post(
  { url }: Pick<Served, 'url'>,
  body: unknown = minimal,
  headers: Record<string, string> = {},
  init: RequestInit = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
}

/** Posts, and reads the answer as JSON. */
export async function answer(...request: Parameters<typeof post>): Promise<{ status: number; body: unknown }> {
  const response = await post(...request);
  return { status: response.status, body: await response.json() };
}

/** The events of a stream of server-sent events. */
export function eventsIn(text: string): unknown[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice('data: '.length)));
}

/** A connection by hand that has posted a request. */
export async function rawPost(served: Served, body: string = JSON.stringify(minimal)): Promise<Socket> {
  const socket = connect(served.port, '127.0.0.1');
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.on('error', () => undefined);
  socket.write(
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}
