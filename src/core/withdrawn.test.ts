import { describe, expect, it } from 'vitest';
import { ScriptedApprover } from '../testing/index.ts';
import { ToolCatalog } from './catalog.ts';
import { TierGate } from './gate.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import type { TierGateOptions } from './options.ts';
import { ParkingApprover } from './parking-approver.ts';

function gateWith(options: Partial<TierGateOptions> = {}): TierGate {
  const catalog = new ToolCatalog();
  catalog.register({ name: 'act', tier: 2, effect: 'Acts', inputSchema: {} });
  return new TierGate({ catalog, logger: { debug() {}, info() {}, warn() {}, error() {} }, ...options });
}

/** Holds the lock of tier-2 bodies until it is let go. */
function hold(gate: TierGate): { readonly done: Promise<unknown>; letGo(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const origin = { kind: 'routine', conversation: 'first' } as const;
  return { done: gate.run({ tool: 'act', arguments: 1, origin }, () => promise), letGo: resolve };
}

const origin = { kind: 'routine', conversation: 'second' } as const;

describe('what ends between the verdict and the body', () => {
  it('[G8, G13] an exemption that is taken back while the call waits for the lock: it is asked about', async () => {
    const approver = new ScriptedApprover(['rejected']);
    const gate = gateWith({ approver });
    const undo = gate.addExemption(() => true);
    const first = hold(gate);
    const ran: unknown[] = [];
    const second = gate.run({ tool: 'act', arguments: 2, origin }, async (args) => ran.push(args));
    await new Promise((resolve) => setTimeout(resolve, 10));
    undo();
    first.letGo();
    await first.done;
    expect((await second).status).toBe('refused');
    expect([ran, approver.requests.length]).toEqual([[], 1]);
  });

  it('[G13] a policy that changes while the call waits for the lock: it is asked about anew', async () => {
    let version = '1';
    const approver = new ScriptedApprover(['approved', 'approved', 'rejected']);
    const policy = {
      sees: () => true,
      mayDecide: () => true,
      get version() {
        return version;
      },
    };
    const gate = gateWith({ approver, policy });
    const first = hold(gate);
    const ran: unknown[] = [];
    const second = gate.run({ tool: 'act', arguments: 2, origin }, async (args) => ran.push(args));
    while (approver.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    version = '2';
    first.letGo();
    await first.done;
    expect((await second).status).toBe('refused');
    expect([ran, approver.requests.length]).toEqual([[], 3]);
  });

  it('[G13] a ticket of an older policy is not redeemed', async () => {
    let version = '1';
    const policy = {
      sees: () => true,
      mayDecide: () => true,
      get version() {
        return version;
      },
    };
    const gate = gateWith({ approver: new ScriptedApprover(['approved']), policy });
    const verdict = await gate.check({ tool: 'act', arguments: 1 });
    if (!verdict.allowed) throw new Error('expected a ticket');
    version = '2';
    expect(await gate.redeem(verdict.ticket, verdict.ticket.call)).toBe(false);
  });
});

describe('an exemption that comes after an answer', () => {
  const call = { tool: 'act', arguments: 1, origin: { kind: 'model', conversation: 'a' } } as const;
  const position = { conversation: 'a', batch: 'b', toolUseId: 't' };
  const by = { id: 'anonymous', kind: 'person' } as const;

  it.each(['rejected', 'approved'] as const)('[G8, G14] does not undo it: %s', async (decision) => {
    const gate = gateWith({ approver: new ParkingApprover() });
    const asked = await gate.check(call, { position, claim: true });
    if (asked.allowed || asked.approval !== 'pending') throw new Error('expected a parked question');
    await gate.decide(asked.approvalId, { decision, by, channel: 'test' });
    gate.addExemption(() => true);
    const verdict = await gate.check(call, { position, claim: true });
    expect(verdict.approval).toBe(decision);
  });

  it('[G8] takes the place of a question that is still open', async () => {
    const gate = gateWith({ approver: new ParkingApprover() });
    const asked = await gate.check(call, { position, claim: true });
    if (asked.allowed || asked.approval !== 'pending') throw new Error('expected a parked question');
    gate.addExemption(() => true);
    expect((await gate.check(call, { position, claim: true })).approval).toBe('exempt');
    expect((await gate.store.get(asked.approvalId))?.status).toBe('void');
  });
});

describe('what is believed', () => {
  it('[G6] an answer that inherits a decision is no answer', async () => {
    const approver = { name: 'odd', decide: async () => Object.create({ decision: 'approved' }) };
    const verdict = await gateWith({ approver }).check({ tool: 'act', arguments: 1 });
    expect(verdict).toMatchObject({ allowed: false, reason: 'approver_failed' });
  });

  it('[G13, P1] a record of another conversation approves nothing, whatever a broken store answers', async () => {
    const store = new MemoryApprovalStore();
    const list = store.list.bind(store);
    store.list = () => list({});
    const gate = gateWith({ approver: new ParkingApprover(), store });
    const call = (conversation: string): Parameters<TierGate['check']>[0] => ({
      tool: 'act',
      arguments: 1,
      origin: { kind: 'model', conversation },
    });
    const at = (conversation: string): object => ({
      position: { conversation, batch: 'b', toolUseId: 't' },
      claim: true,
    });
    const asked = await gate.check(call('a'), at('a'));
    if (asked.allowed || asked.approval !== 'pending') throw new Error('expected a parked question');
    const by = { id: 'anonymous', kind: 'person' } as const;
    await gate.decide(asked.approvalId, { decision: 'approved', by, channel: 'test' });
    expect(await gate.check(call('b'), at('b'))).toMatchObject({ allowed: false, approval: 'pending' });
  });

  it('[G13] a store that says yes twice starts one body', async () => {
    const store = new MemoryApprovalStore();
    const consume = store.consume.bind(store);
    const gate = gateWith({ approver: new ParkingApprover(), store });
    const position = { conversation: 'a', batch: 'b', toolUseId: 't' };
    const call = { tool: 'act', arguments: 1, origin: { kind: 'model', conversation: 'a' } } as const;
    const asked = await gate.check(call, { position, claim: true });
    if (asked.allowed || asked.approval !== 'pending') throw new Error('expected a parked question');
    await gate.decide(asked.approvalId, {
      decision: 'approved',
      by: { id: 'anonymous', kind: 'person' },
      channel: 'test',
    });
    let first: Awaited<ReturnType<typeof consume>> | undefined;
    store.consume = async (id, token, time) => (first ??= await consume(id, token, time));
    const [one, two] = await Promise.all([1, 2].map(() => gate.check(call, { position, claim: true })));
    if (!one?.allowed || !two?.allowed) throw new Error('expected two tickets');
    const redeemed = await Promise.all([one, two].map(({ ticket }) => gate.redeem(ticket, ticket.call)));
    expect(redeemed.filter(Boolean)).toHaveLength(1);
  });

  it('[G11] an object that would expand without end is refused', async () => {
    let value: object = { end: 1 };
    for (let i = 0; i < 30; i++) value = { a: value, b: value };
    const verdict = await gateWith().check({ tool: 'act', arguments: value as never });
    expect(verdict).toMatchObject({ allowed: false, reason: 'invalid_arguments' });
  });
});
