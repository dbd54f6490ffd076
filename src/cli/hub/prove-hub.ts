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
  const proof = await askProof(url, nonce, say('hub.no_answer', { url }));
  if (proof === undefined || !isProof(key, nonce, proof)) {
    throw new TauError('foreign_hub', say('hub.foreign', { url }));
  }
}

/**
 * What an address answers when it is asked to prove itself; `undefined` for something that is no hub. Nothing secret is
 * sent.
 *
 * @throws TauError with code `no_hub` and the text `silence` when nobody answers.
 */
export async function askProof(url: string, nonce: string, silence: string): Promise<string | undefined> {
  const response = await fetch(`${url}/proof?nonce=${nonce}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((error: unknown) => {
    throw new TauError('no_hub', silence, { cause: error });
  });
  return answer.safeParse(await response.json().catch(() => undefined)).data?.proof;
}

/** Whether an address is one of this machine, or one that the configuration names. */
function isOwnAddress(url: string, serve: Setting['config']['hub']['serve']): boolean {
  const { hostname, origin } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(name) || name === serve.host) return true;
  if (serve.publicUrl !== undefined && new URL(serve.publicUrl).origin === origin) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === name) === true);
}
