import type { Clock } from '../../core/platform.ts';
import type { ValueStore } from '../../core/value-store.ts';
import type { Account, Principals } from './principals.ts';
import { hashOf, newSecret } from './secrets.ts';
import { ownedShape, takeOwned } from './take-owned.ts';

const KIND = 'session';

/** How long the page stays open without a new link, in seconds. */
const SESSION_SECONDS = 7 * 24 * 3600;

/** Sessions of the page. Only the SHA-256 of a session's secret is kept. */
export class Sessions {
  readonly #values: ValueStore;
  readonly #principals: Principals;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(values: ValueStore, principals: Principals, clock: Pick<Clock, 'now'>) {
    this.#values = values;
    this.#principals = principals;
    this.#clock = clock;
  }

  /** Begins a session; returns its secret, and what ends it. */
  async create(principal: string): Promise<{ readonly secret: string; readonly session: string }> {
    const secret = newSecret('');
    const session = hashOf(secret);
    const expiresAt = this.#clock.now() + SESSION_SECONDS * 1000;
    await this.#values.put(KIND, { id: session, value: { principal }, expiresAt });
    return { secret, session };
  }

  /** The account of a session; `undefined` when there is none. */
  async accountOf(secret: string): Promise<{ readonly account: Account; readonly session: string } | undefined> {
    const session = hashOf(secret);
    const found = await this.#values.get(KIND, session, this.#clock.now());
    const parsed = ownedShape.safeParse(found?.value);
    const account = parsed.success ? this.#principals.get(parsed.data.principal) : undefined;
    return account === undefined ? undefined : { account, session };
  }

  /** Ends a session. */
  async end(session: string): Promise<void> {
    await this.#values.take(KIND, session);
  }

  /** Ends all sessions of a principal but the one that is named; returns how many there were. */
  endAll(principal: string, but?: string): Promise<number> {
    return takeOwned(this.#values, KIND, { principal, but }, this.#clock.now());
  }
}

/** How the page's cookie is written. `__Host-` binds it to this host over HTTPS. */
export interface CookieForm {
  readonly name: string;
  readonly secure: boolean;
}

/**
 * The cookie of a hub that is reached over HTTPS or not. Browsers send cookies to every port of a host, so without HTTPS
 * each port has a name of its own: two hubs on one machine do not sign each other's people out.
 *
 * @param port - The port that was spoken to; `undefined` for the usual one.
 */
export function cookieForm(isHttps: boolean, port: string | undefined): CookieForm {
  if (isHttps) return { name: '__Host-tau', secure: true };
  return { name: port === undefined ? 'tau_session' : `tau_session_${port}`, secure: false };
}

/** The header that sets the cookie, or takes it away with an empty secret. */
export function cookieHeader({ name, secure }: CookieForm, secret: string): string {
  const age = secret === '' ? 0 : SESSION_SECONDS;
  return `${name}=${secret}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/** The secret in a `Cookie` header; `undefined` when it is not there, or there twice. */
export function cookieSecret({ name }: CookieForm, header: string | null): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
  return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}
