import type { HubAuthenticate } from 'strands-tau/hub';
import { describe, expect, it } from 'vitest';
import { DONE, unlock } from '../support/strands.ts';
import { ADA, login, type Reply, type Running, runInput, type Send, startHub } from './support/hub.ts';

const REFUSED = new Set([400, 401, 403, 404, 405, 415, 421, 422]);

/** A hub with an open question of Ada's. */
async function asked(): Promise<Running & { readonly ada: string; readonly id: string; readonly digest: string }> {
  const hub = await startHub([[unlock('front', 'c1')], DONE]);
  const ada = await hub.token();
  await hub.run(ada);
  const { id, digest } = await hub.question(ada);
  return { ...hub, ada, id, digest };
}

/** Every way to change something, for a question. */
function changes(id: string, digest: string): readonly (readonly [path: string, body: NonNullable<Send['body']>])[] {
  const question = `/api/approvals/${id}`;
  return [
    [`${question}/decision`, { decision: 'approved', digest }],
    [`${question}/decision`, { decision: 'rejected', digest }],
    [`${question}/decision`, { decision: 'approved', digest, editedArguments: { door: 'back' } }],
    [`${question}/cancel`, {}],
    [`${question}/retry`, { digest }],
    ['/agent', runInput({ resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] })],
  ];
}

describe('[P19, P7] a request that changes something', () => {
  it('decides nothing without a credential, with a wrong one, without the scope, by somebody else or by an agent', async () => {
    const { send, id, digest, token, state, started } = await asked();
    const bob = await token('bob');
    const bot = await token('bot', ['run']);
    const read = await token('ada', []);
    const credentials: Readonly<Record<string, Send>> = {
      'no token': {},
      'a wrong token': { token: 'tau_wrong' },
      'an empty token': { headers: { authorization: 'Bearer ' } },
      'another scheme': { headers: { authorization: `Basic ${btoa('ada:ada')}` } },
      'a token without scopes': { token: read },
      'the token of somebody else': { token: bob },
      'the token of an agent': { token: bot },
    };
    for (const [name, credential] of Object.entries(credentials)) {
      for (const [path, body] of changes(id, digest)) {
        const reply = await send(path, { ...credential, body });
        const isForeignRun = path === '/agent' && reply.status === 200;
        // Somebody else's run with the question's id is a run on a thread of their own, which knows no such question.
        if (isForeignRun) expect(String(reply.body)).toContain('UNKNOWN_INTERRUPT_ID');
        else expect([name, path, REFUSED.has(reply.status)]).toEqual([name, path, true]);
      }
    }
    expect((await state.store.get(id))?.status).toBe('pending');
    expect(started()).toEqual([]);
  });

  it('decides nothing by a token that may only run, not even over a thread of its own', async () => {
    const { send, run, id, token, state, started, ada } = await asked();
    const mayRun = await token('ada', ['run']);
    const editedArgs = { door: 'back' };
    const answers = [
      { status: 'resolved', payload: { approved: true } },
      { status: 'resolved', payload: { approved: false } },
      { status: 'resolved', payload: { approved: true, editedArgs } },
    ];
    for (const answer of answers) {
      const events = await run(mayRun, { resume: [{ interruptId: id, ...answer }] });
      expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'FORBIDDEN_ANSWER' });
    }
    expect((await state.store.list({ limit: 10 })).records.map(({ status }) => status)).toEqual(['pending']);
    expect(started()).toEqual([]);
    // Of a question on somebody else's thread it learns what it learns of one that does not exist.
    const theirs = await run(await token('bob', ['run']), { resume: [{ interruptId: id, ...answers[0] }] });
    const none = await run(mayRun, { resume: [{ interruptId: 'x', ...answers[0] }] });
    expect([theirs, none].map((events) => events.at(-1))).toMatchObject([
      { code: 'UNKNOWN_INTERRUPT_ID' },
      { code: 'UNKNOWN_INTERRUPT_ID' },
    ]);
    await send('/agent', { token: ada, body: runInput({ resume: [{ interruptId: id, ...answers[0] }] }) });
    expect(started()).toEqual(['unlock_door {"door":"front"}']);
  });

  it('is never a GET, HEAD, PUT, PATCH or DELETE', async () => {
    const { send, ada, id, digest, state } = await asked();
    for (const [path, body] of changes(id, digest)) {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const hasBody = method !== 'GET' && method !== 'HEAD';
        const query = new URLSearchParams({ decision: 'approved', digest });
        const reply = await send(`${path}?${query}`, { method, token: ada, body: hasBody ? body : undefined });
        expect([method, path, reply.status]).toEqual([method, path, 404]);
      }
    }
    expect((await state.store.get(id))?.status).toBe('pending');
  });

  it('with a cookie needs the origin of the hub and a JSON body', async () => {
    const hub = await asked();
    const { send, id, digest, state, url } = hub;
    const cookie = await login(hub);
    const [[path, body] = ['', {}]] = changes(id, digest);
    const good = { cookie, origin: url };
    const bad: readonly Readonly<Record<string, string>>[] = [
      { cookie },
      { cookie, origin: 'null' },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: `${url}.evil.example` },
      { cookie, origin: url.replace('127.0.0.1', 'localhost') },
      { cookie, origin: url.replace(/\d+$/, '1') },
      { ...good, 'sec-fetch-site': 'cross-site' },
      { ...good, 'sec-fetch-site': 'same-site' },
      { ...good, 'sec-fetch-site': 'none' },
      { ...good, 'content-type': 'text/plain' },
      { ...good, 'content-type': 'application/x-www-form-urlencoded' },
      { ...good, 'content-type': '' },
    ];
    for (const headers of bad) {
      for (const [to, what] of changes(id, digest)) {
        const reply = await send(to, { body: what, headers });
        expect([headers, reply.status === 403 || reply.status === 415]).toEqual([headers, true]);
      }
    }
    expect((await state.store.get(id))?.status).toBe('pending');
    const reply = await send(path, { body, headers: { ...good, 'sec-fetch-site': 'same-origin' } });
    expect([reply.status, reply.body.approval.decision.channel]).toEqual([200, 'web']);
  });

  it('a cookie does not make a wrong token good', async () => {
    const hub = await asked();
    const cookie = await login(hub);
    const reply = await hub.send('/api/me', { token: 'tau_wrong', headers: { cookie } });
    expect(reply.status).toBe(401);
    expect((await hub.send('/api/me', { headers: { cookie } })).body.principal.id).toBe('ada');
  });

  it('by a token of an agent never has the scope to decide, even when an embedder says so', async () => {
    const auth: NonNullable<Parameters<typeof startHub>[1]>['hub'] = {
      auth: ({ headers }) =>
        headers.get('x-who') === null
          ? undefined
          : { principal: { id: 'ada', kind: 'agent' }, scopes: ['run', 'decide'] },
    };
    const hub = await startHub([[unlock('front', 'c1')], DONE], { hub: auth });
    const ada = await hub.token();
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    const [[path, body] = ['', {}]] = changes(id, digest);
    const reply = await hub.send(path, { body, headers: { 'x-who': 'ada', authorization: 'Bearer x' } });
    expect([reply.status, reply.body.error.code]).toEqual([403, 'missing_scope']);
    await expect(hub.hub.tokens.create({ principal: 'bot', scopes: ['decide'] })).rejects.toThrow(
      "principal 'bot' may not have scope 'decide'",
    );
  });
});

