import type { Principal } from '../../core/call.ts';
import type { Scope } from './scopes.ts';

/**
 * Who sent a request and by what right.
 *
 * | via | proof |
 * |---|---|
 * | `token` | a bearer token; no browser sends one by itself |
 * | `session` | the page's cookie; sent by a browser, so changes need the hub's own origin too |
 * | `hook` | the embedder's `auth`; treated like a cookie unless the request has an `Authorization: Bearer` header |
 */
export interface Identity {
  readonly principal: Principal;
  readonly scopes: ReadonlySet<Scope>;
  readonly via: 'token' | 'session' | 'hook';
  /** Hash of the session's secret, with `session`. */
  readonly session?: string;
}
