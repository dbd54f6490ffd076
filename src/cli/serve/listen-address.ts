import { ConfigError } from '../../core/errors.ts';
import type { CommandContext } from '../command.ts';
import type { HubAddress } from '../hub/hub-files.ts';
import type { Setting } from '../setting.ts';
import { UsageError } from '../usage-error.ts';

/** Where a hub listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Where to listen: the options, else the configuration.
 *
 * @throws UsageError for a port that is none.
 */
export function listenAddress({ options }: CommandContext, { config, say }: Setting): ListenAddress {
  const { serve } = config.hub;
  const port = options.port === undefined ? serve.port : Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(say('serve.port', { value: options.port ?? '' }));
  }
  return { host: options.host ?? serve.host, port };
}

/** Whether only programs of this machine reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Says, where nobody misses it, that others can reach the hub. */
export function warnIfOpen(host: string, stderr: CommandContext['io']['stderr'], { say }: Setting): void {
  if (!isLoopback(host)) stderr.write(`${say('serve.open', { host })}\n`);
}

/**
 * One hub a data folder.
 *
 * @throws ConfigError when one answers already.
 */
export async function refuseSecondHub(known: HubAddress | undefined, { say }: Setting): Promise<void> {
  if (known === undefined) return;
  const answers = await fetch(`${known.url}/ping`, { signal: AbortSignal.timeout(1000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (answers) throw new ConfigError(say('serve.running', { url: known.url, pid: known.pid }));
}
