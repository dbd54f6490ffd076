import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { TauError } from '../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import { holdsUserInfo } from '../config/shown-value.ts';
import { isLoopback } from '../serve/listen-address.ts';
import type { Setting } from '../setting.ts';
import { UsageError } from '../usage-error.ts';
import { readHubAddress, readLocalToken } from './hub-files.ts';
import { askProof, proveHub } from './prove-hub.ts';

/** A hub to speak to. */
export interface HubPlace {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** Makes sure that it is the hub that is meant, before it is sent the token. */
  prove(): Promise<void>;
}

const proofShape = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The hub that `--url` names, else the one that runs for the data folder.
 *
 * @throws UsageError for an address that cannot be one; TauError `no_hub` when none runs, `no_token` without a token.
 */
export function hubPlace(context: CommandContext, setting: Setting): HubPlace {
  const { url, data } = context.options;
  if (url === undefined) return hubOfFolder(context, setting);
  if (data !== undefined) throw new UsageError(setting.say('hub.url_or_data'));
  return hubAt(url, context, setting);
}

function hubOfFolder({ io }: CommandContext, setting: Setting): HubPlace {
  const { say, dataDir: path } = setting;
  const address = readHubAddress(setting);
  if (address === undefined) throw new TauError('no_hub', say('hub.not_running', { path }));
  const token = io.env.TAU_TOKEN || readLocalToken(setting);
  if (token === undefined) throw new TauError('no_token', say('hub.no_token', { path }));
  return { url: address.url, token, prove: () => proveHub(address, setting) };
}

/**
 * A hub that left no note in a folder, such as one inside a program of the user's own. Its key is not at hand, so that it
 * is a hub is all that can be found out; whose it is, the address has to say: this machine's own, or one with a
 * certificate.
 */
function hubAt(given: string, { io }: CommandContext, { say }: Setting): HubPlace {
  const url = readUrl(given, say);
  const token = io.env.TAU_TOKEN;
  if (!token) throw new TauError('no_token', say('hub.no_token_for_url', { url }));
  return {
    url,
    token,
    prove: async () => {
      const nonce = randomBytes(32).toString('hex');
      if (proofShape.safeParse(await askProof(url, nonce, say('hub.no_answer_at', { url }))).success) return;
      throw new TauError('foreign_hub', say('hub.no_hub_at', { url }));
    },
  };
}

function readUrl(given: string, say: Setting['say']): string {
  const parsed = URL.canParse(given) ? new URL(given) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) throw new UsageError(say('hub.url'));
  if (holdsUserInfo(given)) throw new UsageError(say('hub.url_user_info'));
  const { protocol, hostname, pathname, search, hash, origin } = parsed;
  if (pathname !== '/' || search !== '' || hash !== '') throw new UsageError(say('hub.url'));
  if (protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''))) {
    throw new UsageError(say('hub.url_plain', { host: hostname }));
  }
  return origin;
}
