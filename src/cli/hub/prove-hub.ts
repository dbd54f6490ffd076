import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { z } from 'zod';
import { TauError } from '../../core/errors.ts';
import { isProof } from '../../hub/index.ts';
import { isLoopback } from '../serve/listen-address.ts';
import type { Setting } from '../setting.ts';
import type { HubAddress } from './hub-files.ts';

const PATIENCE_MS = 5000;

const answer = z.object({ proof: z.string() });

/**
 * Makes sure that what listens where a data folder says is the hub that wrote it there, before it is given anything: a
 * hub that was killed leaves its address behind, and anybody may listen there next.
 *
 * @throws TauError with code `no_hub` when nobody answers, `foreign_hub` when it is not the hub.
 */
export async function proveHub({ url, key }: HubAddress, { config, say }: Setting): Promise<void> {
  if (!isOwnAddress(url, config.hub.serve)) throw new TauError('foreign_hub', say('hub.elsewhere', { url }));
  const nonce = randomBytes(32).toString('hex');
  const response = await fetch(`${url}/proof?nonce=${nonce}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw new TauError('no_hub', say('hub.no_answer', { url }), { cause: error });
  });
  const given = answer.safeParse(await response.json().catch(() => undefined));
  if (!given.success || !isProof(key, nonce, given.data.proof)) {
    throw new TauError('foreign_hub', say('hub.foreign', { url }));
  }
}

/** Whether an address is one of this machine, or one that the configuration names. */
function isOwnAddress(url: string, serve: Setting['config']['hub']['serve']): boolean {
  const { hostname, origin } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(name) || name === serve.host) return true;
  if (serve.publicUrl !== undefined && new URL(serve.publicUrl).origin === origin) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === name) === true);
}