describe('[P19] what is open', () => {
  it('is only the signs of life and the login', async () => {
    const { send } = await startHub([]);
    const paths = ['/ping', '/ready', '/capabilities', '/', '/login', '/assets/x.js', '/api', '/api/', '/agent'];
    const api = ['approvals', 'approvals/x', 'events', 'audit', 'tools', 'threads', 'threads/x', 'me', 'nothing'];
    const all = [...paths, ...api.map((name) => `/api/${name}`), '/%61pi/approvals', '/API/me', '/logout'];
    const asked = all.flatMap((path) => [['GET', path] as const, ['POST', path] as const]);
    const open: string[] = [];
    for (const [method, path] of asked) {
      const { status } = await send(path, { method, body: method === 'POST' ? {} : undefined });
      if (status !== 401 && status !== 404) open.push(`${method} ${path} ${status}`);
    }
    expect(open).toEqual(['GET /ping 200', 'GET /ready 200', 'GET /capabilities 200', 'POST /login 403']);
  });

  it('tells nothing of routes, ids or the inside', async () => {
    const { send, ada, id, token } = await asked();
    const bob = await token('bob');
    const unknown = await send('/api/approvals/0123456789abcdef0123456789abcdef', { token: ada });
    const foreign = await send(`/api/approvals/${id}`, { token: bob });
    expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
    const decision = { decision: 'approved', digest: 'a'.repeat(64) } as const;
    const replies = await Promise.all([
      send(`/api/approvals/${id}/decision`, { token: bob, body: decision }),
      send('/api/approvals/nothing/decision', { token: bob, body: decision }),
      send(`/api/approvals/${encodeURIComponent('__proto__')}/decision`, { token: bob, body: decision }),
    ]);
    const shown = ({ status, body, headers }: Reply): unknown => [status, body, headers.get('content-length')];
    expect(new Set(replies.map((reply) => JSON.stringify(shown(reply)))).size).toBe(1);
  });

  it('answers to its own names only, so that a rebound name reaches nothing', async () => {
    const { url, ada } = await asked();
    const { port } = new URL(url);
    const status = (host: string): Promise<number> => statusWithHost(Number(port), host, ada);
    expect(await status(`127.0.0.1:${port}`)).toBe(200);
    expect(await status(`localhost:${port}`)).toBe(200);
    expect(await status(`[::1]:${port}`)).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.',
      '192.168.0.1',
    ]) {
      expect([host, await status(host)]).toEqual([host, 421]);
    }
  });
});

