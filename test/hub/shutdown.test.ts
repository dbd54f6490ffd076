import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DONE, held, house, unlock, until } from '../support/strands.ts';
import { newState, runInput, startHub } from './support/hub.ts';

describe('[P22] a stop', () => {
  it('lets a running body finish, starts nothing new, and leaves questions open', async () => {
    const state = newState();
    const home = house();
    const body = held<string>();
    const tools = [home.tool('unlock_door', 2, z.object({ door: z.string() }), () => body.promise)];
    const hub = await startHub([[unlock('front', 'c1')], [unlock('back', 'c2')], DONE], {
      state,
      house: { ...home, tools },
    });
    const ada = await hub.token();
    await hub.run(ada, { threadId: 'one' });
    const first = await hub.question(ada);
    await hub.run(ada, { threadId: 'two' });
    const decision = { decision: 'approved', digest: first.digest } as const;
    await hub.send(`/api/approvals/${first.id}/decision`, { token: ada, body: decision });
    await until(() => hub.started().length === 1);
    const stopped = hub.hub.stop();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const refused = await hub.send('/agent', { token: ada, body: runInput({ threadId: 'three' }) });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect((await hub.send('/ready')).status).toBe(503);
    expect((await hub.send('/ping')).status).toBe(200);
    // Longer than an agent that is told to stop may take: the body is not told to.
    await new Promise((resolve) => setTimeout(resolve, 700));
    body.settle('open');
    await stopped;
    expect(await state.store.get(first.id)).toMatchObject({ status: 'done', outcome: { status: 'done' } });
    const { records } = await state.store.list({ status: 'pending' });
    expect(records.map(({ request }) => request.arguments)).toEqual([{ door: 'back' }]);
    await expect(hub.send('/ping')).rejects.toThrow();
  });

  it('records that nobody knows how a body ended that does not finish in time', async () => {
    const state = newState();
    const home = house();
    const never = held<string>();
    const tools = [home.tool('unlock_door', 2, z.object({ door: z.string() }), () => never.promise)];
    const hub = await startHub([[unlock('front', 'c1')], DONE], {
      state,
      house: { ...home, tools },
      hub: { shutdownSeconds: 0.1 },
    });
    const ada = await hub.token();
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    await hub.send(`/api/approvals/${id}/decision`, { token: ada, body: { decision: 'approved', digest } });
    await until(() => hub.started().length === 1);
    await hub.hub.stop();
    expect((await state.store.get(id))?.status).toBe('unknown');
    expect(hub.log.some((line) => line.includes('cut off at the stop'))).toBe(true);
  });

  it('ends the streams of events, and closes the store last', async () => {
    const order: string[] = [];
    const hub = await startHub([], { hub: { close: () => void order.push('closed') } });
    const ada = await hub.token();
    const stream = await fetch(`${hub.url}/api/events`, { headers: { authorization: `Bearer ${ada}` } });
    const ended = stream.text().then(() => order.push('stream ended'));
    await hub.hub.stop();
    await ended;
    expect(order).toEqual(['stream ended', 'closed']);
    await hub.hub.stop();
    expect(order).toEqual(['stream ended', 'closed']);
  });
});
