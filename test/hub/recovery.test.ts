import type { AuditRow, JSONValue } from 'strands-tau';
import { MemoryApprovalStore, MemoryAuditLog } from 'strands-tau/stores/memory';
import { ManualClock } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AuditWriter } from '../../src/hub/audit-sink.ts';
import { call, DONE, house, quietLogger, unlock, until } from '../support/strands.ts';
import { newState, startHub } from './support/hub.ts';

describe('[P2, P22] a hub that is alone on its store', () => {
  it('says at its start what was cut off before, an ordered attempt too, and lets it be ordered again', async () => {
    const state = newState();
    const forever = () => new Promise<string>(() => undefined);
    const next = async (body: () => string | Promise<string>) => {
      const home = house();
      const tools = [home.tool('unlock_door', 2, z.object({ door: z.string() }), body)];
      const options = { state, house: { ...home, tools }, hub: { isAlone: true, shutdownSeconds: 0 } };
      const hub = await startHub([[unlock('front', 'c1')], DONE], options);
      return { hub, token: await hub.token() };
    };
    const first = await next(forever);
    await first.hub.run(first.token);
    const { id, digest } = await first.hub.question(first.token);
    const body = { decision: 'approved', digest } as const;
    await first.hub.send(`/api/approvals/${id}/decision`, { token: first.token, body });
    await until(() => first.hub.started().length === 1);
    // No dispatch finds an attempt, so nobody but a start can find out that it was cut off.
    let cut = { id, digest };
    for (const rest of [forever, () => 'open']) {
      const { hub, token } = await next(rest);
      const { approval } = (await hub.send(`/api/approvals/${cut.id}`, { token })).body;
      expect([approval.status, approval.mayRetry]).toEqual(['unknown', true]);
      const ordered = await hub.send(`/api/approvals/${cut.id}/retry`, { token, body: { digest: cut.digest } });
      expect(ordered.body.result).toBe('ordered');
      const { retriedAs, mayRetry } = (await hub.send(`/api/approvals/${cut.id}`, { token })).body.approval;
      expect([retriedAs, mayRetry]).toEqual([ordered.body.approval.id, false]);
      await until(() => hub.started().length === 1);
      cut = ordered.body.approval;
    }
    expect(first.hub.started()).toHaveLength(1);
  });
});

describe('[P2, P22] a stop', () => {
  it('offers the store once more how a body ended that it could not take, and does not call it unknown', async () => {
    const store = new MemoryApprovalStore();
    const finish = store.finish.bind(store);
    let isAway = true;
    store.finish = async (...args) => (isAway ? Promise.reject(new Error('locked')) : finish(...args));
    const hub = await startHub([[unlock('front', 'c1')], DONE], {
      state: newState(store),
      hub: { shutdownSeconds: 0.1 },
    });
    const token = await hub.token();
    await hub.run(token);
    const { id, digest } = await hub.question(token);
    await hub.send(`/api/approvals/${id}/decision`, { token, body: { decision: 'approved', digest } });
    await until(() => hub.started().length === 1);
    await expect.poll(async () => hub.log.some((line) => line.includes('could not be stored'))).toBe(true);
    isAway = false;
    await hub.hub.stop();
    expect((await store.get(id))?.status).toBe('done');
  });
});

/** A log that takes nothing for a while. */
class Blocked extends MemoryAuditLog {
  isBlocked = true;

  override append(event: { readonly [key: string]: JSONValue }, at: number): Promise<AuditRow> {
    return this.isBlocked ? Promise.reject(new Error('locked')) : super.append(event, at);
  }
}

/** The same, and it takes its time. */
class Slow extends Blocked {
  override async append(event: { readonly [key: string]: JSONValue }, at: number): Promise<AuditRow> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return super.append(event, at);
  }
}

describe('[P4] the audit of a hub', () => {
  const error = (message: string) => ({ type: 'error', at: 5, where: 'agent', message }) as const;
  const texts = async (audit: MemoryAuditLog) => (await audit.rows()).map(({ event }) => event.message);

  it('keeps what its log does not take, and adds it in its order when it does', async () => {
    const [audit, clock] = [new Blocked(), new ManualClock()];
    const writer = new AuditWriter(audit, { decisions: true, redact: [], clock, log: quietLogger().logger });
    for (const text of ['one', 'two', 'three']) await writer.sink(error(text));
    await clock.advance(1000);
    expect(await texts(audit)).toEqual([]);
    audit.isBlocked = false;
    await clock.advance(2000);
    expect(await texts(audit)).toEqual(['one', 'two', 'three']);
  });

  it('writes a row once, although a stop comes while it is tried again', async () => {
    const [audit, clock] = [new Slow(), new ManualClock()];
    const writer = new AuditWriter(audit, { decisions: true, redact: [], clock, log: quietLogger().logger });
    for (const text of ['one', 'two']) await writer.sink(error(text));
    audit.isBlocked = false;
    const trying = clock.advance(1000);
    await writer.sink(error('three'));
    await Promise.all([writer.flush(), trying]);
    expect(await texts(audit)).toEqual(['one', 'two', 'three']);
  });

  it('is offered it once more when the hub stops', async () => {
    const audit = new Blocked();
    const hub = await startHub([[call('read_lock', { door: 'front' }, 'c1')], DONE], {
      state: { ...newState(), audit },
    });
    await hub.run(await hub.token());
    audit.isBlocked = false;
    await hub.hub.stop();
    expect((await audit.rows()).map(({ event }) => event.type)).toEqual(['tool_call']);
  });

  it('is offered it once more at a stop', async () => {
    const audit = new Blocked();
    const writer = new AuditWriter(audit, {
      decisions: true,
      redact: [],
      clock: new ManualClock(),
      log: quietLogger().logger,
    });
    await writer.sink(error('one'));
    audit.isBlocked = false;
    await writer.flush();
    expect(await texts(audit)).toEqual(['one']);
  });
});
