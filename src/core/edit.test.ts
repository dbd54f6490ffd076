import { describe, expect, it } from 'vitest';
import { ManualClock } from '../testing/index.ts';
import type { ApprovalRecord, Transition } from './approval-record.ts';
import { type CatalogEntry, ToolCatalog } from './catalog.ts';
import type { AgentEvent } from './events.ts';
import { TierGate } from './gate.ts';
import { jsonEquals, sealJson } from './json.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import { ParkingApprover } from './parking-approver.ts';
import type { Policy } from './policy.ts';

const ada = { id: 'ada', kind: 'person' } as const;
const position = { conversation: 'c', batch: 'b', toolUseId: 't' };
const call = {
  tool: 'pay',
  arguments: { to: 'bo', amount: 5 },
  toolUseId: 't',
  origin: { kind: 'model', conversation: 'c', principal: ada },
} as const;

function setUp(
  entry: Partial<CatalogEntry> = {},
  clock: ManualClock = new ManualClock(),
  store: MemoryApprovalStore = new MemoryApprovalStore(),
): { gate: TierGate; clock: ManualClock } {
  const catalog = new ToolCatalog();
  catalog.register({ name: 'pay', tier: 2, effect: 'Pays', inputSchema: { type: 'object' }, ...entry });
  const gate = new TierGate({ catalog, approver: new ParkingApprover({ timeoutSeconds: 60 }), clock, store });
  return { gate, clock };
}

async function park(gate: TierGate): Promise<string> {
  const verdict = await gate.check(call, { position, claim: true });
  if (verdict.allowed || verdict.approval !== 'pending') throw new Error('expected a parked question');
  return verdict.approvalId;
}

async function ranWith(gate: TierGate): Promise<unknown[]> {
  const ran: unknown[] = [];
  await gate.run(call, async (args) => ran.push(args), { position, claim: true });
  return ran;
}

