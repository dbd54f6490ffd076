import { describe, expect, it } from 'vitest';
import { unlock, worldOf } from '../../test/gate-fixture.ts';
import { ParkingApprover } from './parking-approver.ts';

describe('[G4, G9] an approver that parks', () => {
  it('leaves every question open in the store and approves nothing', async () => {
    const { gate, of, ran, body } = worldOf(new ParkingApprover());
    const outcomes = await Promise.all([gate.run(unlock('front'), body), gate.run(unlock('back'), body)]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['pending', 'pending']);
    expect((await gate.store.list({ status: 'pending' })).records).toHaveLength(2);
    expect([ran, of('approval'), of('tool_call')]).toEqual([[], [], []]);
  });

  it('says how long a question stays open', async () => {
    const { gate, clock, approver } = worldOf(new ParkingApprover({ name: 'http', timeoutSeconds: 60 }));
    await gate.check(unlock());
    expect((await gate.store.list()).records).toMatchObject([{ expiresAt: clock.now() + 60_000 }]);
    expect(approver.name).toBe('http');
  });
});
