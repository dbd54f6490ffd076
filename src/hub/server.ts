import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { TauError } from '../core/errors.ts';

/** Answers a request of somebody at an address. */
export type Answer = (request: Request, address: string) => Promise<Response>;

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Where it is reached, such as `http://127.0.0.1:4173`. */
  readonly url: string;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** What a server grants to those who connect, who may be anybody. */
export interface ServerLimits {
  /** How long the head of a request may take to arrive, in milliseconds. */
  readonly headMs: number;
  /** How long a request may take to arrive as a whole, in milliseconds. Its answer may take as long as it likes. */
  readonly requestMs: number;
  /** How often these times are looked at, in milliseconds. */
  readonly everyMs: number;
  /** Connections at a time; a further one is closed at once, and the others go on. */
  readonly connections: number;
}

const LIMITS: ServerLimits = { headMs: 20_000, requestMs: 60_000, everyMs: 5000, connections: 2000 };

/**
 * Listens.
 *
 * @throws TauError with code `port_in_use` or `listen`.
 */
export async function listen(
  answer: Answer,
  host: string,
  port: number,
  limits: ServerLimits = LIMITS,
): Promise<Listening> {
  const listener = getRequestListener(
    (request, { incoming }) => answer(request, incoming.socket.remoteAddress ?? 'unknown'),
    { overrideGlobalObjects: false },
  );
  const { headMs: headersTimeout, requestMs: requestTimeout, everyMs: connectionsCheckingInterval } = limits;
  const server = createServer({ headersTimeout, requestTimeout, connectionsCheckingInterval }, listener);
  server.maxConnections = limits.connections;
  await started(server, host, port);
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    port: bound,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () => closed(server),
  };
}

function started(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const text = isTaken ? `port ${port} of ${host} is in use` : `cannot listen on ${host}:${port}: ${error.message}`;
      reject(new TauError(isTaken ? 'port_in_use' : 'listen', text, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

/** How long answers that are under way may take, in milliseconds. */
const LAST_WORDS_MS = 500;

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
