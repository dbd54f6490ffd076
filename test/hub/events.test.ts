import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { EventFeeds, type FeedSource } from '../../src/hub/events.ts';
import { DONE, unlock, until } from '../support/strands.ts';
import { type Running, startHub } from './support/hub.ts';

interface Stream {
  readonly text: () => string;
  readonly close: () => void;
}

async function open(hub: Running, token: string): Promise<Stream> {
  const left = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${hub.url}/api/events`, { headers, signal: left.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  let text = '';
  const decoder = new TextDecoder();
  const read = async (): Promise<void> => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  read().catch(() => undefined);
  return { text: () => text, close: () => left.abort() };
}

describe('[P15, P19] the stream of events', () => {
  it('tells of approvals, threads and audit rows, to those who may know', async () => {
    const hub = await startHub([[unlock('front', 'c1')], DONE]);
    const [ada, bob] = [await hub.token(), await hub.token('bob')];
    const [mine, foreign] = [await open(hub, ada), await open(hub, bob)];
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    await until(() => mine.text().includes(`event: approval\ndata: {"id":"${id}","status":"pending"}`));
    await until(() => mine.text().includes('event: thread\ndata: {"threadId":"t1","status":"waiting"}'));
    await hub.send(`/api/approvals/${id}/decision`, { token: ada, body: { decision: 'approved', digest } });
    await until(() => mine.text().includes(`{"id":"${id}","status":"done"}`));
    await until(() => mine.text().includes('event: audit\ndata: {"seq":1,'));
    await until(() => mine.text().endsWith('"status":"idle"}\n\n') || mine.text().includes('"status":"idle"'));
    expect(foreign.text().replaceAll(':\n\n', '')).toBe('');
    mine.close();
    foreign.close();
  });

  it('ends when its token is revoked', async () => {
    const hub = await startHub([], { hub: { keepAliveSeconds: 0.05 } });
    const token = await hub.token();
    const response = await fetch(`${hub.url}/api/events`, { headers: { authorization: `Bearer ${token}` } });
    const ended = response.text();
    const [info] = await hub.hub.tokens.list();
    await hub.hub.tokens.revoke(info?.id ?? '');
    expect(await ended).toMatch(/^(:\n\n)+$/);
  });

  it('ends when its token is revoked, however much there is to tell', async () => {
    const hub = await startHub([]);
    const { secret, info } = await hub.hub.tokens.create({ principal: 'ada', scopes: ['run'] });
    const response = await fetch(`${hub.url}/api/events`, { headers: { authorization: `Bearer ${secret}` } });
    let isOver = false;
    const ended = response.text().then(() => {
      isOver = true;
    });
    await hub.hub.tokens.revoke(info.id);
    for (let i = 0; i < 60 && !isOver; i++) {
      await hub.state.audit.append({ type: 'x', n: i, by: { id: 'ada', kind: 'person' } }, i);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(isOver).toBe(true);
    await ended;
  });

  it('is not opened by HEAD, whose answer nobody reads', async () => {
    const hub = await startHub([]);
    const token = await hub.token();
    for (let n = 0; n < 25; n++) {
      expect((await hub.send('/api/events', { token, method: 'HEAD' })).status).toBe(200);
    }
    (await open(hub, token)).close();
  });

  it('is one of twenty that a principal may have', async () => {
    const hub = await startHub([]);
    const [ada, bob] = [await hub.token(), await hub.token('bob')];
    const streams = await Promise.all(Array.from({ length: 20 }, () => open(hub, ada)));
    const refused = await hub.send('/api/events', { token: ada });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'too_many_streams']);
    (await open(hub, bob)).close();
    for (const { close } of streams) close();
  });

  it('keeps a bounded amount for a reader who never reads, and tells them afterwards to read anew', async () => {
    let made = 0;
    const source: FeedSource = {
      approval: async () => {
        made += 1;
        return 'pending';
      },
      thread: async () => undefined,
      audit: async (after) => ({ rows: [], last: after }),
      isStillAllowed: async () => true,
    };
    const feeds = new EventFeeds(15);
    const reader = feeds.open('ada', source, 0, new AbortController().signal).getReader();
    for (let i = 0; i < 100_000; i++) feeds.approvalChanged(`id-${i}`);
    expect(made).toBe(0);
    const texts: string[] = [];
    for (let i = 0; i < 2; i++) texts.push(new TextDecoder().decode((await reader.read()).value));
    expect(texts).toEqual([':\n\n', 'event: resync\ndata: {}\n\n']);
    feeds.approvalChanged('later');
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"later"');
    await reader.cancel();
    expect(feeds.size).toBe(0);
  });

  it('goes on behind rows of which the reader may see none, until one is theirs', async () => {
    const asked: number[] = [];
    const row = { seq: 9001, at: 1, event: { type: 'x' }, prev: 'p', hash: 'h' };
    const feeds = new EventFeeds(15);
    const source: FeedSource = {
      approval: async () => undefined,
      thread: async () => undefined,
      audit: async (after) => {
        asked.push(after);
        return after < 8000 ? { rows: [], last: after + 4000 } : { rows: [row], last: 9001 };
      },
      isStillAllowed: async () => true,
    };
    const reader = feeds.open('ada', source, 0, new AbortController().signal).getReader();
    feeds.auditGrew();
    const texts: string[] = [];
    for (let i = 0; i < 2; i++) texts.push(new TextDecoder().decode((await reader.read()).value));
    expect(texts[1]).toBe(`event: audit\ndata: ${JSON.stringify(row)}\n\n`);
    expect(asked).toEqual([0, 4000, 8000]);
    await reader.cancel();
  });

  it('does not hold up a decision when the other side of the connection stands still', async () => {
    const hub = await startHub([[unlock('front', 'c1')], DONE]);
    const ada = await hub.token();
    const { port } = new URL(hub.url);
    const socket = connect(Number(port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${ada}\r\n\r\n`);
    socket.pause();
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    const { status } = await hub.send(`/api/approvals/${id}/decision`, {
      token: ada,
      body: { decision: 'approved', digest },
    });
    expect(status).toBe(200);
    await until(() => hub.model.calls.length === 2);
    socket.destroy();
  });
});
