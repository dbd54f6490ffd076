import { ConfigError } from '../../core/errors.ts';
import type { Say } from '../messages.ts';
import type { HubFile } from './hub-schema.ts';
import { type ConfigText, place } from './problems.ts';

/**
 * Keys of the hub that are right on their own and wrong together.
 *
 * @throws ConfigError for the first that is.
 */
export function checkHub({ principals = [], policy, serve }: HubFile, text: ConfigText, say: Say): void {
  const ids = new Set<string>();
  for (const [row, { id, kind, scopes }] of principals.entries()) {
    const where = place(text, 'principals', 'id', row);
    if (ids.has(id)) throw new ConfigError(say('config.twice', { where, key: '[[principals]] id', value: quoted(id) }));
    ids.add(id);
    if (kind === 'agent' && scopes?.includes('decide')) {
      throw new ConfigError(say('config.agent_decides', { where: place(text, 'principals', 'scopes', row), id }));
    }
  }
  for (const [row, { principal, role }] of (policy?.deciders ?? []).entries()) {
    const where = place(text, 'policy.deciders', principal === undefined ? undefined : 'principal', row);
    if ((principal === undefined) === (role === undefined)) throw new ConfigError(say('config.one_of', { where }));
    if (principal !== undefined && !(ids.has(principal) || (ids.size === 0 && principal === 'owner'))) {
      const known = ids.size === 0 ? 'owner' : [...ids].join(', ');
      throw new ConfigError(say('config.no_principal', { where, value: quoted(principal), known }));
    }
  }
  const url = serve?.public_url === undefined ? undefined : new URL(serve.public_url);
  if (url !== undefined && (url.pathname !== '/' || url.search !== '' || url.hash !== '')) {
    const where = place(text, 'serve', 'public_url');
    const expected = say('expected.serve.public_url');
    throw new ConfigError(
      say('config.value', { where, key: '[serve] public_url', value: quoted(serve?.public_url ?? ''), expected }),
    );
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
