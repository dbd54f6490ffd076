import type { IRouter, Request, RequestHandler, Response } from 'express';
import { ANONYMOUS, type Principal } from '../../../core/call.ts';
import { checkOptions, type OptionKinds } from '../../../core/check-options.ts';
import { ConfigError } from '../../../core/errors.ts';
import { consoleLogger } from '../../../core/platform.ts';
import type { Logger, MaybePromise } from '../../config.ts';
import { encoderFor } from '../../encode/negotiate.ts';
import { checkPath, DEFAULT_BODY_LIMIT, keepAliveMs, type TransportOptions, transportKinds } from '../options.ts';
import { type Authenticate, type Caller, identify, type MayDecide, warnAboutAnonymous } from '../principal.ts';
import { invalidInput, type Refusal, refusalOf, tooLarge } from '../refusal.ts';
import { RunFeed } from '../run-feed.ts';
import { loggerOf, type ServedAgent } from '../served-agent.ts';
import { fail, guarded, type StrandsAuthMiddleware } from './guard.ts';
import { authRequestOf, flatHeaders, readInput } from './request.ts';
import { pump } from './response.ts';

/**
 * How a route finds out who is calling.
 *
 * | given | the principal |
 * |---|---|
 * | `authenticate` | what it answers; `undefined` is refused with 401 |
 * | `principal` | what it reads from the request after `auth` and the app's own middleware; `undefined` is refused with 401 |
 * | `auth` alone | what the guard put on `request.principal`, else the one principal `anonymous` |
 * | nothing | the one principal `anonymous`, with a warning |
 */
export interface RouteAuthOptions {
  /** Middleware in front of the route. It runs before the body is read. */
  readonly auth?: StrandsAuthMiddleware;
  /** Says who sent a request, from its headers. The same function serves `createHandler`. */
  readonly authenticate?: Authenticate;
  /** Reads who sent a request from what middleware left on it, such as `request.user`. */
  readonly principal?: (request: Request) => MaybePromise<Principal | undefined>;
  /** Whether the request's answers to approvals count; asked once the principal is known. Default: they do. */
  readonly mayDecide?: MayDecide;
}

/** Options of `addStrandsExpressEndpoint`. */
export interface AddStrandsEndpointOptions extends TransportOptions, RouteAuthOptions {
  /** Where runs are posted. Default `/`. */
  readonly path?: string;
  /** Parses the body after `auth`, such as `express.json({ limit: '50mb' })`. Without it the route reads the body itself. */
  readonly bodyParser?: RequestHandler;
  /** Default: the agent's own logger, else the console. */
  readonly logger?: Logger;
}

/** Kinds of the options that say who is calling. */
export const routeAuthKinds: OptionKinds<RouteAuthOptions> = {
  auth: 'function',
  authenticate: 'function',
  principal: 'function',
  mayDecide: 'function',
};

const KINDS: OptionKinds<AddStrandsEndpointOptions> = {
  ...transportKinds,
  ...routeAuthKinds,
  path: 'string',
  bodyParser: 'function',
  logger: 'object',
};

/**
 * Serves an agent on a route of an Express app or router. In order: `auth`, who is calling, the body, the run.
 *
 * @throws ConfigError on an option that does not exist, has the wrong type, or contradicts another.
 */
export function addStrandsExpressEndpoint(
  app: Pick<IRouter, 'post'>,
  agent: ServedAgent,
  options: AddStrandsEndpointOptions = {},
): void {
  addAgentRoute('addStrandsExpressEndpoint', app, agent, options);
}

/** @param taker - Whom the application has called, for what it is told. */
export function addAgentRoute(
  taker: string,
  app: Pick<IRouter, 'post'>,
  agent: ServedAgent,
  options: AddStrandsEndpointOptions,
): void {
  checkOptions(taker, options, KINDS);
  const { path = '/', auth, bodyParser } = options;
  checkPath(taker, 'path', path);
  const log = loggerOf(agent, options.logger, consoleLogger);
  const callers = new WeakMap<Request, Caller>();
  app.post(
    path,
    ...(auth === undefined ? [] : [guarded(auth, log)]),
    identified(principalReader(taker, options, log), options.mayDecide, callers, log),
    ...(bodyParser === undefined ? [] : [parsed(bodyParser, log)]),
    handled(log, async (request, response) => {
      const caller = callers.get(request);
      if (caller !== undefined) await serve(agent, request, response, caller, options, log);
    }),
  );
}

