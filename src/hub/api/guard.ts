import type { MiddlewareHandler } from 'hono';
import { identify } from '../auth/identify.ts';
import type { Scope } from '../auth/scopes.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import { requireJsonType } from '../read-json.ts';

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
      context.set('identity', identity);
    }
    const sentByItself = open || !(context.get('identity').via === 'token' || raw.headers.has('authorization'));
    if (UNSAFE.has(method) && sentByItself) requireOwnPage(parts, raw);
    await next();
  };
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
    throw new Problem(403, 'foreign_origin', 'A request with a cookie must come from the page of this hub.');
  }
  requireJsonType(request.headers);
}

function unauthorized(): Problem {
  return new Problem(401, 'unauthorized', 'Send a bearer token, or log in.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
