import type { Hub, HubPrincipal, Scope } from '../../hub/index.ts';
import { readLocalToken, writeLocalToken } from '../hub/hub-files.ts';
import type { Setting } from '../setting.ts';
import { UsageError } from '../usage-error.ts';

const SHORTEST = 16;

/** The first principal of a configuration: whose token and link are made at the start. */
export function firstPrincipal({ config }: Setting): HubPrincipal {
  const [first] = config.hub.principals;
  if (first === undefined) throw new TypeError('a configuration has at least one principal');
  return first;
}

/** All that a principal may have. */
export function scopesOf({ kind, scopes }: HubPrincipal): readonly Scope[] {
  return scopes ?? (kind === 'agent' ? ['run'] : ['run', 'decide']);
}

/**
 * Accepts the token of the environment for as long as the process lives. It was taken out of the process's own
 * environment before anything else ran.
 *
 * @throws UsageError when it is too short to be a secret.
 */
export function takeTokenOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  hub: Hub,
  setting: Setting,
): void {
  const token = env.TAU_TOKEN;
  if (token === undefined || token === '') return;
  if (token.length < SHORTEST || !/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(setting.say('serve.token_weak', { length: SHORTEST }));
  }
  const principal = firstPrincipal(setting);
  hub.tokens.accept(token, { principal: principal.id, scopes: scopesOf(principal) });
}

/** Makes the token of the local command line at the first start, and anew when it was revoked. */
export async function keepLocalToken(hub: Hub, setting: Setting): Promise<void> {
  const principal = firstPrincipal(setting);
  const known = readLocalToken(setting);
  const grant = known === undefined ? undefined : await hub.tokens.grantOf(known);
  if (grant?.account.principal.id === principal.id) return;
  const label = 'command line';
  const { secret } = await hub.tokens.create({ principal: principal.id, scopes: scopesOf(principal), label });
  writeLocalToken(setting, secret);
}
