import type { AuditRow, JSONValue } from 'strands-tau';
import { MemoryApprovalStore, MemoryAuditLog } from 'strands-tau/stores/memory';
import { ManualClock } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AuditWriter } from '../../src/hub/audit-sink.ts';
import { DONE, house, quietLogger, unlock, until } from '../support/strands.ts';
import { newState, startHub } from './support/hub.ts';

describe('[P2, P22] a hub that is alone on its store', () => {
  it('says at its start what was cut off before, and lets it be ordered again', async () => {
    const state = newState();
    const home = house();
    const next = house();
    const working = [next.tool('unlock_door', 2, z.object({ door: z.string() }), () => 'open')];
    const tools = [
      home.tool('unlock_door', 2, z.object({ door: z.string() }), () => new Promise<string>(() => undefined)),
    ];
    const dead = await startHub([[unlock('front', 'c1')]], {
      state,
      house: { ...home, tools },
      hub: { shutdownSeconds: 0 },
    });
    const before = await dead.token();
    await dead.run(before);
    const { id, digest } = await dead.question(before);
    await dead.send(`/api/approvals/${id}/decision`, { token: before, body: { decision: 'approved', digest } });
    await until(() => dead.started().length === 1);
    const hub = await startHub([DONE], { state, house: { ...next, tools: working }, hub: { isAlone: true } });
    const token = await hub.token();
    const { approval } = (await hub.send(`/api/approvals/${id}`, { token })).body;
    expect([approval.status, approval.mayRetry]).toEqual(['unknown', true]);
    const { body } = await hub.send(`/api/approvals/${id}/retry`, { token, body: { digest } });
    expect(body.result).toBe('ordered');
    await until(() => hub.started().length === 1);
    expect(dead.started()).toHaveLength(1);
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
