import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../../testing/manual-clock.ts';
import { HubClient } from '../wire/hub-client.ts';
import { type Connection, delayAfter, type EventSourceLike, LiveFeed } from '../wire/live-feed.ts';
import { Desk } from './desk.ts';
import { readApprovals } from './read-approvals.ts';
import { fragmentOf, loginCode, type Route, routeOf } from './route.ts';

class Source implements EventSourceLike {
  readonly listeners = new Map<string, (event: { readonly data?: unknown }) => void>();
  closed = false;
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void {
    this.listeners.set(type, listener);
  }
  close(): void {
    this.closed = true;
  }
  emit(type: string, data?: unknown): void {
    this.listeners.get(type)?.({ data });
  }
}

describe('[P15] the live connection', () => {
  test('waits longer after each failure: a restart is waited for in short steps, then up to half a minute', () => {
    const middle = (failures: number): number => delayAfter(failures, 0.5);
    expect([1, 2, 3, 4, 5, 10, 11, 12, 50].map(middle)).toEqual([
      500, 1000, 2000, 4000, 4000, 4000, 8000, 16_000, 30_000,
    ]);
    expect([delayAfter(1, 0), delayAfter(1, 1)]).toEqual([375, 625]);
  });

  test('is opened again after it broke, tells of it, and ignores the old one', async () => {
    const clock = new ManualClock();
    const sources: Source[] = [];
    const heard: unknown[] = [];
    const states: Connection[] = [];
    const feed = new LiveFeed({
      open: () => {
        const source = new Source();
        sources.push(source);
        return source;
      },
      clock,
      chance: () => 0.5,
      names: ['approval'],
      onEvent: (name, data) => heard.push([name, data]),
      onConnection: (state) => states.push(state),
    });
    feed.connect();
    sources[0]?.emit('open');
    sources[0]?.emit('approval', '{"id":"a"}');
    sources[0]?.emit('approval', 'not json');
    sources[0]?.emit('error');
    sources[0]?.emit('approval', '{"id":"late"}');
    await clock.advance(500);
    sources[1]?.emit('open');
    expect(sources.map(({ closed }) => closed)).toEqual([true, false]);
    expect(states).toEqual(['live', 'lost', 'live']);
    expect(heard).toEqual([
      ['approval', { id: 'a' }],
      ['approval', undefined],
    ]);
    feed.close();
    expect(sources[1]?.closed).toBe(true);
  });

  test('the list of open questions is read again when it comes back, over all its pages', async () => {
    const sources: Source[] = [];
    const asked: string[] = [];
    const page = { approvals: [], nextCursor: 'two' };
    const hub = new HubClient(async (path) => {
      asked.push(String(path));
      return Response.json(String(path).includes('cursor=two') ? { approvals: [] } : page);
    });
    const desk = new Desk({
      hub,
      clock: new ManualClock(),
      chance: () => 0.5,
      openEvents: () => {
        const source = new Source();
        sources.push(source);
        return source;
      },
    });
    const told: string[] = [];
    desk.on('back', () => told.push('back'));
    desk.connect();
    sources[0]?.emit('open');
    await desk.refresh();
    expect(desk.state).toEqual({ connection: 'live', pending: [] });
    // Views may have read before the hub told of changes.
    expect(told).toEqual(['back']);
    expect(asked.slice(0, 2)).toEqual([
      '/api/approvals?status=pending&limit=100&order=oldest',
      '/api/approvals?status=pending&limit=100&order=oldest&cursor=two',
    ]);
    sources[0]?.emit('error');
    desk.connect();
    sources[1]?.emit('open');
    expect(told).toEqual(['back', 'back']);
    sources[1]?.emit('resync', '{}');
    expect(told).toEqual(['back', 'back', 'back']);
    desk.close();
  });
});

describe('[P15] the client of the hub', () => {
  test('goes on behind an answer that has no approval and a place to go on', async () => {
    const asked: string[] = [];
    const hub = new HubClient(async (path) => {
      asked.push(String(path));
      const next = ['~a', '~b'][asked.length - 1];
      return Response.json({ approvals: [], ...(next === undefined ? {} : { nextCursor: next }) });
    });
    const query = new URLSearchParams({ limit: '50', cursor: 'x' });
    expect(await readApprovals(hub, query)).toEqual({ ok: true, value: { approvals: [] } });
    expect(asked.map((path) => path.split('cursor=')[1])).toEqual(['x', '%7Ea', '%7Eb']);
  });

  test('an answer that does not fit, an error and a hub that is away are values', async () => {
    const shape = (await import('../wire/shapes.ts')).meShape;
    const reply = async (response: () => Response): Promise<unknown> =>
      new HubClient(async () => response()).get('/x', shape);
    expect(await reply(() => Response.json({ principal: 7 }))).toEqual({ ok: false, status: 0, code: 'unreadable' });
    expect(await reply(() => Response.json({ error: { code: 'c', message: 'm' } }, { status: 422 }))).toEqual({
      ok: false,
      status: 422,
      code: 'c',
      message: 'm',
    });
    expect(
      await reply(() => {
        throw new TypeError('refused');
      }),
    ).toEqual({ ok: false, status: 0, code: 'unreachable' });
    expect(await reply(() => Response.json({ principal: 'ada', scopes: [], more: 1 }))).toEqual({
      ok: true,
      value: { principal: { id: 'ada' }, scopes: [] },
    });
  });

  test('tells when the session is over, except for a login that failed', async () => {
    const hub = new HubClient(async () => Response.json({}, { status: 401 }));
    let signedOut = 0;
    hub.onSignedOut = () => {
      signedOut += 1;
    };
    const { anythingShape } = await import('../wire/shapes.ts');
    await hub.post('/login', {}, anythingShape);
    expect(signedOut).toBe(0);
    await hub.get('/api/me', anythingShape);
    expect(signedOut).toBe(1);
  });
});

describe('routes', () => {
  test('every route has an address that leads to it', () => {
    const routes: readonly Route[] = [
      { view: 'chat' },
      { view: 'chat', threadId: 'a/b #c' },
      { view: 'waiting' },
      { view: 'approval', id: 'ü?' },
      { view: 'history' },
      { view: 'audit' },
    ];
    expect(routes.map((route) => routeOf(fragmentOf(route)))).toEqual(routes);
    expect(routeOf('#/constructor/x')).toEqual({ view: 'chat' });
    expect(routeOf('#/approvals/%zz')).toEqual({ view: 'approval', id: '%zz' });
  });

  test('the code of a login link is read from the fragment', () => {
    const code = 'uGUsXk-bYJ1_tQ8V0jLrWc3dAe5fGh7iKl9mNo2pQrS';
    expect(loginCode(`#${code}`)).toBe(code);
    expect(['', '#', '#/chat', `#/chat/${code}`, `#${code}/x`].map(loginCode)).toEqual(Array(5).fill(undefined));
  });
});
