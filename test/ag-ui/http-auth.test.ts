import { setTimeout as sleep } from 'node:timers/promises';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { describe, expect, test, vi } from 'vitest';
import {
  type AddStrandsEndpointOptions,
  addStrandsExpressEndpoint,
  createStrandsApp,
  type StrandsAuthMiddleware,
} from '../../src/ag-ui/http/index.ts';
import { agentOf, answer, finished, log, minimal, post, serve, started } from './http-fixture.ts';
import { ANN } from './support/served.ts';

/** An app of its own with the endpoint, what comes after it, and the errors that reached it. */
async function appWith(options: AddStrandsEndpointOptions, after: (app: express.Express) => void = () => undefined) {
  const agent = agentOf(started, finished);
  const app = express();
  const appErrors: unknown[] = [];
  addStrandsExpressEndpoint(app, agent, { logger: log, ...options });
  after(app);
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    appErrors.push(error);
    response.status(599).end();
  });
  return { served: await serve(app), agent, appErrors };
}

const secret = (status?: unknown) => Object.assign(new Error('secret detail'), status === undefined ? {} : { status });

const FAILURES: readonly [way: string, fail: (error: Error) => StrandsAuthMiddleware][] = [
  [
    'throws',
    (error) => () => {
      throw error;
    },
  ],
  ['rejects', (error) => () => Promise.reject(error)],
  [
    'rejects later',
    (error) => async () => {
      await sleep(5);
      throw error;
    },
  ],
  ['hands an error to next', (error) => (_request, _response, next) => next(error)],
];

