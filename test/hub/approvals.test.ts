import { defaultPolicy, type Policy } from 'strands-tau';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, house, unlock, until } from '../support/strands.ts';
import { type Body, interruptsOf, newState, type Running, type StartOptions, startHub } from './support/hub.ts';

/** Bob may decide, too. */
const both: Policy = {
  ...defaultPolicy,
  version: 'both-1',
  mayDecide: (principal, request) => principal.id === 'bob' || defaultPolicy.mayDecide(principal, request),
};

async function asked(
  options: StartOptions = {},
  turns = [[unlock('front', 'c1')], DONE],
): Promise<Running & { readonly ada: string; readonly bob: string; readonly id: string; readonly digest: string }> {
  const hub = await startHub(turns, options);
  const ada = await hub.token();
  const bob = await hub.token('bob');
  await hub.run(ada);
  const { id, digest } = await hub.question(ada);
  return { ...hub, ada, bob, id, digest };
}

describe('[P19, P7] who sees what', () => {
  it('is the requester and whoever the policy lets decide', async () => {
    const mine = await asked();
    expect((await mine.send('/api/approvals', { token: mine.bob })).body).toEqual({ approvals: [] });
    expect((await mine.send('/api/audit', { token: mine.bob })).body.rows).toEqual([]);
    const shared = await asked({ policy: both });
    const { body } = await shared.send('/api/approvals?status=pending', { token: shared.bob });
    expect(body.approvals).toMatchObject([
      { id: shared.id, requester: { id: 'ada' }, threadId: 't1', mayDecide: true },
    ]);
    const reading = await shared.token('bob', ['run']);
    expect((await shared.send(`/api/approvals/${shared.id}`, { token: reading })).body.approval.mayDecide).toBe(false);
  });

  it('a cursor that names nothing that there is to see is told from the end of a list', async () => {
    const hub = await startHub([[unlock('front', 'c1')]]);
    const [ada, bob] = [await hub.token(), await hub.token('bob')];
    await hub.run(ada);
    const { id } = await hub.question(ada);
    expect((await hub.send(`/api/approvals?cursor=${id}`, { token: ada })).body).toEqual({ approvals: [] });
    for (const [cursor, token] of [
      ['zzz', ada],
      [id, bob],
    ] as const) {
      const { status, body } = await hub.send(`/api/approvals?cursor=${cursor}`, { token });
      expect([status, body.error.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  it.each([
    ['memory', () => newState().store],
    ['SQLite', () => SqliteStore.open(':memory:')],
  ] as const)('pages of a store in %s, in both orders, never name what the reader may not see', async (_kind, make) => {
    const store = make();
    const turns = Array.from({ length: 6 }, (_, i) => [[unlock(i % 2 === 0 ? 'front' : 'back', `c${i}`)], DONE]).flat();
    const hub = await startHub(turns, { state: newState(store) });
    const tokens = { ada: await hub.token(), bob: await hub.token('bob') };
    for (let i = 0; i < 6; i++) {
      const who = i % 2 === 0 ? tokens.ada : tokens.bob;
      await hub.run(who, { threadId: `t${i}` });
      const { id, digest } = await hub.question(who);
      await hub.send(`/api/approvals/${id}/decision`, { token: who, body: { decision: 'rejected', digest } });
      await until(() => hub.model.calls.length === 2 * (i + 1));
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await hub.send(`/api/approvals?order=newest&limit=1&cursor=${cursor}`, { token: tokens.ada });
      seen.push(...body.approvals.map((approval: { threadId: string }) => approval.threadId));
      cursor = body.nextCursor ?? '';
      if (cursor !== '') expect((await hub.send(`/api/approvals/${cursor}`, { token: tokens.ada })).status).toBe(200);
    } while (cursor !== '');
    expect(seen).toEqual(['t4', 't2', 't0']);
    const two = await hub.send('/api/approvals?limit=2', { token: tokens.ada });
    const rest = await hub.send(`/api/approvals?cursor=${two.body.nextCursor}`, { token: tokens.ada });
    const threads = [two, rest].map(({ body }) => body.approvals.map(({ threadId }: Body) => threadId));
    expect(threads).toEqual([['t0', 't2'], ['t4']]);
    expect((await hub.send('/api/approvals?limit=0', { token: tokens.ada })).status).toBe(400);
    expect((await hub.send('/api/approvals?x=1', { token: tokens.ada })).status).toBe(400);
  });
});

describe('[P20, P7] a decision', () => {
  it('that comes second is told who was first', async () => {
    const { send, ada, bob, id, digest, started } = await asked({ policy: both });
    const first = await send(`/api/approvals/${id}/decision`, {
      token: bob,
      body: { decision: 'rejected', digest, reason: 'not now' },
      headers: { 'x-tau-client': 'cli' },
    });
    expect([first.status, first.body.result]).toEqual([200, 'decided']);
    const second = await send(`/api/approvals/${id}/decision`, { token: ada, body: { decision: 'approved', digest } });
    expect([second.status, second.body.error.code]).toEqual([409, 'already_decided']);
    expect(second.body.approval.decision).toMatchObject({
      decision: 'rejected',
      by: { id: 'bob', kind: 'person' },
      channel: 'cli',
      reason: 'not now',
    });
    expect(started()).toEqual([]);
  });

  it('by one of a hundred at once counts, once', async () => {
    const { send, ada, bob, id, digest, started, model } = await asked({ policy: both });
    const answers = Array.from({ length: 100 }, (_, i) =>
      send(`/api/approvals/${id}/decision`, {
        token: i % 2 === 0 ? ada : bob,
        body: { decision: i % 3 === 0 ? 'rejected' : 'approved', digest },
      }),
    );
    const replies = await Promise.all(answers);
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners.length).toBe(1);
    expect(replies.filter(({ status }) => status === 409).length).toBe(99);
    const [winner] = winners;
    const decided = new Set(replies.map(({ body }) => JSON.stringify(body.approval.decision)));
    expect(decided).toEqual(new Set([JSON.stringify(winner?.body.approval.decision)]));
    await until(() => model.calls.length === 2);
    expect(started().length).toBe(winner?.body.approval.decision.decision === 'approved' ? 1 : 0);
  });

  it('about another digest, or with a body that does not fit, changes nothing', async () => {
    const { send, ada, id, digest, state } = await asked();
    const path = `/api/approvals/${id}/decision`;
    const other = { decision: 'approved', digest: 'a'.repeat(64) } as const;
    expect((await send(path, { token: ada, body: other })).body.error.code).toBe('digest_mismatch');
    for (const body of [
      null,
      [],
      'approved',
      true,
      {},
      { decision: 'approved' },
      { decision: 'timeout', digest },
      { decision: 'yes', digest },
      { decision: true, digest },
      { decision: 'approved', digest, more: 1 },
      { decision: 'approved', digest: digest.toUpperCase() },
      { decision: 'approved', digest, editedArguments: { door: 'back' }, reason: 'x' },
      { decision: 'rejected', digest, editedArguments: { door: 'back' } },
      { decision: 'rejected', digest, reason: 7 },
    ]) {
      const reply = await send(path, { token: ada, body });
      expect([body, reply.status, reply.body.error.code]).toEqual([body, 400, 'invalid_body']);
    }
    expect((await state.store.get(id))?.status).toBe('pending');
  });

  it('in a body that is no JSON, too large, or names what every object has, changes nothing', async () => {
    const { url, ada, id, digest, state } = await asked();
    const post = async (body: string): Promise<readonly [number, string]> => {
      const response = await fetch(`${url}/api/approvals/${id}/decision`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada}`, 'content-type': 'application/json' },
        body,
      });
      const { error } = (await response.json()) as Body;
      return [response.status, error.code];
    };
    expect(await post('{')).toEqual([400, 'invalid_json']);
    expect(await post('')).toEqual([400, 'invalid_json']);
    expect(await post(`"${'x'.repeat(1024 * 1024)}"`)).toEqual([413, 'too_large']);
    expect(await post(`{"__proto__":{"decision":"approved","digest":"${digest}"}}`)).toEqual([400, 'invalid_body']);
    expect(await post(`{"decision":"approved","digest":"${digest}","constructor":1}`)).toEqual([400, 'invalid_body']);
    expect(await post(`{"decision":"approved","digest":"${digest}","__proto__":{}}`)).toEqual([400, 'invalid_body']);
    expect((await state.store.get(id))?.status).toBe('pending');
    expect({}).not.toHaveProperty('decision');
  });

  it('with edits runs the edit, goes through the schema, and is asked again where more changed', async () => {
    const { send, ada, id, digest, started, model, question } = await asked();
    const path = `/api/approvals/${id}/decision`;
    const wrong = { decision: 'approved', digest, editedArguments: { door: 'roof' } } as const;
    expect((await send(path, { token: ada, body: wrong })).status).toBe(422);
    const good = { decision: 'approved', digest, editedArguments: { door: 'back' } } as const;
    const { status, body } = await send(path, { token: ada, body: good });
    expect([status, body.result, body.approval.editOf, body.approval.arguments]).toEqual([
      200,
      'approved',
      id,
      { door: 'back' },
    ]);
    await until(() => model.calls.length === 2);
    expect(started()).toEqual(['unlock_door {"door":"back"}']);
    expect(await question(ada)).toBeUndefined();

    const shell = await asked({}, [[call('run_shell', { command: 'ls' }, 'c1')], DONE]);
    const edit = { decision: 'approved', digest: shell.digest, editedArguments: { command: 'pwd' } } as const;
    const again = await shell.send(`/api/approvals/${shell.id}/decision`, { token: shell.ada, body: edit });
    expect([again.status, again.body.result, again.body.approval.status]).toEqual([200, 'asked_again', 'pending']);
    const { id: next, digest: nextDigest } = again.body.approval;
    const yes = { decision: 'approved', digest: nextDigest } as const;
    await shell.send(`/api/approvals/${next}/decision`, { token: shell.ada, body: yes });
    await until(() => shell.model.calls.length === 2);
    expect(shell.started()).toEqual(['run_shell {"command":"pwd","sudo":false}']);
  });
});

describe('[P19] what a model wrote', () => {
  it('stays JSON text, whatever it looks like', async () => {
    const nasty = '</script><img src=x onerror=alert(1)>\u001b[2J\u202e\r\n\r\nevent: approval\ndata: {}';
    const home = house();
    const tools = [home.tool('unlock_door', 2, z.object({ door: z.string() }))];
    const hub = await startHub([[unlock(nasty, '"><b>')], DONE], { house: { ...home, tools } });
    const ada = await hub.token();
    await hub.run(ada, { threadId: nasty, messages: [{ id: nasty, role: 'user', content: nasty }] });
    const response = await fetch(`${hub.url}/api/approvals`, { headers: { authorization: `Bearer ${ada}` } });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const { approvals } = (await response.json()) as Body;
    const [approval] = approvals;
    expect([approval.arguments, approval.threadId]).toEqual([{ door: nasty }, nasty]);
    const thread = await hub.send(`/api/threads/${encodeURIComponent(nasty)}`, { token: ada });
    expect(thread.body.messages[0]).toMatchObject({ role: 'user', content: nasty });
    expect((await hub.send('/api/threads', { token: ada })).body.threads).toMatchObject([
      { threadId: nasty, status: 'waiting' },
    ]);
  });
});

describe('[P2, P19] orders', () => {
  it('the requester withdraws a question; nobody else sees that there was one', async () => {
    const { send, ada, bob, id, started, model } = await asked();
    expect((await send(`/api/approvals/${id}/cancel`, { token: bob, body: {} })).status).toBe(404);
    const { status, body } = await send(`/api/approvals/${id}/cancel`, {
      token: ada,
      body: { because: 'changed my mind' },
    });
    expect([status, body.result, body.approval.status]).toEqual([200, 'cancelled', 'cancelled']);
    expect((await send(`/api/approvals/${id}/cancel`, { token: ada, body: {} })).status).toBe(409);
    await until(() => model.calls.length === 2);
    expect(started()).toEqual([]);
  });

  it('a person orders one new attempt of what was cut off, and it runs once', async () => {
    const { send, ada, bob, id, digest, state, started } = await asked();
    await state.store.decide(id, {
      decision: 'approved',
      by: { id: 'ada', kind: 'person' },
      channel: 'x',
      at: 1,
      tookMs: 1,
    });
    await state.store.consume(id, 'dead process', 2).then(() => state.store.lose(id, 3));
    const path = `/api/approvals/${id}/retry`;
    expect((await send(path, { token: bob, body: { digest } })).status).toBe(404);
    expect((await send(path, { token: ada, body: { digest: 'a'.repeat(64) } })).status).toBe(422);
    expect((await send(path, { token: ada, body: {} })).status).toBe(400);
    const replies = await Promise.all(Array.from({ length: 5 }, () => send(path, { token: ada, body: { digest } })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    await until(() => started().length === 1);
    const attempt = replies.find(({ status }) => status === 200)?.body.approval;
    expect(attempt.retryOf).toBe(id);
    await expect.poll(async () => (await state.store.get(attempt.id))?.status).toBe('done');
    expect(started()).toEqual(['unlock_door {"door":"front"}']);
  });
});

describe('[P7] AG-UI answers', () => {
  it('are decisions of the authenticated caller, too', async () => {
    const { run, ada, id, started, state } = await asked();
    const resume = [{ interruptId: id, status: 'resolved', payload: { approved: true } }];
    const events = await run(ada, { resume });
    expect(interruptsOf(events)).toEqual([]);
    expect(started()).toEqual(['unlock_door {"door":"front"}']);
    expect((await state.store.get(id))?.decision).toMatchObject({ by: { id: 'ada' }, channel: 'ag-ui' });
  });
});
