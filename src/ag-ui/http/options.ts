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

type Kind = 'function' | 'boolean' | 'string' | 'object' | 'positive number' | 'any';

/** The options that a function takes, and what each of them must be. */
export type OptionKinds<T> = { readonly [K in keyof Required<T>]: Kind };

/** Kinds of the options in `TransportOptions`. */
export const transportKinds: OptionKinds<TransportOptions> = {
  bodyLimit: 'positive number',
  keepAliveSeconds: 'positive number',
};

/**
 * Refuses options that would be silently ignored: a mistyped `auth` must not leave a route open.
 *
 * @param taker - Name of the function, for the message.
 * @throws ConfigError that names the option and what it may be.
 */
export function checkOptions<T extends object>(taker: string, options: T, kinds: OptionKinds<T>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ConfigError(`${taker}: the options are no object`);
  }
  const known = new Map<string, Kind>(Object.entries(kinds));
  for (const [name, value] of Object.entries(options)) {
    const kind = known.get(name);
    if (kind === undefined) {
      throw new ConfigError(`${taker}: unknown option '${name}'; known are ${[...known.keys()].join(', ')}`);
    }
    if (value !== undefined && !isKind(value, kind)) {
      throw new ConfigError(
        `${taker}: option '${name}' must be a ${kind}, not ${value === null ? 'null' : typeof value}`,
      );
    }
  }
}

/** @throws ConfigError when a path is no path of this server. */
export function checkPath(taker: string, name: string, path: string): void {
  if (path.startsWith('/') && !/[\s?#]/.test(path)) return;
  throw new ConfigError(`${taker}: option '${name}' must be a path that begins with '/', such as '/agent'`);
}

/** Milliseconds of silence before the stream is kept open. */
export function keepAliveMs({ keepAliveSeconds }: TransportOptions): number {
  return (keepAliveSeconds ?? DEFAULT_KEEP_ALIVE_SECONDS) * 1000;
}

function isKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'positive number':
      return typeof value === 'number' && value > 0 && Number.isFinite(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'function':
    case 'boolean':
    case 'string':
      return typeof value === kind;
    default:
      return kind satisfies never;
  }
}
