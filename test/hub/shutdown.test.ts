import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApprovalRecord } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, held, house, unlock, until } from '../support/strands.ts';
import { ADA, leaveMidBody, newState, type Running, runInput, type StartOptions, startHub } from './support/hub.ts';

/** A store that takes its time with a decision. */
class HeldDecision extends MemoryApprovalStore {
  isAsked = false;
  readonly held = held<string>();

  override async decide(...step: Parameters<MemoryApprovalStore['decide']>): ReturnType<MemoryApprovalStore['decide']> {
    this.isAsked = true;
    await this.held.promise;
    return super.decide(...step);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tau-stop-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

/** A hub whose store is really closed at its stop, and a body in it that ends when the test says so. */
async function stored(options: StartOptions['hub'] = {}) {
  files += 1;
  const path = join(folder, `${files}.db`);
  const store = SqliteStore.open(path);
  const home = house();
  const body = held<string>();
  const tools = [
    home.tool('unlock_door', 2, z.object({ door: z.string() }), () => body.promise),
    home.tool('add_note', 1, z.object({ text: z.string() }), () => body.promise),
  ];
  const start = (turns: Parameters<typeof startHub>[0]): Promise<Running> =>
    startHub(turns, {
      state: { store, values: store.values, audit: store.audit, sessions: { snapshot: store.sessions } },
      house: { ...home, tools },
      hub: { auditsDecisions: false, close: () => store.end(), ...options },
    });
  /** What the file says once the hub is gone. */
  const reopened = async (id: string) => {
    const again = SqliteStore.open(path);
    const [record, rows] = [await again.get(id), await again.audit.rows({ limit: 1000 })];
    await again.end();
    return { status: record?.status, rows: rows.map(({ event }) => String(event.type)), last: rows.at(-1)?.event };
  };
  return { start, body, reopened };
}

describe('[P22] a stop', () => {
  it('does not let an ordered attempt begin behind it', async () => {
    class SlowOrder extends MemoryApprovalStore {
      readonly ordered = held<void>();
      readonly go = held<void>();

      override async create(record: ApprovalRecord): Promise<void> {
        if (record.retryOf !== undefined) {
          this.ordered.settle();
          await this.go.promise;
        }
        await super.create(record);
      }
    }
    const store = new SlowOrder();
    const hub = await startHub([[unlock('front', 'c1')], DONE], { state: newState(store) });
    const ada = await hub.token();
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    await store.decide(id, { decision: 'approved', by: ADA, channel: 'x', at: 1, tookMs: 1 });
    await store.consume(id, 'dead process', 2).then(() => store.lose(id, 3));
    const order = hub.send(`/api/approvals/${id}/retry`, { token: ada, body: { digest } }).catch(() => undefined);
    await store.ordered.promise;
    const stopped = hub.hub.stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    store.go.settle();
    await Promise.all([order, stopped]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(hub.started()).toEqual([]);
    expect((await store.list()).records.at(-1)?.status).toBe('cancelled');
  });

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

  it('waits for a body whose client has left, and only then closes the store', async () => {
    const { start, body, reopened } = await stored();
    const hub = await start([[unlock('front', 'c1')], DONE, DONE]);
    const ada = await hub.token();
    await hub.run(ada);
    const { id } = await hub.question(ada);
    await leaveMidBody(
      hub,
      ada,
      runInput({ resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] }),
    );
    const stopped = hub.hub.stop();
    await new Promise((resolve) => setTimeout(resolve, 700));
    body.settle('open');
    await stopped;
    const { status, rows } = await reopened(id);
    expect([status, rows.filter((type) => type === 'tool_call')]).toEqual(['done', ['tool_call']]);
    expect(hub.log.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('tells the audit of a body of tier 1 too, although it has no record', async () => {
    const { start, body, reopened } = await stored();
    const hub = await start([[call('add_note', { text: 'x' }, 'c1')], DONE]);
    await leaveMidBody(hub, await hub.token(), runInput());
    const stopped = hub.hub.stop();
    await new Promise((resolve) => setTimeout(resolve, 50));
    body.settle('noted');
    await stopped;
    expect((await reopened('')).last).toMatchObject({ type: 'tool_call', tool: 'add_note', status: 'success' });
  });

  it('records that nobody knows how a body ended that is late, also when its client has left', async () => {
    const { start, body, reopened } = await stored({ shutdownSeconds: 0.1 });
    const hub = await start([[unlock('front', 'c1')], DONE, DONE]);
    const ada = await hub.token();
    await hub.run(ada);
    const { id } = await hub.question(ada);
    await leaveMidBody(
      hub,
      ada,
      runInput({ resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] }),
    );
    await hub.hub.stop();
    const { status, rows } = await reopened(id);
    expect([status, rows.includes('approval_lost')]).toEqual(['unknown', true]);
    expect(rows).toContain('error');
    body.settle('open');
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

  it.each(['at its own address', 'mounted'])('tells the audit what is decided while it stops (%s)', async (where) => {
    const store = new HeldDecision();
    const hub = await startHub([[unlock('front', 'c1')], DONE], { state: newState(store) });
    const ada = await hub.token();
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    const request = new Request(`${hub.url}/api/approvals/${id}/decision`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada}`, 'content-type': 'application/json', host: '127.0.0.1' },
      body: JSON.stringify({ decision: 'rejected', digest }),
    });
    const answer = where === 'mounted' ? hub.hub.fetch(request) : fetch(request);
    await until(() => store.isAsked);
    const stopped = hub.hub.stop();
    // Nothing runs, so all that it waits for is this.
    await new Promise((resolve) => setTimeout(resolve, 100));
    store.held.settle('go on');
    expect((await answer).status).toBe(200);
    await stopped;
    expect((await store.get(id))?.status).toBe('rejected');
    const rows = (await hub.state.audit.rows()).map(({ event }) => event);
    expect(rows).toContainEqual(expect.objectContaining({ type: 'approval', approvalId: id, decision: 'rejected' }));
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
