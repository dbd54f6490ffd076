import { TauError } from '../../core/errors.ts';
import type { Clock } from '../../core/platform.ts';
import type { ValueStore } from '../../core/value-store.ts';
import type { Principals } from './principals.ts';
import { hashOf, newSecret } from './secrets.ts';
import { ownedShape, takeOwned } from './take-owned.ts';

const KIND = 'login';

/** How long a link can be used, in milliseconds. */
const LIFETIME = 10 * 60 * 1000;

/** One-time codes that open the page. Only the SHA-256 of one is kept. */
export class LoginLinks {
  readonly #values: ValueStore;
  readonly #principals: Principals;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(values: ValueStore, principals: Principals, clock: Pick<Clock, 'now'>) {
    this.#values = values;
    this.#principals = principals;
    this.#clock = clock;
  }

  /**
   * Makes a code that can be used once, within ten minutes.
   *
   * @throws TauError with code `principal` when there is no such account.
   */
  async create(principal: string): Promise<{ readonly code: string; readonly expiresAt: number }> {
    if (this.#principals.get(principal) === undefined) {
      throw new TauError('principal', `there is no principal '${principal}'`);
    }
    const code = newSecret('');
    const expiresAt = this.#clock.now() + LIFETIME;
    await this.#values.put(KIND, { id: hashOf(code), value: { principal }, expiresAt });
    return { code, expiresAt };
  }

  /** Uses a code up. Of several who do at the same time, one is answered `true`. */
  use(code: string): Promise<boolean> {
    return this.#values.take(KIND, hashOf(code));
  }

  /** The id of the principal that a code stands for; `undefined` when it is none or was used. */
  async principalOf(code: string): Promise<string | undefined> {
    const found = await this.#values.get(KIND, hashOf(code), this.#clock.now());
    const parsed = ownedShape.safeParse(found?.value);
    return parsed.success ? parsed.data.principal : undefined;
  }

  /** Makes the unused codes of a principal worthless; returns how many there were. */
  revokeAll(principal: string): Promise<number> {
    return takeOwned(this.#values, KIND, { principal }, this.#clock.now());
  }
}

/** A link that opens the page. The code is in its fragment, which no server, log or preview ever gets to see. */
export function loginUrl(base: string, code: string): string {
  return `${base.replace(/\/$/, '')}/login#${code}`;
}