describe('auth', () => {
  test('[C12.6] runs before the body is read, and admits by calling next', async () => {
    const auth: StrandsAuthMiddleware = (request, response, next) => {
      if (request.header('authorization') === 'Bearer ada') next();
      else response.status(401).json({ error: 'who are you?' });
    };
    const { served, agent } = await appWith({ auth });
    const refused = { status: 401, body: { error: 'who are you?' } };
    expect(await answer(served, '{"not json')).toEqual(refused);
    expect(await answer(served, minimal, { 'content-type': 'text/plain' })).toEqual(refused);
    expect(agent.asked).toEqual([]);
    const ada = { authorization: 'Bearer ada' };
    expect((await post(served, minimal, ada)).status).toBe(200);
    expect((await post(served, '{}', ada)).status).toBe(400);
    expect((await post(served, minimal, { ...ada, 'content-type': 'text/plain' })).status).toBe(415);
    expect(agent.asked).toHaveLength(1);
  });

  test.each(FAILURES)('[C12.6] a guard that %s refuses with the status of its error, or 500', async (_way, fail) => {
    for (const [error, status, text] of [
      [secret(), 500, 'Internal Server Error'],
      [secret(401), 401, 'Unauthorized'],
      [secret(403), 403, 'Forbidden'],
      [secret(200), 500, 'Internal Server Error'],
    ] as const) {
      const { served, agent, appErrors } = await appWith({ auth: fail(error) });
      expect(await answer(served)).toEqual({ status, body: { error: text } });
      expect([agent.asked, appErrors]).toEqual([[], []]);
      expect(log.error).toHaveBeenLastCalledWith('Authentication of the agent route failed', error);
    }
  });

  test('[C12.6] a value that is no error is a failure too', async () => {
    for (const value of [false, 0, '', 'nonsense']) {
      const { served, agent } = await appWith({ auth: (_request, _response, next) => next(value) });
      expect([(await post(served)).status, agent.asked]).toEqual([500, []]);
    }
  });

  test('[C12.6] a guard that answers and calls next does not reach the agent', async () => {
    const guards: StrandsAuthMiddleware[] = [
      (_request, response, next) => {
        response.status(403).json({ error: 'no' });
        next();
      },
      (_request, response, next) => {
        next();
        response.status(403).json({ error: 'no' });
      },
      async (_request, response, next) => {
        response.status(403).json({ error: 'no' });
        await sleep(5);
        next();
        throw secret();
      },
      (_request, response, next) => {
        response.status(403).json({ error: 'no' });
        next(secret());
      },
    ];
    const principal = vi.fn(() => ({ id: 'ada', kind: 'person' as const }));
    for (const auth of guards) {
      const { served, agent, appErrors } = await appWith({ auth, principal });
      expect(await answer(served)).toEqual({ status: 403, body: { error: 'no' } });
      await sleep(20);
      expect([agent.asked, appErrors]).toEqual([[], []]);
    }
    expect(principal.mock.calls.length, 'only the guard that admits first').toBe(1);
    expect(new Set(log.error.mock.calls.map(([line]) => line))).toEqual(
      new Set(['Authentication of the agent route failed']),
    );
  });

  test('[C12.6] a guard that answers after it called next keeps its answer, though the body is there already', async () => {
    const agent = agentOf(started, finished);
    const auth: StrandsAuthMiddleware = (_request, response, next) => {
      next();
      response.status(403).json({ error: 'no' });
    };
    const app = express().use(express.json());
    addStrandsExpressEndpoint(app, agent, { auth, logger: log });
    expect(await answer(await serve(app))).toEqual({ status: 403, body: { error: 'no' } });
    await sleep(20);
    expect([agent.asked, log.error.mock.calls]).toEqual([[], []]);
  });

  test('[C12.6] an answer that was begun and then fails is dropped', async () => {
    const auth: StrandsAuthMiddleware = (_request, response) => {
      response.status(200).write('half');
      throw secret();
    };
    const { served } = await appWith({ auth });
    await expect(post(served).then((response) => response.text())).rejects.toThrow();
  });

  test('[C12.6] what fails after the guard has spoken is logged and changes nothing', async () => {
    const error = secret(403);
    const auth: StrandsAuthMiddleware = async (_request, _response, next) => {
      next();
      next();
      next(error);
      throw error;
    };
    const { served, agent, appErrors } = await appWith({ auth });
    const response = await post(served);
    expect([response.status, (await response.text()).includes('RUN_FINISHED')]).toEqual([200, true]);
    expect([agent.asked.length, appErrors, log.error.mock.calls.length]).toEqual([1, [], 2]);
  });

  test.each(['route', 'router'] as const)('[C12.6] next(%j) leaves the route', async (signal) => {
    const auth: StrandsAuthMiddleware = (_request, _response, next) =>
      signal === 'route' ? next('route') : next('router');
    const after = (app: express.Express) => {
      app.post('/', (_request, response) => {
        response.json({ other: true });
      });
    };
    const { served, agent } = await appWith({ auth }, after);
    const response = await post(served);
    expect(response.status).toBe(signal === 'route' ? 200 : 404);
    expect([agent.asked, log.error.mock.calls]).toEqual([[], []]);
  });

  test('[B5] a guard says who it is by request.principal; what is no principal is refused', async () => {
    const saying = (principal: unknown): StrandsAuthMiddleware => {
      return (request, _response, next) => {
        Object.assign(request, { principal });
        next();
      };
    };
    const known = await appWith({ auth: saying({ id: 'ada', kind: 'person', roles: ['admin'] }) });
    await (await post(known.served)).text();
    expect(known.agent.asked[0]?.[1].principal).toEqual({ id: 'ada', kind: 'person', roles: ['admin'] });
    expect(log.warn).not.toHaveBeenCalled();
    const nonsense = await appWith({ auth: saying('ada') });
    expect([(await post(nonsense.served)).status, nonsense.agent.asked]).toEqual([500, []]);
  });

  test('[B10] a guard that does not say who it is leaves everybody anonymous, with one warning', async () => {
    const { served, agent } = await appWith({ auth: (_request, _response, next) => next() });
    expect(log.warn).not.toHaveBeenCalled();
    for (let i = 0; i < 2; i++) await (await post(served)).text();
    expect(agent.asked.map(([, { principal }]) => principal.id)).toEqual(['anonymous', 'anonymous']);
    expect(log.warn.mock.calls).toEqual([[expect.stringContaining('request.principal')]]);
  });

  test('[B5] a guard may set request.principal, and nothing else in its place, by its type', async () => {
    const auth: StrandsAuthMiddleware = (request, _response, next) => {
      // @ts-expect-error A principal is no name.
      request.principal = 'ada';
      request.principal = { id: 'ada', kind: 'person' };
      next();
    };
    const { served, agent } = await appWith({ auth });
    await post(served);
    expect(agent.asked.map(([, { principal }]) => principal.id)).toEqual(['ada']);
    const anyMiddleware: RequestHandler = (_request, _response, next) => next();
    expect((await appWith({ auth: anyMiddleware })).appErrors).toEqual([]);
  });

  test('[C12.1] what is wrong is told under the name of the function that was called, and of its option', async () => {
    await createStrandsApp(agentOf(), { logger: log });
    addStrandsExpressEndpoint(express(), agentOf(), { logger: log });
    expect(log.warn.mock.calls.map(([line]) => line.split(':')[0])).toEqual([
      'createStrandsApp',
      'addStrandsExpressEndpoint',
    ]);
    for (const name of ['path', 'pingPath', 'capabilitiesPath']) {
      await expect(createStrandsApp(agentOf(), { logger: log, [name]: '' })).rejects.toThrow(
        `createStrandsApp: option '${name}' must be a path`,
      );
    }
    const twice = { authenticate: () => ANN, principal: () => ANN };
    await expect(createStrandsApp(agentOf(), twice)).rejects.toThrow(/^createStrandsApp: authenticate and principal/);
  });

  test('[B5] the option principal reads what other middleware left; undefined is 401', async () => {
    const auth: StrandsAuthMiddleware = (request, _response, next) => {
      Object.assign(request, { user: request.header('x-user') });
      next();
    };
    const principal = (request: Request) => {
      const user: unknown = Reflect.get(request, 'user');
      return typeof user === 'string' ? { id: user, kind: 'person' as const } : undefined;
    };
    const { served, agent } = await appWith({ auth, principal });
    expect(await answer(served)).toEqual({ status: 401, body: { error: 'Unauthorized' } });
    await (await post(served, minimal, { 'x-user': 'ada' })).text();
    expect(agent.asked.map(([, context]) => context.principal.id)).toEqual(['ada']);
  });

  test('[B5] authenticate sees the request as the web does', async () => {
    const authenticate = vi.fn(() => ({ id: 'ada', kind: 'person' as const }));
    const { served } = await appWith({ authenticate, path: '/agents/:id' });
    await post({ url: `${served.url}agents/7?x=1` });
    expect(authenticate.mock.calls).toEqual([
      [{ method: 'POST', url: `${served.url}agents/7?x=1`, headers: expect.any(Headers) }],
    ]);
  });

  test('two ways to say who is calling are refused at set-up', async () => {
    const principal = () => undefined;
    await expect(appWith({ authenticate: principal, principal })).rejects.toThrow('give one of them');
  });

  test('[C12.6] ping and capabilities stay open', async () => {
    const auth: StrandsAuthMiddleware = (_request, response) => response.status(401).end();
    const { url } = await serve(await createStrandsApp(agentOf(), { auth, logger: log }));
    expect((await post({ url })).status).toBe(401);
    expect(await (await fetch(`${url}ping`)).json()).toEqual({ status: 'healthy' });
    expect((await fetch(`${url}capabilities`)).status).toBe(200);
  });
});

