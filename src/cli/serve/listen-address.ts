import type { CommandContext } from '../command.ts';
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

/** Where a program of this machine reaches a hub: one that listens everywhere listens on the loopback address too. */
export function localUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
