import express from 'express';
import { describe, expect, test } from 'vitest';
import {
  addCapabilities,
  addPing,
  type CreateStrandsAppOptions,
  createStrandsApp,
} from '../../src/ag-ui/http/index.ts';
import { ConfigError } from '../../src/core/errors.ts';
import { agentOf, finished, log, post, SERVERS, serve, started } from './http-fixture.ts';

async function appOf(options: CreateStrandsAppOptions) {
  return serve(await createStrandsApp(agentOf(started, finished), { logger: log, ...options }));
}

/** The headers of CORS that answer a request from a page of an origin. */
async function answered(options: CreateStrandsAppOptions, origin?: string, method = 'POST') {
  const served = await appOf(options);
  const headers: Record<string, string> = origin === undefined ? {} : { origin };
  if (method === 'OPTIONS') headers['access-control-request-headers'] = 'x-asked';
  const response =
    method === 'POST' ? await post(served, undefined, headers) : await fetch(served.url, { method, headers });
  const sent = [...response.headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary');
  return {
    status: response.status,
    ...Object.fromEntries(sent.map(([name, value]) => [name.replace('access-control-', ''), value])),
  };
}

const SITE = 'https://app.example';
const OTHER = 'https://evil.example';

describe('cross-origin access', () => {
  test('[B9, C12.5] is off unless it is asked for', async () => {
    for (const options of [{}, { corsOrigin: false }, { corsOrigin: '' }, { corsEnabled: false, corsOrigin: '*' }]) {
      expect(await answered(options, SITE)).toEqual({ status: 200 });
    }
  });

  test('[C12.5] a wildcard, alone or in a list, lets everybody read, without credentials', async () => {
    for (const corsOrigin of ['*', ['*'], [SITE, '*']]) {
      expect(await answered({ corsOrigin }, OTHER)).toEqual({ status: 200, 'allow-origin': '*' });
      expect(await answered({ corsOrigin }, 'null')).toEqual({ status: 200, 'allow-origin': '*' });
    }
  });

  test('[C12.5] named origins may read, with credentials; others may not, and nobody whose origin is null gets them', async () => {
    const corsOrigin = [SITE, 'null'];
    expect(await answered({ corsOrigin }, SITE)).toEqual({
      status: 200,
      'allow-origin': SITE,
      'allow-credentials': 'true',
      vary: 'Origin',
    });
    expect(await answered({ corsOrigin }, OTHER)).not.toHaveProperty('allow-origin');
    expect(await answered({ corsOrigin }, `${SITE}/`)).not.toHaveProperty('allow-origin');
    expect(await answered({ corsOrigin }, 'null')).toEqual({ status: 200, 'allow-origin': 'null', vary: 'Origin' });
    expect(await answered({ corsOrigin: SITE }, OTHER)).toMatchObject({ 'allow-origin': SITE, vary: 'Origin' });
    expect(await answered({ corsOrigin: 'null' }, OTHER)).toEqual({
      status: 200,
      'allow-origin': 'null',
      vary: 'Origin',
    });
    expect(await answered({ corsOrigin: ['null'] }, SITE)).toEqual({ status: 200, vary: 'Origin' });
  });

  test('[C12.5] true lets in whoever asks', async () => {
    expect(await answered({ corsOrigin: true }, OTHER)).toEqual({
      status: 200,
      'allow-origin': OTHER,
      'allow-credentials': 'true',
      vary: 'Origin',
    });
    expect(await answered({ corsOrigin: true }, 'null')).toEqual({
      status: 200,
      'allow-origin': 'null',
      vary: 'Origin',
    });
  });

  test('[C12.5] a preflight names methods and headers, as narrow as they were set', async () => {
    expect(await answered({ corsOrigin: SITE }, SITE, 'OPTIONS')).toEqual({
      status: 204,
      'allow-origin': SITE,
      'allow-credentials': 'true',
      'allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
      'allow-headers': 'x-asked',
      vary: 'Origin, Access-Control-Request-Headers',
    });
    const narrow = { corsOrigin: '*', allowMethods: ['POST'], allowHeaders: 'Content-Type, X-Tenant' };
    expect(await answered(narrow, SITE, 'OPTIONS')).toEqual({
      status: 204,
      'allow-origin': '*',
      'allow-methods': 'POST',
      'allow-headers': 'Content-Type,X-Tenant',
    });
  });

  test('[C12.5] empty lists deny, with a warning', async () => {
    const empty = { corsOrigin: [SITE], allowMethods: [], allowHeaders: [] };
    expect(await answered(empty, SITE, 'OPTIONS')).toEqual({
      status: 204,
      'allow-origin': SITE,
      'allow-credentials': 'true',
      vary: 'Origin',
    });
    expect(await answered({ corsOrigin: [] }, SITE)).toEqual({ status: 200, vary: 'Origin' });
    expect(log.warn.mock.calls.map(([line]) => line).filter((line) => line.includes('empty list'))).toEqual([
      'allowMethods is an empty list, which denies everything',
      'allowHeaders is an empty list, which denies everything',
      'corsOrigin is an empty list, which denies everything',
    ]);
  });

  test('[C12.5] settings that would do nothing, or that cannot stand in a header, throw at set-up', async () => {
    const bad: unknown[] = [
      { corsEnabled: true },
      { corsEnabled: true, corsOrigin: '' },
      { allowMethods: ['POST'] },
      { allowHeaders: [] },
      { corsOrigin: false, allowHeaders: ['X'] },
      { corsOrigin: 7 },
      { corsOrigin: [7] },
      { corsOrigin: `${SITE}\r\nX-Evil: 1` },
      { corsOrigin: [`${SITE}, ${OTHER}`] },
      { corsOrigin: SITE, allowHeaders: ['X\r\nY: 1'] },
      { corsOrigin: SITE, allowMethods: [''] },
      { corsOrigin: SITE, allowMethods: 7 },
      { corsOrigin: SITE, corsEnabled: 'yes' },
      { cors: true },
      { path: 'agent' },
      { auth: 'Bearer x' },
    ];
    for (const options of bad) {
      await expect(createStrandsApp(agentOf(), options as CreateStrandsAppOptions)).rejects.toThrow(ConfigError);
    }
    await expect(appOf({ corsEnabled: false, allowMethods: ['POST'] })).resolves.toBeDefined();
    await expect(appOf({ corsEnabled: true, corsOrigin: SITE })).resolves.toBeDefined();
  });
});

describe('the app', () => {
  test('[C12.5, C12.7, C12.8] serves what it was told where it was told', async () => {
    const options = {
      path: '/invocations',
      pingPath: '/health',
      capabilitiesPath: '/caps',
      capabilities: { features: { media: true } },
    };
    const { url } = await appOf(options);
    expect((await post({ url: `${url}invocations` })).status).toBe(200);
    expect(await (await fetch(`${url}health`)).text()).toBe('{"status":"healthy"}');
    expect(await (await fetch(`${url}caps`)).json()).toMatchObject({ protocol: '1', features: { media: true } });
    for (const path of ['', 'ping', 'capabilities']) expect((await fetch(url + path)).status).toBe(404);
    expect((await fetch(`${url}health`)).headers.get('x-powered-by')).toBeNull();
  });

  test('[C12.7, C12.8] ping and capabilities can be added to an app of your own', async () => {
    const app = express();
    addPing(app);
    addCapabilities(app);
    addCapabilities(app, '/overridden', { features: { media: true } });
    addCapabilities(app, '/chunked', {
      agent: { ...agentOf(), config: { emitChunkEvents: true } },
      overrides: { events: { RAW: false } },
    });
    const { url } = await serve(app);
    const capabilities = async (path: string) => (await fetch(url + path)).json();
    expect(await capabilities('ping')).toEqual({ status: 'healthy' });
    expect(await capabilities('capabilities')).toMatchObject({ features: { media: false }, events: { RAW: true } });
    expect(await capabilities('overridden')).toMatchObject({ features: { media: true } });
    expect(await capabilities('chunked')).toMatchObject({
      events: { RAW: false, TOOL_CALL_CHUNK: true, TOOL_CALL_START: false },
    });
  });

  test('an endpoint with a mistyped option is refused before it is open', async () => {
    for (const [, start] of SERVERS) {
      await expect((async () => start(agentOf(), JSON.parse('{"autenticate":1}')))()).rejects.toThrow(
        "unknown option 'autenticate'",
      );
    }
  });
});