type PrincipalReader = (request: Request) => MaybePromise<unknown>;

function principalReader(
  taker: string,
  { auth, authenticate, principal }: RouteAuthOptions,
  log: Logger,
): PrincipalReader {
  if (authenticate !== undefined && principal !== undefined) {
    throw new ConfigError(`${taker}: authenticate and principal both say who is calling; give one of them`);
  }
  if (authenticate !== undefined) return (request) => authenticate(authRequestOf(request));
  if (principal !== undefined) return principal;
  if (auth === undefined) {
    warnAboutAnonymous(log, taker);
    return () => ANONYMOUS;
  }
  return principalOfGuard(taker, log);
}

function principalOfGuard(taker: string, log: Logger): PrincipalReader {
  let warned = false;
  return (request) => {
    const found: unknown = Reflect.get(request, 'principal');
    if (found !== undefined || warned) return found ?? ANONYMOUS;
    warned = true;
    log.warn(
      `${taker}: auth admits requests without saying whose they are, so all of them are the one principal 'anonymous'. ` +
        'Let it set request.principal, or give the option principal or authenticate',
    );
    return ANONYMOUS;
  };
}

function identified(
  read: PrincipalReader,
  mayDecide: MayDecide | undefined,
  callers: WeakMap<Request, Caller>,
  log: Logger,
): RequestHandler {
  return handled(log, async (request, response, next) => {
    const askMayDecide = mayDecide && ((principal: Principal) => mayDecide(principal, authRequestOf(request)));
    const who = await identify(() => read(request), log, askMayDecide);
    if ('refusal' in who) return fail(response, who.refusal);
    callers.set(request, who);
    next();
  });
}

/** What a body parser cannot read is the client's mistake, and told in this route's own form. */
function parsed(parser: RequestHandler, log: Logger): RequestHandler {
  return (request, response, next) => {
    const done = (error?: unknown): void => {
      if (error === undefined || error === null) return next();
      log.debug('A request could not be parsed', error);
      fail(response, refusalOfParser(error));
    };
    parser(request, response, done);
  };
}

function refusalOfParser(error: unknown): Refusal {
  const refusal = refusalOf(error);
  if (refusal.status === 400) return invalidInput([{ path: '', message: 'The body is not JSON in UTF-8' }]);
  const limit: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'limit') : undefined;
  return refusal.status === 413 && typeof limit === 'number' ? tooLarge(limit) : refusal;
}

async function serve(
  agent: ServedAgent,
  request: Request,
  response: Response,
  caller: Caller,
  options: AddStrandsEndpointOptions,
  log: Logger,
): Promise<void> {
  const read = await readInput(request, options.bodyLimit ?? DEFAULT_BODY_LIMIT);
  // A guard may have answered after it admitted the request, or the client may have left.
  if (read === undefined || response.headersSent || response.destroyed) return;
  if ('refusal' in read) return fail(response, read.refusal);
  const encoder = await encoderFor(request.headers.accept, log);
  const feed = new RunFeed({
    agent,
    input: read.input,
    caller,
    headers: flatHeaders(request),
    encoder,
    log,
    keepAliveMs: keepAliveMs(options),
  });
  await pump(feed, encoder.contentType, response);
}

type Handler = (...args: Parameters<RequestHandler>) => Promise<void>;

/** Express 4 does not look at what a handler returns, so a failure is dealt with here. */
function handled(log: Logger, handler: Handler): RequestHandler {
  return (request, response, next) => {
    handler(request, response, next).catch((error: unknown) => {
      log.error('The agent route failed', error);
      fail(response, refusalOf(undefined));
    });
  };
}
