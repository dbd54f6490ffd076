import { freezePrincipal, type Principal } from '../../core/call.ts';
import type { Logger, MaybePromise } from '../config.ts';
import { type Refusal, refusalOf, UNAUTHORIZED } from './refusal.ts';

/** What an authentication hook is shown of a request: everything but its body, which is not read yet. */
export interface AuthRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
}

/**
 * Says who sent a request; `undefined` refuses it with 401. An error refuses it with its own `status` (400 to 599) or
 * 500, and nothing of it reaches the client.
 */
export type Authenticate = (request: AuthRequest) => MaybePromise<Principal | undefined>;

/**
 * Whether a request's answers to approvals count as decisions of its principal: `false` for a credential that may talk to
 * the agent and not decide. An error refuses the request as one of `Authenticate` does, and so does anything but `true` and
 * `false`.
 */
export type MayDecide = (principal: Principal, request: AuthRequest) => MaybePromise<boolean>;

/** Who sent a request, and whether they may decide with it; left out, they may. */
export interface Caller {
  readonly principal: Principal;
  readonly mayDecide?: boolean;
}

/** Who sent a request, or the answer that it gets instead. */
export type Identified = Caller | { readonly refusal: Refusal };

const KINDS: readonly unknown[] = ['person', 'service', 'agent'] satisfies Principal['kind'][];

/**
 * Asks the application who sent a request, and what they may do with it. Whatever goes wrong, the request is refused.
 *
 * @param askMayDecide - `undefined` when the application has no rule of its own.
 */
export async function identify(
  ask: () => MaybePromise<unknown>,
  log: Logger,
  askMayDecide?: (principal: Principal) => MaybePromise<unknown>,
): Promise<Identified> {
  try {
    const answer = await ask();
    if (answer === undefined) return { refusal: UNAUTHORIZED };
    const principal = principalFrom(answer);
    if (askMayDecide === undefined) return { principal };
    const mayDecide = await askMayDecide(principal);
    if (typeof mayDecide !== 'boolean') throw new TypeError('mayDecide answers true or false');
    return { principal, mayDecide };
  } catch (error) {
    log.error('Authentication of the agent route failed', error);
    return { refusal: refusalOf(error) };
  }
}

/**
 * Reads a principal that an application made.
 *
 * @throws TypeError when it is none.
 */
export function principalFrom(value: unknown): Principal {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('kind' in value)) {
    throw new TypeError('a principal is an object with id and kind');
  }
  const { id, kind } = value;
  const roles: unknown = 'roles' in value ? value.roles : undefined;
  if (typeof id !== 'string' || id === '') throw new TypeError("a principal's id is a text that is not empty");
  if (!KINDS.includes(kind)) throw new TypeError("a principal's kind is 'person', 'service' or 'agent'");
  if (roles !== undefined && !isTexts(roles)) throw new TypeError("a principal's roles are a list of texts");
  // `kind` is one of the three.
  return freezePrincipal({ id, kind: kind as Principal['kind'], ...(roles === undefined ? {} : { roles }) });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Without an authentication hook everybody is one principal; the application is told once that this is so. */
export function warnAboutAnonymous(log: Logger, taker: string): void {
  log.warn(
    `${taker}: no authentication is configured, so everybody who reaches the route is the one principal 'anonymous' ` +
      'and shares its threads and approvals',
  );
}
