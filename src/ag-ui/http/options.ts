import type { OptionKinds } from '../../core/check-options.ts';
import { ConfigError } from '../../core/errors.ts';

/** Options of a server that are the same in every form of it. */
export interface TransportOptions {
  /** The largest request that is read, in bytes. Default 50 MiB. */
  readonly bodyLimit?: number;
  /** Seconds of silence after which a comment keeps the stream open. Default 15. */
  readonly keepAliveSeconds?: number;
}

/** The largest request that is read when nothing else is said. */
export const DEFAULT_BODY_LIMIT: number = 50 * 1024 * 1024;

const DEFAULT_KEEP_ALIVE_SECONDS = 15;

/** Kinds of the options in `TransportOptions`. */
export const transportKinds: OptionKinds<TransportOptions> = {
  bodyLimit: 'positive number',
  keepAliveSeconds: 'positive number up to 2147483',
};

/** @throws ConfigError when a path is no path of this server. */
export function checkPath(taker: string, name: string, path: string): void {
  if (path.startsWith('/') && !/[\s?#]/.test(path)) return;
  throw new ConfigError(`${taker}: option '${name}' must be a path that begins with '/', such as '/agent'`);
}

/** Milliseconds of silence before the stream is kept open. */
export function keepAliveMs({ keepAliveSeconds }: TransportOptions): number {
  return (keepAliveSeconds ?? DEFAULT_KEEP_ALIVE_SECONDS) * 1000;
}