describe('body parsers', () => {
  test('[C12.1] a parser runs after auth, and what it cannot read is told in the form of this route', async () => {
    const parser = vi.fn(express.json({ limit: 1000 }));
    const auth: StrandsAuthMiddleware = (request, response, next) =>
      request.header('authorization') === undefined ? response.status(401).json({}) : next();
    const { served, agent, appErrors } = await appWith({ auth, bodyParser: parser });
    expect((await answer(served, '{"not json')).status).toBe(401);
    expect(parser).not.toHaveBeenCalled();
    const ada = { authorization: 'x' };
    expect(await answer(served, '{"not json', ada)).toMatchObject({
      status: 400,
      body: { error: 'Invalid RunAgentInput', issues: [{ path: '' }] },
    });
    expect(await answer(served, { ...minimal, state: 'x'.repeat(2000) }, ada)).toEqual({
      status: 413,
      body: { error: 'Payload Too Large: the limit is 1000 bytes' },
    });
    expect((await post(served, minimal, ada)).status).toBe(200);
    expect((await post(served, minimal, { ...ada, 'content-type': 'application/x+json' })).status).toBe(200);
    expect([agent.asked.length, appErrors]).toEqual([2, []]);
  });

  test('[C12.2] a body that the app has parsed already is used', async () => {
    const agent = agentOf(started, finished);
    const app = express().use(express.json());
    addStrandsExpressEndpoint(app, agent, { path: '/', logger: log });
    const served = await serve(app);
    expect((await post(served)).status).toBe(200);
    expect((await answer(served, {})).status).toBe(400);
    expect((await answer(served, minimal, { 'content-type': 'text/plain' })).status).toBe(415);
    expect(agent.asked).toHaveLength(1);
  });

  test('[C12.2] a parser that leaves an empty object without reading the body has parsed nothing', async () => {
    const agent = agentOf(started, finished);
    const app = express().use((request, _response, next) => {
      request.body = {};
      next();
    });
    addStrandsExpressEndpoint(app, agent, { path: '/', logger: log });
    expect((await post(await serve(app))).status).toBe(200);
  });
});
