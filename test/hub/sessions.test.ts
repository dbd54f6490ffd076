import { request } from 'node:http';
import { TauError } from 'strands-tau';
import { MemoryValueStore, type StoredValue } from 'strands-tau/stores/memory';
import type { ScriptedTurn } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { call, DONE, held, unlock, until } from '../support/strands.ts';
import { BOB, login, newState, type Running, runInput, startHub } from './support/hub.ts';

/** A request whose body comes in two pieces, with something in between; its status. */
async function slowly(
  hub: Running,
  path: string,
  { token, body, between }: { readonly token: string; readonly body: object; readonly between: () => Promise<unknown> },
): Promise<number | undefined> {
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  const sent = request(`${hub.url}${path}`, { method: 'POST', headers });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
  });
  sent.write(text.slice(0, 5));
  // The request has come as far as it has, and its credential was looked at.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await between();
  sent.end(text.slice(5));
  return answered;
}

describe('[P19] a session of the page', () => {
  it('the cookie is closed to scripts and other sites, and the session ends with a logout', async () => {
    const hub = await startHub([]);
    const { code } = await hub.hub.loginLinks.create('bob');
    const reply = await hub.send('/login', { body: { code }, headers: { origin: hub.url } });
    const header = reply.headers.get('set-cookie') ?? '';
    expect(header).toMatch(/^tau_session_\d+=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/);
    const cookie = header.split(';')[0] ?? '';
    expect((await hub.send('/api/me', { headers: { cookie } })).body.principal).toEqual(BOB);
    const out = await hub.send('/logout', { body: {}, headers: { cookie, origin: hub.url } });
    const name = `tau_session_${new URL(hub.url).port}`;
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      200,
      `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
    ]);
    expect((await hub.send('/api/me', { headers: { cookie } })).status).toBe(401);
  });

  it('does nothing for a page that shows somebody else, of what it asks, says, changes or listens to', async () => {
    const hub = await startHub([DONE]);
    const cookie = await login(hub, 'bob');
    const send = (path: string, named: string | undefined, body?: object): Promise<number> => {
      const headers = { cookie, origin: hub.url, ...(named === undefined ? {} : { 'x-tau-principal': named }) };
      return hub
        .send(path, { headers, ...(body === undefined ? {} : { body: { ...body } }) })
        .then((reply) => (reply.body?.error?.code === 'other_principal' ? reply.status : 0));
    };
    for (const named of ['person:ada', 'agent:bob', 'bob', '']) {
      expect(await send('/api/me', named)).toBe(409);
      expect(await send('/agent', named, runInput())).toBe(409);
      expect(await send('/api/approvals/x/decision', named, {})).toBe(409);
      expect(await send('/logout', named, {})).toBe(409);
      expect(await send(`/api/events?principal=${encodeURIComponent(named)}`, undefined)).toBe(409);
    }
    expect((await hub.send('/api/threads', { headers: { cookie } })).body).toEqual({ threads: [] });
    expect([await send('/api/me', 'person:bob'), await send('/api/me', undefined)]).toEqual([0, 0]);
    expect(await send('/agent', undefined, runInput())).toBe(0);
    expect(await send('/logout', 'person:bob', {})).toBe(0);
    expect((await hub.send('/api/me', { headers: { cookie } })).status).toBe(401);
  });

  it('of which all are to end stays until all others have ended, so that whoever is told of a failure can try again', async () => {
    const values = new MemoryValueStore();
    const hub = await startHub([], { state: { ...newState(), values } });
    const [own, other] = [await login(hub), await login(hub)];
    const out = (): Promise<number> =>
      hub
        .send('/logout', { body: { everywhere: true }, headers: { cookie: own, origin: hub.url } })
        .then(({ status }) => status);
    const me = async (cookie: string): Promise<number> => (await hub.send('/api/me', { headers: { cookie } })).status;
    const take = values.take.bind(values);
    let taken = 0;
    values.take = async (...asks) => {
      taken += 1;
      if (taken > 1) throw new TauError('store_locked', 'locked');
      return take(...asks);
    };
    expect([await out(), await me(own)]).toEqual([503, 200]);
    values.take = take;
    expect([await out(), await me(own), await me(other)]).toEqual([200, 401, 401]);
  });

  it('is begun by one of many who use a link at once, and by nobody else', async () => {
    let asked = 0;
    const all = held<void>();
    class Slow extends MemoryValueStore {
      override async get(...asks: Parameters<MemoryValueStore['get']>): ReturnType<MemoryValueStore['get']> {
        const found = await super.get(...asks);
        if (asks[0] === 'login' && ++asked === 12) all.settle();
        if (asks[0] === 'login') await all.promise;
        return found;
      }
    }
    const hub = await startHub([], { state: { ...newState(), values: new Slow() } });
    const { code } = await hub.hub.loginLinks.create('ada');
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => hub.send('/login', { body: { code }, headers: { origin: hub.url } })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1);
    expect(await hub.state.values.list('session', Date.now())).toHaveLength(1);
  });

  it('that the store cannot take leaves the link to be used once it can', async () => {
    let full = true;
    class Full extends MemoryValueStore {
      override put(kind: string, value: StoredValue): Promise<void> {
        const fails = full && kind === 'session';
        return fails ? Promise.reject(new TauError('store_full', 'the disk is full')) : super.put(kind, value);
      }
    }
    const hub = await startHub([], { state: { ...newState(), values: new Full() } });
    const { code } = await hub.hub.loginLinks.create('ada');
    const login = () => hub.send('/login', { body: { code }, headers: { origin: hub.url } });
    expect((await login()).status).toBe(503);
    full = false;
    expect((await login()).status).toBe(200);
    expect((await login()).status).toBe(401);
  });

  it('two hubs of one host do not sign each other out: each has a cookie of its own', async () => {
    const hubs = [await startHub([]), await startHub([])];
    const cookies: string[] = [];
    for (const hub of hubs) cookies.push(await login(hub, 'ada'));
    // A browser sends both to both.
    for (const hub of hubs) {
      expect((await hub.send('/api/me', { headers: { cookie: cookies.join('; ') } })).status).toBe(200);
    }
  });

  it('a person ends all of their sessions from one page, and only theirs; a token cannot', async () => {
    const hub = await startHub([]);
    const [here, lost, others] = [await login(hub, 'ada'), await login(hub, 'ada'), await login(hub, 'bob')];
    const { code } = await hub.hub.loginLinks.create('ada');
    const isIn = async (cookie: string): Promise<boolean> =>
      (await hub.send('/api/me', { headers: { cookie } })).status === 200;
    const body = { everywhere: true };
    expect((await hub.send('/logout', { token: await hub.token(), body })).status).toBe(403);
    expect((await hub.send('/logout', { body, headers: { cookie: here, origin: hub.url } })).status).toBe(200);
    expect([await isIn(here), await isIn(lost), await isIn(others)]).toEqual([false, false, true]);
    expect((await hub.send('/login', { body: { code }, headers: { origin: hub.url } })).status).toBe(401);
    expect(await hub.hub.signOut('bob')).toBe(1);
    expect(await isIn(others)).toBe(false);
  });

  it('behind HTTPS the cookie is bound to the host, and the public origin counts', async () => {
    const hub = await startHub([], { hub: { publicUrl: 'https://tau.example.com' } });
    const { code } = await hub.hub.loginLinks.create('ada');
    const headers = { origin: 'https://tau.example.com' };
    const reply = await hub.send('/login', { body: { code }, headers });
    expect(reply.headers.get('set-cookie')).toMatch(/^__Host-tau=.*; Secure$/);
  });
});

describe('[P19] a credential that ends while a request is on its way', () => {
  it('reads no more of its run, which goes on', async () => {
    const answer = held<ScriptedTurn>();
    const hub = await startHub([[call('read_lock', { door: 'front' }, 'c1')], () => answer.promise]);
    const token = await hub.token();
    const run = hub.run(token);
    await until(() => hub.model.calls.length === 2);
    const { id = '' } = (await hub.hub.tokens.list()).at(-1) ?? {};
    await hub.hub.tokens.revoke(id);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    answer.settle([{ text: 'a secret' }]);
    const events = await run;
    expect(JSON.stringify(events)).not.toContain('a secret');
    const ada = await hub.token();
    await expect
      .poll(async () => JSON.stringify((await hub.send('/api/threads/t1', { token: ada })).body.messages))
      .toContain('a secret');
  });

  it('decides, orders and withdraws nothing', async () => {
    const hub = await startHub([[unlock('front', 'c1')], DONE]);
    const ada = await hub.token();
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    const path = `/api/approvals/${id}`;
    const resume = [{ interruptId: id, status: 'resolved', payload: { approved: true } }];
    const requests: readonly (readonly [path: string, body: object])[] = [
      [`${path}/decision`, { decision: 'approved', digest }],
      [`${path}/decision`, { decision: 'approved', digest, editedArguments: { door: 'back' } }],
      [`${path}/retry`, { digest }],
      [`${path}/cancel`, { because: 'too late' }],
      ['/agent', runInput({ resume })],
    ];
    for (const [to, body] of requests) {
      const token = await hub.token();
      const { id: tokenId } = (await hub.hub.tokens.list()).at(-1) ?? { id: '' };
      const status = await slowly(hub, to, { token, body, between: () => hub.hub.tokens.revoke(tokenId) });
      expect([to, status]).toEqual([to, 401]);
    }
    expect((await hub.question(ada)).status).toBe('pending');
    expect(hub.started()).toEqual([]);
  });
});
