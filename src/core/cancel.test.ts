import { describe, expect, it } from 'vitest';
import { unlock, type World, worldOf } from '../../test/gate-fixture.ts';
import { ParkingApprover } from './parking-approver.ts';
import type { Policy } from './policy.ts';

const ada = { id: 'ada', kind: 'person' } as const;
const grace = { id: 'grace', kind: 'person' } as const;
const call = unlock('front', { principal: ada });
const again = { position: { conversation: 'c1', batch: 'b1', toolUseId: 'tooluse_1' }, claim: true } as const;

/** Only grace decides, so that the requester can do nothing but withdraw. */
const policy: Policy = { version: '1', sees: () => true, mayDecide: ({ id }) => id === 'grace' };

async function parked(): Promise<{ w: World<ParkingApprover>; id: string }> {
  const w = worldOf(new ParkingApprover(), { policy });
  const outcome = await w.gate.run(call, w.body, again);
  return { w, id: outcome.status === 'pending' ? outcome.approvalId : '' };
}

describe('[P2] withdrawing a question', () => {
  it.each([ada, grace])('$id may, and it says who, where and why; nothing runs afterwards', async (by) => {
    const { w, id } = await parked();
    const result = await w.gate.cancel(id, { by, channel: 'http', because: 'changed my mind' });
    expect(result).toMatchObject({
      status: 'cancelled',
      record: {
        status: 'cancelled',
        closedBy: by,
        closedBecause: `withdrawn by person '${by.id}' at http: changed my mind`,
      },
    });
    expect(await w.gate.decide(id, { decision: 'approved', by: grace, channel: 'x' })).toMatchObject({
      status: 'already_decided',
      record: { status: 'cancelled' },
    });
    expect(await w.gate.run(call, w.body, again)).toMatchObject({ refusal: { reason: 'cancelled' } });
    expect(w.ran).toEqual([]);
  });

  it('a yes that was not used yet can be withdrawn; one that was used cannot', async () => {
    const { w, id } = await parked();
    await w.gate.decide(id, { decision: 'approved', by: grace, channel: 'x' });
    expect(await w.gate.cancel(id, { by: ada, channel: 'http' })).toMatchObject({ status: 'cancelled' });
    expect(await w.gate.run(call, w.body, again)).toMatchObject({ refusal: { reason: 'cancelled' } });
    const other = await parked();
    await other.w.gate.decide(other.id, { decision: 'approved', by: grace, channel: 'x' });
    await other.w.gate.run(call, other.w.body, again);
    expect(await other.w.gate.cancel(other.id, { by: ada, channel: 'http' })).toMatchObject({
      status: 'already_decided',
      record: { status: 'done' },
    });
    expect([w.ran, other.w.ran.length]).toEqual([[], 1]);
  });

  it('strangers, agents under the name of the requester and unknown ids are answered alike', async () => {
    const { w, id } = await parked();
    for (const by of [
      { id: 'eve', kind: 'person' },
      { id: 'ada', kind: 'agent' },
      { id: 'grace', kind: 'agent' },
    ] as const)
      expect(await w.gate.cancel(id, { by, channel: 'http' })).toEqual({ status: 'not_found' });
    for (const wrong of ['', '__proto__', `${id}x`])
      expect(await w.gate.cancel(wrong, { by: ada, channel: 'http' })).toEqual({ status: 'not_found' });
    expect(await w.gate.store.get(id)).toMatchObject({ status: 'pending' });
  });
});
