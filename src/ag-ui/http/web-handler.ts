import { ANONYMOUS, type Principal } from '../../core/call.ts';
import { checkOptions } from '../../core/check-options.ts';
import { consoleLogger } from '../../core/platform.ts';
import type { Logger } from '../config.ts';
import { encoderFor } from '../encode/negotiate.ts';
import { BodyReader, type ReadInput, refuseByHeaders } from './body.ts';
import { DEFAULT_BODY_LIMIT, keepAliveMs, type TransportOptions, transportKinds } from './options.ts';
import { type Authenticate, type Identified, identify, type MayDecide, warnAboutAnonymous } from './principal.ts';
import { invalidInput, METHOD_NOT_ALLOWED, type Refusal } from './refusal.ts';
import { RunFeed } from './run-feed.ts';
import { loggerOf, type ServedAgent } from './served-agent.ts';

/** Options of `createHandler`. */
export interface HandlerOptions extends TransportOptions {
  /** Says who sent a request, before its body is read. Without it everybody is the one principal `anonymous`. */
  readonly authenticate?: Authenticate;
  /** Whether the request's answers to approvals count; asked once the principal is known. Default: they do. */
  readonly mayDecide?: MayDecide;
  /** Default: the agent's own logger, else the console. */
  readonly logger?: Logger;
}

/** Answers a request; the function that Hono, Next.js, Bun, Deno and others call a handler. */
export type WebHandler = (request: Request) => Promise<Response>;

const TAKER = 'createHandler';

/**
 * Serves an agent to any server that speaks the web's own `Request` and `Response`: `app.post('/agent', (c) =>
 * handler(c.req.raw))`. Events are made as fast as the client reads them; when it leaves, the run is aborted.
 *
 * @throws ConfigError on an option that does not exist or has the wrong type.
 */
export function createHandler(agent: ServedAgent, options: HandlerOptions = {}): WebHandler {
  checkOptions(TAKER, options, {
    ...transportKinds,
    authenticate: 'function',
    mayDecide: 'function',
    logger: 'object',
  });
  const log = loggerOf(agent, options.logger, consoleLogger);
  if (options.authenticate === undefined) warnAboutAnonymous(log, TAKER);
  return async (request) => {
    if (request.method !== 'POST') return refuse(METHOD_NOT_ALLOWED);
    const who = await identified(request, options, log);
    if ('refusal' in who) return refuse(who.refusal);
    const read = await readInput(request, options.bodyLimit ?? DEFAULT_BODY_LIMIT);
    if ('refusal' in read) return refuse(read.refusal);
    const encoder = await encoderFor(request.headers.get('accept'), log);
    const feed = new RunFeed({
      agent,
      input: read.input,
      caller: who,
      headers: Object.fromEntries(request.headers),
      encoder,
      log,
      keepAliveMs: keepAliveMs(options),
    });
    return new Response(streamOf(feed, request.signal), {
      headers: { 'Content-Type': encoder.contentType, 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
    });
  };
}

function identified(
  request: Request,
  { authenticate = () => ANONYMOUS, mayDecide }: HandlerOptions,
  log: Logger,
): Promise<Identified> {
  const askMayDecide = mayDecide && ((principal: Principal) => mayDecide(principal, request));
  return identify(() => authenticate(request), log, askMayDecide);
}

async function readInput(request: Request, limit: number): Promise<ReadInput> {
  const refusal = refuseByHeaders((name) => request.headers.get(name), limit);
  if (refusal !== undefined) return { refusal };
  const body = new BodyReader(limit);
  const reader = request.body?.getReader();
  try {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      if (!body.add(piece.value)) break;
    }
  } catch {
    // The client left, so it is all the same to it.
    return { refusal: invalidInput([{ path: '', message: 'The body ended early' }]) };
  }
  reader?.releaseLock();
  return body.read();
}

/** Nothing is made before the client reads: there is no queue but the connection's own. */
function streamOf(feed: RunFeed, left: AbortSignal): ReadableStream<Uint8Array> {
  const close = (): void => feed.close();
  left.addEventListener('abort', close, { once: true });
  if (left.aborted) close();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await feed.next();
        if (bytes !== undefined) return controller.enqueue(bytes);
        left.removeEventListener('abort', close);
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

function refuse({ status, body, headers }: Refusal): Response {
  return Response.json(body, { status, headers: { ...headers } });
}
