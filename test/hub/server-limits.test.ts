import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { listen, type ServerLimits } from '../../src/hub/server.ts';
import { call, DONE, held, house } from '../support/strands.ts';
import { type Running, runInput, startHub } from './support/hub.ts';

/** The hub behind a server that has less patience. */
async function impatient(hub: Running, over: Partial<ServerLimits> = {}): Promise<number> {
  const limits = { headMs: 200, requestMs: 400, everyMs: 50, connections: 100, ...over };
  const server = await listen((request) => hub.hub.fetch(request), '127.0.0.1', 0, limits);
  onTestFinished(() => server.close());
  return server.port;
}

interface Client {
  readonly socket: Socket;
  readonly text: () => string;
  /** What was received, once the other side has closed. */
  readonly closed: Promise<string>;
}

function client(port: number, said: string): Client {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  socket.on('error', () => undefined);
  socket.write(said);
  return { socket, text: () => text, closed: new Promise((resolve) => socket.once('close', () => resolve(text))) };
}

function post(path: string, port: number, headers: Readonly<Record<string, string>>, body = ''): string {
  const own = { Host: `127.0.0.1:${port}`, 'Content-Type': 'application/json', ...headers };
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
}

describe('[P18, P19] whoever connects', () => {
  it('cannot make the hub hold more than a code for a login', async () => {
    const hub = await startHub([]);
    const send = (body: string): Promise<Response> =>
      fetch(`${hub.url}/login`, {
        method: 'POST',
        headers: { origin: hub.url, 'content-type': 'application/json' },
        body,
      });
    expect((await send(JSON.stringify({ code: 'x'.repeat(4096) }))).status).toBe(413);
    expect((await send(JSON.stringify({ code: 'x'.repeat(200) }))).status).toBe(401);
    const { port } = new URL(hub.url);
    const stalled = client(
      Number(port),
      post('/login', Number(port), { Origin: hub.url, 'Content-Length': '1000000', Connection: 'close' }, '{'),
    );
    expect(await stalled.closed).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is let go when a head or a body does not arrive in time; nothing is logged as a fault of the hub', async () => {
    const hub = await startHub([]);
    const port = await impatient(hub);
    const login = { Origin: `http://127.0.0.1:${port}`, 'Content-Length': '100' };
    const [head, body] = [client(port, 'GET /ping HTTP/1.1\r\n'), client(port, post('/login', port, login, '{"code"'))];
    expect(await head.closed).toMatch(/^HTTP\/1\.1 408 /);
    expect(await body.closed).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    expect(hub.log.filter((line) => line.startsWith('error'))).toEqual([]);
    const alive = await fetch(`http://127.0.0.1:${port}/ping`);
    expect(alive.status).toBe(200);
  });

  it('keeps streams of events and of runs for longer than a request may take', async () => {
    const home = house();
    const body = held<string>();
    const tools = [home.tool('add_note', 1, z.object({ door: z.string() }), () => body.promise)];
    const hub = await startHub([[call('add_note', { door: 'front' }, 'c1')], DONE], { house: { ...home, tools } });
    const port = await impatient(hub);
    const token = await hub.token();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const events = await fetch(`http://127.0.0.1:${port}/api/events`, { headers });
    const reader = events.body?.getReader();
    const run = await fetch(`http://127.0.0.1:${port}/agent`, {
      method: 'POST',
      headers,
      body: JSON.stringify(runInput()),
    });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    body.settle('noted');
    expect(await run.text()).toContain('RUN_FINISHED');
    let text = '';
    while (!text.includes('"status":"idle"')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
  });

  it('is turned away when too many are there, who are still answered', async () => {
    const hub = await startHub([]);
    const port = await impatient(hub, { connections: 3, headMs: 20_000, requestMs: 20_000 });
    const ping = `GET /ping HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const first = [1, 2, 3].map(() => client(port, ''));
    await Promise.all(first.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await client(port, ping).closed).toBe('');
    for (const { socket } of first) socket.write(ping);
    for (const { socket, text } of first) {
      while (!text().includes('200 OK')) await new Promise((resolve) => socket.once('data', resolve));
      socket.destroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await fetch(`http://127.0.0.1:${port}/ping`)).status).toBe(200);
  });
});
