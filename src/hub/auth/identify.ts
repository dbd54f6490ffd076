import type { AuthRequest } from '../../ag-ui/http/principal.ts';
import { principalFrom } from '../../ag-ui/http/principal.ts';
import type { Principal } from '../../core/call.ts';
import type { Identity } from './identity.ts';
import { commonScopes, isScope, SCOPES, type Scope } from './scopes.ts';
import { type CookieForm, cookieSecret, type Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** Whom an embedder's hook has recognised. */
export interface HookIdentity {
  readonly principal: Principal;
  readonly scopes: readonly Scope[];
}

/**
 * An embedder's own authentication, asked before tokens and cookies: who sent the request, or `undefined` when it does
 * not know, and the hub's own credentials count. A throw refuses the request. A request that changes anything and has no
 * `Authorization: Bearer` is refused unless it comes from the hub's own page: what else a browser sends along, such as a
 * cookie or the name and password of `Basic`, it also sends for the page of a stranger.
 */
export type HubAuthenticate = (request: AuthRequest) => HookIdentity | undefined | Promise<HookIdentity | undefined>;

/** What the recognition of requests is made of. */
export interface Credentials {
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  /** How the cookie is written for the address that a request was sent to. */
  readonly cookieOf: (request: Request) => CookieForm;
  readonly auth: HubAuthenticate | undefined;
}

/** Says who sent a request; `undefined` when nobody did whom the hub knows. A wrong token is not made good by a cookie. */
export async function identify(
  { tokens, sessions, cookieOf, auth }: Credentials,
  request: Request,
): Promise<Identity | undefined> {
  const { method, url, headers } = request;
  const known = auth === undefined ? undefined : await Promise.resolve(auth({ method, url, headers }));
  if (known !== undefined) return fromHook(known);
  const authorization = headers.get('authorization');
  if (authorization !== null) return fromToken(tokens, authorization);
  const secret = cookieSecret(cookieOf(request), headers.get('cookie'));
  const found = secret === undefined ? undefined : await sessions.accountOf(secret);
  if (found === undefined) return undefined;
  const { principal, scopes } = found.account;
  return { principal, scopes: commonScopes(principal.kind, scopes, SCOPES), via: 'session', session: found.session };
}

function fromHook({ principal: given, scopes }: HookIdentity): Identity {
  const principal = principalFrom(given);
  return { principal, scopes: commonScopes(principal.kind, scopes.filter(isScope), SCOPES), via: 'hook' };
}

async function fromToken(tokens: Tokens, authorization: string): Promise<Identity | undefined> {
  const secret = /^Bearer +(?<secret>[\x21-\x7e]{1,512}) *$/i.exec(authorization)?.groups?.secret;
  const grant = secret === undefined ? undefined : await tokens.grantOf(secret);
  return grant === undefined ? undefined : { principal: grant.account.principal, scopes: grant.scopes, via: 'token' };
}
