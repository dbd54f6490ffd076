import { describe, expect, test } from 'vitest';
import { agentOf, answer, eventsIn, finished, log, minimal, post, rawPost, SERVERS, started } from './http-fixture.ts';

describe.each(SERVERS)('%s', (name, start) => {
  test('[C12.3] a run is 200 with its headers, and its events in order', async () => {
    const response = await post(await start(agentOf(started, finished)));
    expect({ status: response.status, ...Object.fromEntries(response.headers) }).toMatchObject({
      status: 200,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(eventsIn(await response.text())).toEqual([started, finished]);
  });

  test('[C12.2] a content type that is not JSON is 415; JSON in any of its spellings is read', async () => {
    const agent = agentOf(started, finished);
    const served = await start(agent);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'x/json', '']) {
      expect([type, await answer(served, minimal, { 'content-type': type })]).toEqual([
        type,
        { status: 415, body: { error: 'Unsupported Media Type: expected application/json' } },
      ]);
    }
    expect((await answer(served, minimal, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect(agent.asked).toEqual([]);
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.agui+json']) {
      expect((await post(served, minimal, { 'content-type': type })).status).toBe(200);
    }
  });

  test('[C12.2] what is no request is 400, says where and quotes nothing', async () => {
    const agent = agentOf(started, finished);
    const served = await start(agent);
    const invalid = (...issues: unknown[]) => ({ status: 400, body: { error: 'Invalid RunAgentInput', issues } });
    const notJson = invalid({ path: '', message: 'The body is not JSON in UTF-8' });
    for (const body of ['{"secret', '', 'secret', '{"a":1}{']) expect(await answer(served, body)).toEqual(notJson);
    const latin1 = await post(served, '', {}, { body: Buffer.from('{"threadId":"\xe9"}', 'latin1') });
    expect([latin1.status, await latin1.json()]).toEqual([400, notJson.body]);
    expect(await answer(served, { ...minimal, threadId: 7, messages: [{ role: 'user' }] })).toEqual(
      invalid(
        { path: 'threadId', message: expect.any(String) },
        { path: 'messages.0.id', message: expect.any(String) },
        { path: 'messages.0.content', message: expect.any(String) },
      ),
    );
    const deep = `{"threadId":"t","runId":"r","messages":[],"state":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(await answer(served, deep)).toEqual(
      invalid({ path: expect.stringMatching(/^state\.0/), message: 'nested deeper than 100 levels' }),
    );
    expect(agent.asked).toEqual([]);
  });

  test('[C12.2] snake_case and hostile keys reach the agent as camelCase and not at all', async () => {
    const agent = agentOf(started, finished);
    const body =
      '{"thread_id":"t","run_id":"r","messages":[{"id":"1","role":"tool","tool_call_id":"c","content":"x"}],' +
      '"forwarded_props":{"__proto__":{"admin":true},"deep":{"parent_run_id":"p"}},"constructor":{"prototype":{"polluted":1}}}';
    await (await post(await start(agent), body)).text();
    expect(agent.asked[0]?.[0]).toEqual({
      threadId: 't',
      runId: 'r',
      messages: [{ id: '1', role: 'tool', toolCallId: 'c', content: 'x' }],
      forwardedProps: { deep: { parentRunId: 'p' } },
      tools: [],
      context: [],
    });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('[B9] a body over the limit is 413, whether it says its length or not', async () => {
    const agent = agentOf(started, finished);
    const served = await start(agent, { bodyLimit: 2000 });
    const refused = { status: 413, body: { error: 'Payload Too Large: the limit is 2000 bytes' } };
    const padded = (length: number) => JSON.stringify({ ...minimal, state: 'x'.repeat(length) });
    expect(await answer(served, padded(10_000))).toEqual(refused);
    expect(await answer(served, padded(3_000_000))).toEqual(refused);
    const stream = new Blob([padded(10_000)]).stream();
    const chunked = await fetch(served.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    });
    expect({ status: chunked.status, body: await chunked.json() }).toEqual(refused);
    expect(agent.asked).toEqual([]);
    expect((await post(served, padded(1000))).status).toBe(200);
  });

  test('[B5] the agent learns who is asking, with the headers, and is warned of nothing', async () => {
    const agent = agentOf(started, finished);
    const served = await start(agent, {
      authenticate: ({ headers }) =>
        headers.get('authorization') === 'Bearer ada' ? { id: 'ada', kind: 'person' } : undefined,
    });
    await (await post(served, minimal, { authorization: 'Bearer ada', 'X-Tenant': 'one' })).text();
    expect(agent.asked[0]?.[1]).toMatchObject({
      principal: { id: 'ada', kind: 'person' },
      headers: { 'x-tenant': 'one', authorization: 'Bearer ada' },
      signal: expect.any(AbortSignal),
    });
    const refused = await post(served, '{"not": json', { authorization: 'Bearer eve' });
    expect([refused.status, await refused.json(), refused.headers.get('www-authenticate')]).toEqual([
      401,
      { error: 'Unauthorized' },
      'Bearer',
    ]);
    expect([agent.asked.length, log.warn.mock.calls]).toEqual([1, []]);
  });

  test('[B5] an authentication that fails refuses, with the status of the error and nothing else of it', async () => {
    const agent = agentOf(started, finished);
    const failing = async (error: unknown) => {
      const authenticate = () => Promise.reject(error);
      return answer(await start(agent, { authenticate }));
    };
    const secret = Object.assign(new Error('secret'), { status: 403 });
    expect(await failing(secret)).toEqual({ status: 403, body: { error: 'Forbidden' } });
    expect(await failing(new Error('secret'))).toEqual({ status: 500, body: { error: 'Internal Server Error' } });
    expect(log.error.mock.calls[0]).toEqual(['Authentication of the agent route failed', secret]);
    expect(agent.asked).toEqual([]);
  });

  test('[B10] without authentication everybody is anonymous, and one warning says so', async () => {
    const agent = agentOf(started, finished);
    const served = await start(agent);
    for (let i = 0; i < 3; i++) await (await post(served)).text();
    expect(agent.asked.map(([, { principal }]) => principal.id)).toEqual(Array(3).fill('anonymous'));
    expect(log.warn.mock.calls).toEqual([[expect.stringContaining("the one principal 'anonymous'")]]);
  });

  test('other methods do not run the agent', async () => {
    const agent = agentOf(started, finished);
    const { url } = await start(agent);
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(url, { method });
      expect([method, response.status]).toEqual([method, name === 'Hono' ? 405 : 404]);
      if (name === 'Hono') expect(response.headers.get('allow')).toBe('POST');
      await response.text();
    }
    expect(agent.asked).toEqual([]);
  });

  test('nothing of a request gets into a header of the answer', async () => {
    const ids = { threadId: 't\r\nX-Evil: 1', runId: 'r\r\n\r\n<script>' };
    const response = await post(
      await start(agentOf(started, finished)),
      { ...minimal, ...ids },
      { accept: 'x\ty;q="\u00e9"' },
    );
    expect([response.status, response.headers.get('x-evil')]).toEqual([200, null]);
    expect(eventsIn(await response.text())).toHaveLength(2);
  });

  test('a client that leaves in the middle of its request starts no run', async () => {
    const agent = agentOf(started, finished);
    const served = await start(agent);
    const socket = await rawPost(served);
    const half = `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"threadId":`;
    socket.write(half);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(agent.asked).toHaveLength(1);
    expect((await post(served)).status).toBe(200);
  });
});