describe('approving with other arguments', () => {
  it('[G12, P2] voids the question and runs the edit, once', async () => {
    const { gate } = setUp();
    const id = await park(gate);
    const edited = await gate.edit(id, { arguments: { to: 'bo', amount: 4 }, by: ada, channel: 'test' });
    expect(edited.status).toBe('approved');
    expect((await gate.store.get(id))?.status).toBe('void');
    expect(await ranWith(gate)).toEqual([{ to: 'bo', amount: 4 }]);
    expect(await ranWith(gate)).toEqual([]);
  });

  it('[G12] is shown again when parsing changes what was typed, and runs only after that is approved', async () => {
    const parse = (input: unknown): object => ({ amount: 1, ...(input as object) });
    const { gate } = setUp({ parse });
    const id = await park(gate);
    const edited = await gate.edit(id, { arguments: { to: 'cy' }, by: ada, channel: 'test' });
    if (edited.status !== 'asked_again') throw new Error(edited.status);
    expect(edited.record.request.arguments).toEqual({ amount: 1, to: 'cy' });
    expect(await ranWith(gate)).toEqual([]);
    await gate.decide(edited.record.id, { decision: 'approved', by: ada, channel: 'test' });
    expect(await ranWith(gate)).toEqual([{ amount: 1, to: 'cy' }]);
  });

  it('[G12] is shown again when the effect is computed', async () => {
    const { gate } = setUp({ effect: () => 'Pays somebody' });
    const edited = await gate.edit(await park(gate), { arguments: { to: 'cy' }, by: ada, channel: 'test' });
    expect(edited.status).toBe('asked_again');
  });

  it('[G12] is not approved by somebody who may approve the question but not the edit', async () => {
    const catalog = new ToolCatalog();
    catalog.register({ name: 'pay', tier: 2, effect: 'Pays', inputSchema: {} });
    const policy: Policy = {
      version: '1',
      sees: () => true,
      mayDecide: (who, { arguments: args }) => who.id === 'boss' || jsonEquals(args, sealJson({ to: 'bo', amount: 5 })),
    };
    const gate = new TierGate({ catalog, approver: new ParkingApprover(), policy });
    const edit = { arguments: { to: 'bo', amount: 5000 }, by: ada, channel: 'test' };
    const edited = await gate.edit(await park(gate), edit);
    if (edited.status !== 'asked_again') throw new Error(edited.status);
    expect(edited.record.status).toBe('pending');
    const decision = { decision: 'approved', channel: 'test' } as const;
    expect(await gate.decide(edited.record.id, { ...decision, by: ada })).toEqual({ status: 'not_found' });
    expect(await ranWith(gate)).toEqual([]);
    const boss = { id: 'boss', kind: 'person' } as const;
    expect(await gate.decide(edited.record.id, { ...decision, by: boss })).toMatchObject({ status: 'decided' });
    expect(await ranWith(gate)).toEqual([{ to: 'bo', amount: 5000 }]);
  });

  it('[G11] refuses an edit that the tool does not take, and leaves the question open', async () => {
    const parse = (): never => {
      throw new Error('amount is missing');
    };
    const catalog = new ToolCatalog();
    catalog.register({
      name: 'pay',
      tier: 2,
      effect: 'Pays',
      inputSchema: {},
      parse: (input) => (input === null ? parse() : input),
    });
    const gate = new TierGate({ catalog, approver: new ParkingApprover() });
    const id = await park(gate);
    const edited = await gate.edit(id, { arguments: null, by: ada, channel: 'test' });
    expect(edited).toMatchObject({ status: 'invalid', problem: expect.stringContaining('amount is missing') });
    expect((await gate.store.get(id))?.status).toBe('pending');
  });

  it('[P2] a stranger, an agent, another digest and a late editor change nothing', async () => {
    const { gate, clock } = setUp();
    const id = await park(gate);
    const edit = { arguments: {}, channel: 'test' } as const;
    expect(await gate.edit(id, { ...edit, by: { id: 'eve', kind: 'person' } })).toEqual({ status: 'not_found' });
    expect(await gate.edit(id, { ...edit, by: { id: 'ada', kind: 'agent' } })).toEqual({ status: 'not_found' });
    expect(await gate.edit(id, { ...edit, by: ada, digest: 'x' })).toEqual({ status: 'digest_mismatch' });
    await clock.advance(61_000);
    expect(await gate.edit(id, { ...edit, by: ada })).toMatchObject({
      status: 'already_decided',
      record: { status: 'timeout' },
    });
    expect(await ranWith(gate)).toEqual([]);
  });

  it.each(['approved', 'rejected'] as const)(
    '[P2] a question that is %s is not taken over by an edit',
    async (decision) => {
      const { gate } = setUp();
      const id = await park(gate);
      const [answered, edited] = await Promise.all([
        gate.decide(id, { decision, by: ada, channel: 'test' }),
        gate.edit(id, { arguments: { amount: 4 }, by: ada, channel: 'test' }),
      ]);
      expect(answered.status).toBe('decided');
      expect(edited).toMatchObject({ status: 'already_decided', record: { id, status: decision } });
      expect((await gate.store.list()).records.map(({ status }) => status)).toEqual([decision]);
      expect(await ranWith(gate)).toEqual(decision === 'approved' ? [call.arguments] : []);
    },
  );

  it('[P2] an answer that comes after an edit, however close, changes nothing', async () => {
    const { gate } = setUp();
    const id = await park(gate);
    const [edited, answered] = await Promise.all([
      gate.edit(id, { arguments: { amount: 4 }, by: ada, channel: 'test' }),
      gate.decide(id, { decision: 'rejected', by: ada, channel: 'test' }),
    ]);
    expect(edited.status).toBe('approved');
    expect(answered).toMatchObject({ status: 'already_decided', record: { id, status: 'void' } });
    expect(await ranWith(gate)).toEqual([{ amount: 4 }]);
  });

  it('[P2] an edit that cannot be written leaves the question open, for the same edit later', async () => {
    let isFull = false;
    class Full extends MemoryApprovalStore {
      override create(record: ApprovalRecord): Promise<void> {
        return isFull ? Promise.reject(new Error('full')) : super.create(record);
      }
      override replace(...args: Parameters<MemoryApprovalStore['replace']>): Promise<Transition> {
        return isFull ? Promise.reject(new Error('full')) : super.replace(...args);
      }
    }
    const { gate } = setUp({}, new ManualClock(), new Full());
    const id = await park(gate);
    const edit = { arguments: { amount: 4 }, by: ada, channel: 'test' };
    isFull = true;
    await expect(gate.edit(id, edit)).rejects.toThrow('full');
    expect((await gate.store.get(id))?.status).toBe('pending');
    isFull = false;
    expect((await gate.edit(id, edit)).status).toBe('approved');
    expect(await ranWith(gate)).toEqual([{ amount: 4 }]);
  });

  it('[P2] an edit is told once, with its author, as the decision it is', async () => {
    const { gate } = setUp();
    const events: AgentEvent[] = [];
    gate.subscribe((event) => void events.push(event));
    const id = await park(gate);
    const shownDigest = 'a'.repeat(64);
    const edited = await gate.edit(id, { arguments: { amount: 4 }, by: ada, channel: 'test', shownDigest });
    if (edited.status !== 'approved') throw new Error(edited.status);
    const { record } = edited;
    expect(record).toMatchObject({
      status: 'approved',
      editOf: id,
      decision: { decision: 'approved', by: ada, channel: 'test', shownDigest },
    });
    expect(await gate.store.get(record.id)).toEqual(record);
    expect(events).toEqual([expect.objectContaining({ type: 'approval', approvalId: record.id, by: ada })]);
  });

  it('[P2] of two edits at once one counts', async () => {
    const { gate } = setUp();
    const id = await park(gate);
    const results = await Promise.all(
      [1, 2, 3].map((amount) => gate.edit(id, { arguments: { amount }, by: ada, channel: 'test' })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['already_decided', 'already_decided', 'approved']);
    expect(await ranWith(gate)).toHaveLength(1);
  });
});
