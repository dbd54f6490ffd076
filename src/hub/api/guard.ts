import type { Context, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { PRINCIPAL_HEADER, principalName } from '../../core/principal-name.ts';
import { identify } from '../auth/identify.ts';
import type { Identity } from '../auth/identity.ts';
import type { Scope } from '../auth/scopes.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import { readJson, requireJsonType } from '../read-json.ts';

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Stands before every route: the name that was spoken to, who speaks, and, for what a browser sends by itself, that the
 * hub's own page asked for it. Everything is closed that `isOpen` does not name.
 */
export function guard(parts: HubParts): MiddlewareHandler<HubEnv> {
  return async (context, next) => {
    const { method, path, raw } = context.req;
    if (!parts.addresses.isOwnHost(raw)) {
      throw new Problem(421, 'unknown_host', 'This hub does not answer to that host name; see [serve] hosts.');
    }
    const open = isOpen(method, path);
    if (!open) {
      const identity = await identify(parts.credentials, raw);
      if (identity === undefined) throw unauthorized();
      requireNamed(identity, raw.headers.get(PRINCIPAL_HEADER));
      context.set('identity', identity);
    }
    const sentByItself = open || !(context.get('identity').via === 'token' || hasBearer(raw));
    if (UNSAFE.has(method) && sentByItself) requireOwnPage(parts, raw);
    await next();
  };
}

/** What a browser never sends by itself. Basic, Digest and Negotiate it does, for the page of a stranger too. */
function hasBearer({ headers }: Request): boolean {
  return /^Bearer /i.test(headers.get('authorization') ?? '');
}

/**
 * The JSON body of a request. It may take its time to arrive, so the credential is looked at again when it has: one that was
 * revoked meanwhile changes nothing.
 */
export async function readAllowed<T>(parts: HubParts, context: Context<HubEnv>, schema: z.ZodType<T>): Promise<T> {
  const body = await readJson(context.req.raw, schema);
  if (!(await isStillAllowed(parts, context))) throw unauthorized();
  return body;
}

/** Whether the credential of a request still gives what it gave when the request came. */
export async function isStillAllowed({ credentials }: HubParts, context: Context<HubEnv>): Promise<boolean> {
  const before = context.get('identity');
  const now = await identify(credentials, context.req.raw);
  return now?.principal.id === before.principal.id && [...before.scopes].every((scope) => now.scopes.has(scope));
}

/** Lets only credentials with a scope pass. It is asked before the request is looked at, so it tells nothing of ids. */
export function needs(scope: Scope): MiddlewareHandler<HubEnv> {
  return async (context, next) => {
    if (!context.get('identity').scopes.has(scope)) {
      throw new Problem(403, 'missing_scope', `This needs a credential with the scope '${scope}'.`);
    }
    await next();
  };
}

/** What needs no credential: the signs of life, the login, and the page with its files. */
function isOpen(method: string, path: string): boolean {
  if (method === 'POST') return path === '/login';
  if (method !== 'GET' && method !== 'HEAD') return false;
  return !/^\/(api|agent|logout)(\/|$)/i.test(path);
}

function requireOwnPage({ addresses }: HubParts, request: Request): void {
  if (!addresses.isOwnOrigin(request)) {
    throw new Problem(
      403,
      'foreign_origin',
      'A request without a bearer token must come from the page of this hub: any page could make a browser send it.',
    );
  }
  requireJsonType(request.headers);
}

/**
 * A page shows somebody as signed in and says whom with each request. The browser's cookie may have become another person's
 * meanwhile, through a link that was opened in another tab: then nothing is done in that person's name.
 *
 * @param named - What the request says, as `principalName` writes it; `null` when it does not.
 * @throws Problem 409 when it is not whom the credential belongs to.
 */
export function requireNamed({ principal }: Identity, named: string | null): void {
  if (named === null || named === principalName(principal)) return;
  throw new Problem(
    409,
    'other_principal',
    'The request names another principal than its credential belongs to. Ask /api/me who is signed in, and begin anew.',
  );
}

/** The answer to a request that names nobody whom the hub knows. */
export function unauthorized(): Problem {
  return new Problem(401, 'unauthorized', 'Send a bearer token, or log in.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
