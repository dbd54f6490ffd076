import { expect, it } from 'vitest';
import { ManualClock } from '../testing/index.ts';
import { ToolCatalog } from './catalog.ts';
import type { AgentEvent } from './events.ts';
import { TierGate } from './gate.ts';
import { ParkingApprover } from './parking-approver.ts';

it('[G10, P2] silence on parked questions is a timeout that is told, once', async () => {
  const clock = new ManualClock();
  const catalog = new ToolCatalog();
  catalog.register({ name: 'pay', tier: 2, effect: 'Pays', inputSchema: {} });
  const events: AgentEvent[] = [];
  const approver = new ParkingApprover({ timeoutSeconds: 60 });
  const gate = new TierGate({ catalog, approver, clock, sinks: [(event) => void events.push(event)] });
  const verdict = await gate.check({ tool: 'pay', arguments: {} });
  if (verdict.allowed || verdict.approval !== 'pending') throw new Error('expected a parked question');
  expect(await gate.expire()).toEqual([]);
  await clock.advance(60_000);
  expect(await gate.expire()).toEqual([verdict.approvalId]);
  expect(await gate.expire()).toEqual([]);
  expect(events).toMatchObject([{ type: 'approval', decision: 'timeout', approvalId: verdict.approvalId }]);
});

it('[G12, G14] a question asked for somebody else is void, not an approval', async () => {
  const catalog = new ToolCatalog();
  catalog.register({ name: 'pay', tier: 2, effect: 'Pays', inputSchema: {} });
  const gate = new TierGate({ catalog, approver: new ParkingApprover() });
  const position = { conversation: 'c', batch: 'b', toolUseId: 't' };
  const call = (id: string): Parameters<typeof gate.check>[0] => ({
    tool: 'pay',
    arguments: {},
    origin: { kind: 'model', conversation: 'c', principal: { id, kind: 'person' } },
  });
  const asked = await gate.check(call('ada'), { position, claim: true });
  if (asked.allowed || asked.approval !== 'pending') throw new Error('expected a parked question');
  await gate.decide(asked.approvalId, { decision: 'approved', by: { id: 'ada', kind: 'person' }, channel: 'test' });
  const other = await gate.check(call('bo'), { position, claim: true });
  expect(other).toMatchObject({ allowed: false, approval: 'pending' });
  expect((await gate.store.get(asked.approvalId))?.status).toBe('void');
});

it('[P2] a yes that was not used in time is expired for everybody to see, although no call comes back for it', async () => {
  const clock = new ManualClock();
  const catalog = new ToolCatalog();
  catalog.register({ name: 'pay', tier: 2, effect: 'Pays', inputSchema: {} });
  const gate = new TierGate({ catalog, approver: new ParkingApprover(), clock, useWithinSeconds: 60 });
  const ids: string[] = [];
  for (const text of ['one', 'two']) {
    const verdict = await gate.check({ tool: 'pay', arguments: { text } });
    if (verdict.allowed || verdict.approval !== 'pending') throw new Error('expected a parked question');
    ids.push(verdict.approvalId);
  }
  const [one = '', two = ''] = ids;
  await gate.decide(one, { decision: 'approved', by: { id: 'anonymous', kind: 'person' }, channel: 'test' });
  await clock.advance(60_000);
  expect(await gate.expire()).toEqual([]);
  await clock.advance(1);
  expect(await gate.expire()).toEqual([one]);
  expect(await gate.store.get(one)).toMatchObject({
    status: 'expired',
    closedBecause: 'the approval was not used in time',
  });
  expect((await gate.store.get(two))?.status).toBe('pending');
  expect(await gate.expire()).toEqual([]);
});
