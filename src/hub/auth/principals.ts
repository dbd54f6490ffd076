import { freezePrincipal, type Principal } from '../../core/call.ts';
import { ConfigError } from '../../core/errors.ts';
import { isScope, SCOPES, type Scope } from './scopes.ts';

/** Somebody who may use the hub. */
export interface HubPrincipal extends Principal {
  /** The most that a credential of this principal may do; default `run` and `decide`, for an agent `run`. */
  readonly scopes?: readonly Scope[];
}

/** An account as the hub knows it. */
export interface Account {
  readonly principal: Principal;
  readonly scopes: readonly Scope[];
}

/** Role of those who may read the whole audit log, and not only the rows that concern them. */
export const AUDITOR = 'auditor';

/** The accounts of a hub. */
export class Principals {
  readonly #accounts: ReadonlyMap<string, Account>;

  readonly #areAll: boolean;

  /**
   * @param areAll - Whether there is nobody else, known to an embedder's own authentication; default `true`.
   * @throws ConfigError when one is wrong, or two have the same id.
   */
  constructor(given: readonly HubPrincipal[], areAll = true) {
    this.#areAll = areAll;
    const accounts = new Map<string, Account>();
    for (const principal of given) {
      if (accounts.has(principal.id)) throw new ConfigError(`Two principals have the id '${principal.id}'`);
      accounts.set(principal.id, accountOf(principal));
    }
    this.#accounts = accounts;
  }

  /** All accounts, the first one first. */
  all(): readonly Account[] {
    return [...this.#accounts.values()];
  }

  /** The account of an id. */
  get(id: string): Account | undefined {
    return this.#accounts.get(id);
  }

  /** Whether somebody may read every row of the audit log: an auditor, or whoever is alone. */
  mayAudit(principal: Principal): boolean {
    if (principal.roles?.includes(AUDITOR) === true) return true;
    return this.#areAll && this.#accounts.size === 1 && this.#accounts.has(principal.id);
  }
}

function accountOf({ scopes, ...rest }: HubPrincipal): Account {
  const principal = freezePrincipal(rest);
  if (typeof principal.id !== 'string' || principal.id === '') throw new ConfigError('A principal needs an id');
  const allowed = scopes ?? (principal.kind === 'agent' ? (['run'] as const) : SCOPES);
  const wrong = allowed.find((scope) => !isScope(scope));
  if (wrong !== undefined) throw new ConfigError(`Principal '${principal.id}': there is no scope '${String(wrong)}'`);
  if (principal.kind === 'agent' && allowed.includes('decide')) {
    throw new ConfigError(`Principal '${principal.id}' is an agent and can never have the scope 'decide'`);
  }
  return Object.freeze({ principal, scopes: Object.freeze([...allowed]) });
}
