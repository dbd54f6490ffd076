import type { Request, RequestHandler, Response } from 'express';
import { ConfigError } from '../../../core/errors.ts';
import type { Logger } from '../../config.ts';

/** Who may read the server's answers from a page of another origin, and what such a page may send. */
export interface CorsOptions {
  /**
   * | value | pages that may read |
   * |---|---|
   * | not given, `false`, `''` | none of another origin |
   * | `'*'`, a list that contains `'*'` | all, without credentials |
   * | one origin, a list of origins | those, with credentials |
   * | `true` | every one that asks, with credentials: any site can act as its visitor. Prefer a list |
   *
   * A page whose origin is `null` never gets credentials.
   */
  readonly corsOrigin?: boolean | string | readonly string[];
  /** Methods that a preflight names. Default: the usual six. */
  readonly allowMethods?: string | readonly string[];
  /** Headers that a preflight names; with a list, `Content-Type` must be on it. Default: whatever the page asks for. */
  readonly allowHeaders?: string | readonly string[];
  /** `false` switches everything here off; `true` insists on a `corsOrigin`. */
  readonly corsEnabled?: boolean;
}

/** Whom the policy lets in, and whether it names a site, which is what credentials need. */
interface Origins {
  readonly varies: boolean;
  readonly namesSite: boolean;
  allowed(origin: string | undefined): string | undefined;
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'];

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const ORIGIN = /^[\x21-\x2b\x2d-\x7e]+$/;

/**
 * The middleware for cross-origin access; `undefined` when there is none, which is the default.
 *
 * @throws ConfigError on settings that would do nothing, or that cannot stand in a header.
 */
export function corsFor(options: CorsOptions, log: Logger): RequestHandler | undefined {
  if (options.corsEnabled === false) return undefined;
  const origins = originsOf(options.corsOrigin);
  if (origins === undefined) return refuseUseless(options);
  const methods = namesOf('allowMethods', options.allowMethods);
  const headers = namesOf('allowHeaders', options.allowHeaders);
  warnAboutEmpty(options, log);
  return (request, response, next) => {
    const { origin } = request.headers;
    const allowed = origins.allowed(origin);
    if (allowed !== undefined) response.setHeader('Access-Control-Allow-Origin', allowed);
    if (origins.varies) response.vary('Origin');
    if (origins.namesSite && origin !== 'null') response.setHeader('Access-Control-Allow-Credentials', 'true');
    if (request.method === 'OPTIONS') answerPreflight(request, response, methods ?? METHODS, headers);
    else next();
  };
}

function answerPreflight(
  request: Request,
  response: Response,
  methods: readonly string[],
  headers: readonly string[] | undefined,
): void {
  if (headers === undefined) response.vary('Access-Control-Request-Headers');
  const allowed = headers?.join(',') ?? request.header('access-control-request-headers') ?? '';
  if (methods.length > 0) response.setHeader('Access-Control-Allow-Methods', methods.join(','));
  if (allowed !== '') response.setHeader('Access-Control-Allow-Headers', allowed);
  response.status(204).setHeader('Content-Length', '0').end();
}

function originsOf(given: CorsOptions['corsOrigin']): Origins | undefined {
  if (given === undefined || given === false || given === '') return undefined;
  if (given === true) return { varies: true, namesSite: true, allowed: (origin) => origin };
  const list = typeof given === 'string' ? [given] : given;
  if (!isTexts(list)) throw new ConfigError('corsOrigin must be an origin, a list of origins, or a boolean');
  if (list.includes('*')) return { varies: false, namesSite: false, allowed: () => '*' };
  const bad = list.find((origin) => !ORIGIN.test(origin));
  if (bad !== undefined) throw new ConfigError(`corsOrigin: ${JSON.stringify(bad)} cannot be an origin`);
  const namesSite = list.some((origin) => origin !== 'null');
  if (typeof given === 'string') return { varies: true, namesSite, allowed: () => given };
  const known = new Set(list);
  return {
    varies: true,
    namesSite,
    allowed: (origin) => (origin !== undefined && known.has(origin) ? origin : undefined),
  };
}

function refuseUseless({ allowMethods, allowHeaders, corsEnabled }: CorsOptions): undefined {
  const useless = Object.entries({ allowMethods, allowHeaders, corsEnabled }).filter(
    ([, value]) => value !== undefined,
  );
  if (useless.length === 0) return undefined;
  const names = useless.map(([name]) => name).join(', ');
  throw new ConfigError(`${names} without corsOrigin would do nothing; say which origins may read, or leave it out`);
}

function namesOf(option: string, given: string | readonly string[] | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const names = typeof given === 'string' ? given.split(',').map((name) => name.trim()) : given;
  if (!isTexts(names)) throw new ConfigError(`${option} must be a list of names`);
  const bad = names.find((name) => !TOKEN.test(name));
  if (bad !== undefined) throw new ConfigError(`${option}: ${JSON.stringify(bad)} cannot stand in a header`);
  return names;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** An empty list denies everything, and only the browser of whoever is denied says so. */
function warnAboutEmpty(options: CorsOptions, log: Logger): void {
  for (const name of ['corsOrigin', 'allowMethods', 'allowHeaders'] as const) {
    const given = options[name];
    if (Array.isArray(given) && given.length === 0) log.warn(`${name} is an empty list, which denies everything`);
  }
}