describe('[P19] credentials', () => {
  it('a token is kept as a hash, and is worthless once it was revoked or its account is gone', async () => {
    const { hub, send, token, state } = await startHub([]);
    const secret = await token('ada', ['run']);
    expect(JSON.stringify(await state.values.list('token', 0))).not.toContain(secret);
    expect((await send('/api/me', { token: secret })).body).toEqual({
      principal: ADA,
      scopes: ['run'],
      language: 'en',
      demo: false,
    });
    const [info] = await hub.tokens.list();
    expect(await hub.tokens.revoke(info?.id ?? '')).toBe(true);
    expect((await send('/api/me', { token: secret })).status).toBe(401);
    const other = await token('bob');
    const later = await startHub([], { state, hub: { principals: [ADA] } });
    expect((await later.send('/api/me', { token: other })).status).toBe(401);
  });

  it('a login link works once, for ten minutes, and of many at once for one', async () => {
    const { hub, send, url, state } = await startHub([]);
    const { code } = await hub.loginLinks.create('ada');
    expect(JSON.stringify(await state.values.list('login', 0))).not.toContain(code);
    const tries = Array.from({ length: 8 }, () => send('/login', { body: { code }, headers: { origin: url } }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
  });

  it('wrong codes have to wait', async () => {
    const { send, url } = await startHub([]);
    const attempt = (): Promise<Reply> => send('/login', { body: { code: 'wrong' }, headers: { origin: url } });
    for (let i = 0; i < 10; i++) expect((await attempt()).status).toBe(401);
    const reply = await attempt();
    expect([reply.status, Number(reply.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('wrong codes of others at an address do not keep out whoever has a code that holds', async () => {
    const { send, url, hub } = await startHub([]);
    const login = (code: string): Promise<Reply> => send('/login', { body: { code }, headers: { origin: url } });
    for (let i = 0; i < 12; i++) await login('wrong');
    expect((await login((await hub.loginLinks.create('ada')).code)).status).toBe(200);
  });

  it.each([
    ['[P2] over HTTP', (id: string) => [`/api/approvals/${id}/cancel`, {}] as const],
    [
      '[B3] over AG-UI',
      (id: string) => ['/agent', runInput({ resume: [{ interruptId: id, status: 'cancelled' }] })] as const,
    ],
  ])('%s a token that may only run withdraws what its own principal asked for', async (_way, request) => {
    const { send, id, token, state, started } = await asked();
    const [path, body] = request(id);
    const theirs = await send(path, { token: await token('bob', ['run']), body });
    expect(theirs.status === 404 || String(theirs.body).includes('UNKNOWN_INTERRUPT_ID')).toBe(true);
    expect((await state.store.get(id))?.status).toBe('pending');
    expect((await send(path, { token: await token('ada', ['run']), body })).status).toBe(200);
    expect((await state.store.get(id))?.status).toBe('cancelled');
    expect(started()).toEqual([]);
  });

  it('[P2] a token that may only run withdraws what its own principal asked for, and nothing else', async () => {
    const policy = { version: '1', sees: () => true, mayDecide: () => true };
    const hub = await startHub([[unlock('front', 'c1')], DONE], { policy });
    const ada = await hub.token();
    await hub.run(ada);
    const { id } = await hub.question(ada);
    const cancel = async (principal: string, scopes?: readonly ['run']): Promise<number> =>
      (await hub.send(`/api/approvals/${id}/cancel`, { token: await hub.token(principal, scopes), body: {} })).status;
    expect(await cancel('bob', ['run'])).toBe(404);
    expect((await hub.state.store.get(id))?.status).toBe('pending');
    expect(await cancel('ada', ['run'])).toBe(200);
  });

  it('[P19] the only principal of a hub is no auditor of people whom an embedder knows', async () => {
    const principals = [ADA];
    const auth: HubAuthenticate = ({ headers }) => {
      const id = headers.get('x-user');
      return id === null ? undefined : { principal: { id, kind: 'person' }, scopes: ['run', 'decide'] };
    };
    for (const [options, count] of [
      [{ principals, auth }, 0],
      [{ principals }, 1],
    ] as const) {
      const hub = await startHub([[unlock('front', 'c1')], DONE], { hub: options });
      await hub.state.audit.append({ type: 'x', by: { id: 'carol', kind: 'person' } }, 1);
      expect((await hub.send('/api/audit', { token: await hub.token() })).body.rows).toHaveLength(count);
    }
  });
});

async function statusWithHost(port: number, host: string, token: string): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const headers = { host, authorization: `Bearer ${token}` };
    request({ port, host: '127.0.0.1', path: '/api/me', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
