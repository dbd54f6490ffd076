import { z } from 'zod';
import { TauError } from '../../core/errors.ts';
import { sealJson } from '../../core/json.ts';
import type { Clock } from '../../core/platform.ts';
import type { ValueStore } from '../../core/value-store.ts';
import type { Account, Principals } from './principals.ts';
import { commonScopes, SCOPES, type Scope } from './scopes.ts';
import { hashOf, newSecret, sameHash } from './secrets.ts';

const KIND = 'token';

/** Letters of a hash that name a token in lists. */
const ID_LENGTH = 12;

const stored = z.strictObject({
  hash: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  createdAt: z.number(),
  label: z.string().optional(),
});

type StoredToken = z.infer<typeof stored>;

/** A token as lists show it: never the secret. */
export interface TokenInfo {
  readonly id: string;
  readonly principal: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly label?: string;
}

/** What a new token may do, and for whom. */
export interface NewToken {
  readonly principal: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly label?: string;
}

/** Whom a token stands for. */
export interface TokenGrant {
  readonly account: Account;
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * Bearer tokens. Only the SHA-256 of one is kept; who it stands for is looked up in today's accounts, so that a token of
 * an account that is gone is worth nothing.
 */
export class Tokens {
  readonly #values: ValueStore;
  readonly #principals: Principals;
  readonly #clock: Pick<Clock, 'now'>;
  /** Tokens that live no longer than the process, by their hash. */
  readonly #transient = new Map<string, { readonly token: StoredToken; readonly expiresAt: number | undefined }>();

  constructor(values: ValueStore, principals: Principals, clock: Pick<Clock, 'now'>) {
    this.#values = values;
    this.#principals = principals;
    this.#clock = clock;
  }

  /**
   * Makes a token. The secret is returned once and cannot be shown again.
   *
   * @throws TauError with code `principal` when there is no such account, `scopes` when it may not have them.
   */
  async create(token: NewToken): Promise<{ readonly secret: string; readonly info: TokenInfo }> {
    this.#check(token);
    const secret = newSecret('tau_');
    const value = this.#toStored(secret, token);
    const { expiresAt } = token;
    await this.#values.put(KIND, {
      id: value.hash,
      value: sealJson(value),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    return { secret, info: infoOf(value, expiresAt) };
  }

  /**
   * Accepts a secret that somebody else chose, for as long as this process lives, or until it expires.
   *
   * @throws TauError as `create` does.
   */
  accept(secret: string, token: NewToken): void {
    this.#check(token);
    const value = this.#toStored(secret, token);
    this.#transient.set(value.hash, { token: value, expiresAt: token.expiresAt });
  }

  /** Whom a secret stands for; `undefined` when it is no token, has expired, or its account is gone. */
  async grantOf(secret: string): Promise<TokenGrant | undefined> {
    const hash = hashOf(secret);
    const found = this.#accepted(hash) ?? (await this.#read(hash));
    // The lookup is by a hash that the caller cannot choose freely; the comparison shows nothing by its time.
    if (found === undefined || !sameHash(found.hash, hash)) return undefined;
    const account = this.#principals.get(found.principal);
    if (account === undefined) return undefined;
    return { account, scopes: commonScopes(account.principal.kind, account.scopes, found.scopes) };
  }

  /** All stored tokens that have not expired, the oldest first. */
  async list(): Promise<readonly TokenInfo[]> {
    const values = await this.#values.list(KIND, this.#clock.now());
    const infos = values.flatMap(({ value, expiresAt }) => {
      const parsed = stored.safeParse(value);
      return parsed.success ? [infoOf(parsed.data, expiresAt)] : [];
    });
    return infos.sort((a, b) => a.createdAt - b.createdAt);
  }

  /** Makes a token worthless; whether there was one of that id. */
  async revoke(id: string): Promise<boolean> {
    if (!/^[0-9a-f]+$/.test(id) || id.length < ID_LENGTH) return false;
    const values = await this.#values.list(KIND, this.#clock.now());
    const found = values.find((value) => value.id.startsWith(id));
    return found === undefined ? false : this.#values.take(KIND, found.id);
  }

  #accepted(hash: string): StoredToken | undefined {
    const found = this.#transient.get(hash);
    if (found?.expiresAt === undefined || found.expiresAt > this.#clock.now()) return found?.token;
    this.#transient.delete(hash);
    return undefined;
  }

  async #read(hash: string): Promise<StoredToken | undefined> {
    const value = await this.#values.get(KIND, hash, this.#clock.now());
    const parsed = stored.safeParse(value?.value);
    return parsed.success ? parsed.data : undefined;
  }

  #toStored(secret: string, { principal, scopes, label }: NewToken): StoredToken {
    const createdAt = this.#clock.now();
    return {
      hash: hashOf(secret),
      principal,
      scopes: [...scopes],
      createdAt,
      ...(label === undefined ? {} : { label }),
    };
  }

  #check({ principal, scopes }: NewToken): void {
    const account = this.#principals.get(principal);
    if (account === undefined) throw new TauError('principal', `there is no principal '${principal}'`);
    const excess = scopes.find((scope) => !account.scopes.includes(scope));
    if (excess !== undefined) throw new TauError('scopes', `principal '${principal}' may not have scope '${excess}'`);
  }
}

function infoOf({ hash, principal, scopes, createdAt, label }: StoredToken, expiresAt: number | undefined): TokenInfo {
  return {
    id: hash.slice(0, ID_LENGTH),
    principal,
    scopes,
    createdAt,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(label === undefined ? {} : { label }),
  };
}
