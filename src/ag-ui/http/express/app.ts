import type { Express, IRouter, RequestHandler } from 'express';
import { checkOptions, type OptionKinds } from '../../../core/check-options.ts';
import { ConfigError } from '../../../core/errors.ts';
import { consoleLogger } from '../../../core/platform.ts';
import type { Logger } from '../../config.ts';
import { capabilitiesFor, type StrandsAguiCapabilitiesOverrides } from '../capabilities.ts';
import { checkPath, type TransportOptions, transportKinds } from '../options.ts';
import { loggerOf, type ServedAgent } from '../served-agent.ts';
import { type CorsOptions, corsFor } from './cors.ts';
import { addAgentRoute, type RouteAuthOptions, routeAuthKinds } from './endpoint.ts';

/** Options of `createStrandsApp`. */
export interface CreateStrandsAppOptions extends TransportOptions, RouteAuthOptions, CorsOptions {
  /** Where runs are posted. Default `/`. */
  readonly path?: string;
  /** Default `/ping`. Open to everybody. */
  readonly pingPath?: string;
  /** Default `/capabilities`. Open to everybody. */
  readonly capabilitiesPath?: string;
  readonly capabilities?: StrandsAguiCapabilitiesOverrides;
  /** Default: the agent's own logger, else the console. */
  readonly logger?: Logger;
}

const KINDS: OptionKinds<CreateStrandsAppOptions> = {
  ...transportKinds,
  ...routeAuthKinds,
  path: 'string',
  pingPath: 'string',
  capabilitiesPath: 'string',
  capabilities: 'object',
  corsOrigin: 'any',
  allowMethods: 'any',
  allowHeaders: 'any',
  corsEnabled: 'boolean',
  logger: 'object',
};

const TAKER = 'createStrandsApp';

/**
 * An Express app that serves one agent, `/ping` and `/capabilities`, and nothing else. No page of another origin can read
 * its answers unless `corsOrigin` says so.
 *
 * @throws ConfigError on an option that does not exist, has the wrong type or would do nothing, and when `express` is not
 *   installed.
 */
export async function createStrandsApp(agent: ServedAgent, options: CreateStrandsAppOptions = {}): Promise<Express> {
  checkOptions(TAKER, options, KINDS);
  checkPaths(options);
  const {
    path,
    pingPath,
    capabilitiesPath,
    capabilities,
    corsOrigin,
    allowMethods,
    allowHeaders,
    corsEnabled,
    ...rest
  } = options;
  const log = loggerOf(agent, options.logger, consoleLogger);
  const cors = corsFor(given({ corsOrigin, allowMethods, allowHeaders, corsEnabled }), log);
  const app = await newApp();
  app.disable('x-powered-by');
  if (cors !== undefined) app.use(cors);
  addAgentRoute(TAKER, app, agent, { ...rest, ...given({ path }) });
  addPing(app, pingPath);
  addCapabilities(app, capabilitiesPath, { agent, ...given({ overrides: capabilities }) });
  return app;
}

/** Each by the name that the application knows it by. */
function checkPaths({ path, pingPath, capabilitiesPath }: CreateStrandsAppOptions): void {
  for (const [name, value] of Object.entries({ path, pingPath, capabilitiesPath })) {
    if (value !== undefined) checkPath(TAKER, name, value);
  }
}

/** Answers `{"status":"healthy"}`, for whoever watches the process. */
export function addPing(app: Pick<IRouter, 'get'>, path = '/ping'): void {
  checkPath('addPing', 'path', path);
  const ping: RequestHandler = (_request, response) => {
    response.json({ status: 'healthy' });
  };
  app.get(path, ping);
}

/** Where the flags of `addCapabilities` come from. */
export interface CapabilitiesOptions {
  /** Whose settings decide, read anew for each request. */
  readonly agent?: ServedAgent;
  readonly overrides?: StrandsAguiCapabilitiesOverrides;
}

/** Answers what the server can do. The third argument may also be the overrides themselves. */
export function addCapabilities(
  app: Pick<IRouter, 'get'>,
  path = '/capabilities',
  options: CapabilitiesOptions | StrandsAguiCapabilitiesOverrides = {},
): void {
  checkPath('addCapabilities', 'path', path);
  const { agent, overrides } = isOptions(options) ? options : { agent: undefined, overrides: options };
  const capabilities: RequestHandler = (_request, response) => {
    response.json(capabilitiesFor(agent, overrides));
  };
  app.get(path, capabilities);
}

function isOptions(options: CapabilitiesOptions | StrandsAguiCapabilitiesOverrides): options is CapabilitiesOptions {
  return 'agent' in options || 'overrides' in options;
}

/** Without what was not given: an absent option and one that is `undefined` are the same. */
function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

async function newApp(): Promise<Express> {
  try {
    const { default: express } = await import('express');
    return express();
  } catch (cause) {
    throw new ConfigError(`${TAKER} needs the package 'express': npm install express`, { cause });
  }
}
