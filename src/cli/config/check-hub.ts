import { ConfigError } from '../../core/errors.ts';
import type { Say } from '../messages.ts';
import type { HubFile } from './hub-file.ts';
import { OWNER } from './hub-principals.ts';
import { type ConfigText, place } from './problems.ts';
import { holdsUserInfo, shownValue } from './shown-value.ts';

/**
 * Keys of the hub that are right on their own and wrong together.
 *
 * @throws ConfigError for the first that is.
 */
export function checkHub(file: HubFile, text: ConfigText, say: Say): void {
  checkPrincipals(file, text, say);
  checkDeciders(file, text, say);
  checkSomebodyDecides(file, text, say);
  checkPublicUrl(file, text, say);
}

function checkPrincipals({ principals = [] }: HubFile, text: ConfigText, say: Say): void {
  const ids = new Set<string>();
  for (const [row, { id, kind, scopes }] of principals.entries()) {
    const where = place(text, 'principals', 'id', row);
    if (ids.has(id)) throw new ConfigError(say('config.twice', { where, key: '[[principals]] id', value: quoted(id) }));
    ids.add(id);
    if (kind !== 'agent' || scopes?.includes('decide') !== true) continue;
    throw new ConfigError(say('config.agent_decides', { where: place(text, 'principals', 'scopes', row), id }));
  }
}

function checkDeciders({ principals = [], policy }: HubFile, text: ConfigText, say: Say): void {
  const known = principals.length === 0 ? [OWNER.id] : principals.map(({ id }) => id);
  for (const [row, { principal, role }] of (policy?.deciders ?? []).entries()) {
    const where = place(text, 'policy.deciders', principal === undefined ? undefined : 'principal', row);
    if ((principal === undefined) === (role === undefined)) throw new ConfigError(say('config.one_of', { where }));
    if (principal === undefined || known.includes(principal)) continue;
    throw new ConfigError(say('config.no_principal', { where, value: quoted(principal), known: known.join(', ') }));
  }
}

function checkSomebodyDecides({ policy }: HubFile, text: ConfigText, say: Say): void {
  if (policy?.requester_decides !== false || (policy.deciders ?? []).length > 0) return;
  throw new ConfigError(say('config.nobody_decides', { where: place(text, 'policy', 'requester_decides') }));
}

function checkPublicUrl({ serve }: HubFile, text: ConfigText, say: Say): void {
  if (serve?.public_url === undefined) return;
  const where = place(text, 'serve', 'public_url');
  const key = '[serve] public_url';
  if (holdsUserInfo(serve.public_url)) throw new ConfigError(say('config.user_info', { where, key }));
  const { pathname, search, hash } = new URL(serve.public_url);
  if (pathname === '/' && search === '' && hash === '') return;
  const expected = say('expected.serve.public_url');
  throw new ConfigError(
    say('config.value', { where, key, value: shownValue('public_url', serve.public_url), expected }),
  );
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
