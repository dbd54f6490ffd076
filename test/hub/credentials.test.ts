import type { HubAuthenticate, HubPrincipal } from 'strands-tau/hub';
import { MemoryValueStore } from 'strands-tau/stores/memory';
import { ManualClock } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { Principals } from '../../src/hub/auth/principals.ts';
import { Tokens } from '../../src/hub/auth/tokens.ts';
import { call, DONE, unlock } from '../support/strands.ts';
import { ADA, login, newState, type Running, startHub } from './support/hub.ts';

/** A hub with an open question of Ada's, asked with a token of its own. */
async function asked(options: Parameters<typeof startHub>[1] = {}) {
  const hub = await startHub([[unlock('front', 'c1')], DONE], options);
  const ada = await hub.token();
  await hub.run(ada);
  const { id, digest } = await hub.question(ada);
  const statusOf = async () => (await hub.state.store.get(id))?.status;
  return { hub, ada, path: `/api/approvals/${id}/decision`, body: { decision: 'approved', digest }, statusOf } as const;
}

describe('[P19] what a token gives', () => {
  it('ends when it expires, also for one that the embedder chose', async () => {
    const clock = new ManualClock();
    const tokens = new Tokens(new MemoryValueStore(), new Principals([ADA]), clock);
    const expiresAt = clock.now() + 1000;
    const { secret } = await tokens.create({ principal: 'ada', scopes: ['run'], expiresAt });
    tokens.accept('chosen', { principal: 'ada', scopes: ['run'], expiresAt });
    tokens.accept('for ever', { principal: 'ada', scopes: ['run'] });
    const good = async () => {
      const grants = await Promise.all([secret, 'chosen', 'for ever'].map((each) => tokens.grantOf(each)));
      return grants.map((grant) => grant !== undefined);
    };
    await clock.advance(999);
    expect(await good()).toEqual([true, true, true]);
    await clock.advance(1);
    expect(await good()).toEqual([false, false, true]);
  });

  it.each<[string, HubPrincipal]>([
    ['may only run by now', { ...ADA, scopes: ['run'] }],
    ['is an agent by now', { id: 'ada', kind: 'agent' }],
  ])('is never more than what its account gives today: one that %s', async (_what, account) => {
    const before = await asked();
    await before.hub.hub.stop();
    const { state } = before.hub;
    const after = await startHub([DONE], { state, hub: { principals: [account] } });
    const reply = await after.send(before.path, { token: before.ada, body: before.body });
    expect([reply.status, reply.body.error.code]).toEqual([403, 'missing_scope']);
    expect(await before.statusOf()).toBe('pending');
  });
});

describe("[P19] an embedder's own authentication", () => {
  it('is asked again once the body has arrived: a scope that was taken away meanwhile decides nothing', async () => {
    let looks = 0;
    const auth: HubAuthenticate = ({ headers }) => {
      if (headers.get('authorization') !== 'Bearer of the embedder') return undefined;
      looks += 1;
      return { principal: ADA, scopes: looks === 1 ? ['run', 'decide'] : ['run'] };
    };
    const { hub, path, body, statusOf } = await asked({ hub: { auth } });
    const reply = await hub.send(path, { body, headers: { authorization: 'Bearer of the embedder' } });
    expect([reply.status, looks, await statusOf()]).toEqual([401, 2, 'pending']);
  });

  it.each(['Basic YWRhOmFkYQ==', 'Digest username="ada"', 'Negotiate YWRh', 'bearer', ''])(
    'with what a browser sends by itself (%s) changes nothing for the page of a stranger',
    async (authorization) => {
      const auth: HubAuthenticate = ({ headers }) => {
        if (/^bearer tau_/i.test(headers.get('authorization') ?? '')) return undefined;
        return { principal: ADA, scopes: ['run', 'decide'] };
      };
      const { hub, path, body, statusOf } = await asked({ hub: { auth } });
      const evil = { authorization, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const plain = { ...evil, 'content-type': 'text/plain' };
      for (const headers of [evil, plain]) {
        for (const to of [path, '/api/threads/t1/stop']) {
          const reply = await hub.send(to, { body, headers });
          expect([to, reply.status, reply.body.error.code]).toEqual([to, 403, 'foreign_origin']);
        }
      }
      expect(await statusOf()).toBe('pending');
      const own = { authorization, origin: hub.url, 'sec-fetch-site': 'same-origin' };
      expect((await hub.send(path, { body, headers: own })).status).toBe(200);
    },
  );

  it('with a bearer token needs no origin, since a browser sends none by itself', async () => {
    const auth: HubAuthenticate = ({ headers }) =>
      headers.get('authorization') === 'bearer mine' ? { principal: ADA, scopes: ['run', 'decide'] } : undefined;
    const { hub, path, body } = await asked({ hub: { auth } });
    expect((await hub.send(path, { body, headers: { authorization: 'bearer mine' } })).status).toBe(200);
  });
});

describe('[P19] a session cookie', () => {
  it('that comes twice is none: nobody can say which one the hub has set', async () => {
    const hub: Running = await startHub([]);
    const cookie = await login(hub);
    const status = async (header: string) => (await hub.send('/api/me', { headers: { cookie: header } })).status;
    const [name = ''] = cookie.split('=');
    expect(await status(cookie)).toBe(200);
    for (const twice of [`${cookie}; ${cookie}`, `${cookie}; ${name}=other`, `${name}=other; ${cookie}`])
      expect([twice, await status(twice)]).toEqual([twice, 401]);
  });
});

describe('[P19, P2] what the hub only remembers for itself', () => {
  it('is no approval: a journaled call is neither listed nor found', async () => {
    const hub = await startHub([[call('add_note', { text: 'x' }, 'c1')], DONE], { state: newState() });
    const ada = await hub.token();
    await hub.run(ada);
    const { records } = await hub.state.store.list();
    expect(records.map(({ kind }) => kind)).toEqual(['journal']);
    expect((await hub.send('/api/approvals', { token: ada })).body).toEqual({ approvals: [] });
    expect((await hub.send(`/api/approvals/${records[0]?.id}`, { token: ada })).status).toBe(404);
  });
});
