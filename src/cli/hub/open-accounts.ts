import { systemClock } from '../../core/platform.ts';
import { LoginLinks, Principals, Sessions, Tokens } from '../../hub/index.ts';
import { prepareFolder } from '../prepare.ts';
import type { Setting } from '../setting.ts';
import { UsageError } from '../usage-error.ts';
import { openSharedStore } from './open-store.ts';

/** The accounts of a hub, from beside it: they are in its store. */
export interface Accounts {
  readonly tokens: Tokens;
  readonly loginLinks: LoginLinks;
  readonly sessions: Sessions;
  readonly principals: Principals;
}

/** Works on the accounts of a hub, whether it runs or not. */
export async function withAccounts<T>(setting: Setting, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  prepareFolder(setting);
  const store = openSharedStore(setting);
  try {
    const principals = new Principals(setting.config.hub.principals);
    return await work({
      tokens: new Tokens(store.values, principals, systemClock),
      loginLinks: new LoginLinks(store.values, principals, systemClock),
      sessions: new Sessions(store.values, principals, systemClock),
      principals,
    });
  } finally {
    await store.close();
  }
}

/**
 * The principal that `--principal` names, else the only one, else the first.
 *
 * @throws UsageError that lists those there are.
 */
export function chosenPrincipal(principals: Principals, id: string | undefined, { say }: Setting): string {
  const all = principals.all().map(({ principal }) => principal.id);
  const chosen = id === undefined ? all[0] : all.find((known) => known === id);
  if (chosen !== undefined) return chosen;
  throw new UsageError(say('token.no_principal', { id: id ?? '', known: all.join(', ') }));
}
