import { Agent } from '@strands-agents/sdk';
import type { ApprovalRecord } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { guardTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, type House, house, unlock, until } from '../support/strands.ts';
import { ADA, type Body, newState, type Running, startHub } from './support/hub.ts';

/** A house whose door only an agent used as a tool can open. */
function withPorter(own: House['tools'] = []): House {
  const home = house();
  const turns = [[unlock('front', 'c2')], DONE];
  const porter = new Agent({ name: 'porter', model: new ScriptedModel(turns), tools: home.tools, printer: false });
  return { ...home, tools: [...own, guardTool(porter.asTool(), { tier: 1, effect: 'Lets the porter work' })] };
}

interface CutOff {
  readonly hub: Running;
  readonly ada: string;
  /** Where a new attempt is ordered. */
  readonly path: string;
  readonly digest: string;
  /** What the API shows of an approval; default the one that was cut off. */
  show(id?: string): Promise<Body>;
}

/** A hub whose one tier-2 call was cut off in the middle. */
async function cutOff(home: House, store: MemoryApprovalStore = new MemoryApprovalStore()): Promise<CutOff> {
  const asksPorter = home.tools.some(({ name }) => name === 'porter');
  const ask = asksPorter ? call('porter', { input: 'open' }, 'c1') : unlock('front', 'c1');
  const hub = await startHub([[ask], DONE], { house: home, state: newState(store) });
  const ada = await hub.token();
  await hub.run(ada);
  const { id, digest } = await hub.question(ada);
  await store.decide(id, { decision: 'approved', by: ADA, channel: 'x', at: 1, tookMs: 1 });
  await store.consume(id, 'dead process', 2).then(() => store.lose(id, 3));
  const show = async (which: string = id): Promise<Body> =>
    (await hub.send(`/api/approvals/${which}`, { token: ada })).body.approval;
  return { hub, ada, path: `/api/approvals/${id}/retry`, digest, show };
}

describe('[P2, S17] a new attempt that is ordered', () => {
  it('of a call that an agent used as a tool made runs there, once', async () => {
    const { hub, ada, path, digest, show } = await cutOff(withPorter());
    expect((await show()).mayRetry).toBe(true);
    const { status, body } = await hub.send(path, { token: ada, body: { digest } });
    expect([status, body.result]).toEqual([200, 'ordered']);
    await expect.poll(async () => (await show(body.approval.id)).status).toBe('done');
    // There is one attempt of each.
    expect((await show()).mayRetry).toBe(false);
    const second = await hub.send(path, { token: ada, body: { digest } });
    expect([second.status, second.body.error.code, second.body.approval.id]).toEqual([
      409,
      'already_ordered',
      body.approval.id,
    ]);
    expect(hub.started()).toEqual(['unlock_door {"door":"front"}']);
  });

  it('is refused before it is taken where the hub cannot say which tool was meant, or has none', async () => {
    const door = z.object({ door: z.enum(['front', 'back']) });
    // Of the same definition, and another body: the gate cannot tell the two apart.
    const other = house().tool('unlock_door', 2, door, () => 'another door');
    const { hub, ada, path, digest, show } = await cutOff(withPorter([other]));
    expect((await show()).mayRetry).toBe(false);
    const { status, body } = await hub.send(path, { token: ada, body: { digest } });
    expect([status, body.error.code, body.approval.mayRetry]).toEqual([409, 'no_tool', false]);
    expect((await hub.state.store.list()).records.map((record) => record.status)).toEqual(['unknown']);
    const bob = await hub.token('bob');
    expect((await hub.send(path, { token: bob, body: { digest } })).status).toBe(404);
    expect(hub.started()).toEqual([]);
  });

  it('and does not begin is cancelled, and can be ordered anew', async () => {
    const store = new ForgetfulOnce();
    const { hub, ada, path, digest, show } = await cutOff(house(), store);
    const { body } = await hub.send(path, { token: ada, body: { digest } });
    await expect.poll(async () => (await store.record(body.approval.id))?.status).toBe('cancelled');
    expect(hub.started()).toEqual([]);
    const attempt = await show(body.approval.id);
    expect([attempt.closedBecause, attempt.mayRetry]).toEqual([
      'it could not be started; the log of the hub says why',
      true,
    ]);
    expect(hub.log.join('\n')).toContain('disk on fire');
    const again = `/api/approvals/${attempt.id}/retry`;
    expect((await hub.send(again, { token: ada, body: { digest: attempt.digest } })).body.result).toBe('ordered');
    await until(() => hub.started().length === 1);
  });
});

/** A store that cannot read attempts until the first one is closed. */
class ForgetfulOnce extends MemoryApprovalStore {
  #isWell = false;

  override async get(id: string): Promise<ApprovalRecord | undefined> {
    const record = await super.get(id);
    if (!this.#isWell && record?.retryOf !== undefined) throw new Error('disk on fire');
    return record;
  }

  override async close(...step: Parameters<MemoryApprovalStore['close']>): ReturnType<MemoryApprovalStore['close']> {
    if ((await super.get(step[0]))?.retryOf !== undefined) this.#isWell = true;
    return super.close(...step);
  }

  record(id: string): Promise<ApprovalRecord | undefined> {
    return super.get(id);
  }
}
