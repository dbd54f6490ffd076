import { describe, expect, it } from 'vitest';
import { unlock, type World, world } from '../../test/gate-fixture.ts';
import type { ApprovalRequest, Principal } from './call.ts';
import type { DecisionInput } from './decide.ts';
import { MemoryApprovalStore } from './memory-store.ts';

const ada: Principal = { id: 'ada', kind: 'person', roles: ['owner'] };
const input: DecisionInput = { decision: 'approved', by: ada, channel: 'web' };

async function parked(
  options: Parameters<typeof world>[1] = {},
): Promise<World & { readonly request: ApprovalRequest }> {
  const w = world([{ parked: true }], options);
  await w.gate.check(unlock('front', { principal: ada, run: 'r1', channel: 'terminal' }));
  const [request] = w.approver.requests;
  if (request === undefined) throw new Error('nothing was asked');
  return { ...w, request };
}

describe('[P2, P9] gate.decide', () => {
  it('records the first valid answer, with one approval event', async () => {
    const { gate, clock, of, request } = await parked();
    await clock.advance(1500);
    const result = await gate.decide(request.id, {
      ...input,
      digest: request.digest,
      reason: 'go ahead \ud800',
      shownDigest: 'a'.repeat(64),
    });
    const decision = {
      decision: 'approved',
      by: ada,
      channel: 'web',
      at: clock.now(),
      tookMs: 1500,
      reason: 'go ahead \ufffd',
      shownDigest: 'a'.repeat(64),
    };
    expect(result).toMatchObject({ status: 'decided', record: { status: 'approved', decision } });
    expect(of('approval')).toEqual([
      {
        type: 'approval',
        at: clock.now(),
        approvalId: request.id,
        tool: 'unlock_door',
        tier: 2,
        effect: 'Unlocks a door',
        arguments: { door: 'front' },
        digest: request.digest,
        toolUseId: 'tooluse_1',
        decision: 'approved',
        approver: 'web',
        by: ada,
        reason: 'go ahead \ufffd',
        durationMs: 1500,
        origin: request.origin,
      },
    ]);
  });

  it.each(['approved', 'rejected'] as const)(
    'is not for the rules of another gate with the same store: %s there, the question is void and is asked anew',
    async (decision) => {
      const store = new MemoryApprovalStore();
      const policy = { version: 'strict', sees: () => true, mayDecide: ({ id }: Principal) => id !== 'ada' };
      const { gate, approver, body, ran } = world([{ parked: true }, { parked: true }], { store, policy });
      const call = unlock('front', { principal: ada });
      await gate.check(call);
      const id = approver.requests[0]?.id ?? '';
      const elsewhere = world([], { store });
      expect(await gate.decide(id, { ...input, decision })).toEqual({ status: 'not_found' });
      const record = { status: 'void', closedBecause: 'the policy changed' };
      const answer = await elsewhere.gate.decide(id, { ...input, decision });
      expect(answer).toMatchObject({ status: 'already_decided', record });
      expect(elsewhere.of('approval')).toEqual([]);
      expect(await gate.run(call, body)).toMatchObject({ status: 'pending' });
      expect((await store.list()).records.map(({ status }) => status).sort()).toEqual(['pending', 'void']);
      expect(ran).toEqual([]);
    },
  );

  it('tells a later caller who won, when and where, and changes nothing', async () => {
    const { gate, of, request } = await parked();
    await gate.decide(request.id, { ...input, decision: 'rejected', reason: 'first' });
    const late = await gate.decide(request.id, input);
    expect(late).toMatchObject({
      status: 'already_decided',
      record: { status: 'rejected', decision: { by: ada, channel: 'web', reason: 'first' } },
    });
    expect(of('approval')).toHaveLength(1);
  });

  it('of 100 at once one wins, and one event is told', async () => {
    const { gate, of, request } = await parked();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        gate.decide(request.id, { ...input, decision: n % 2 === 0 ? 'approved' : 'rejected', channel: `channel-${n}` }),
      ),
    );
    const winners = results.filter((result) => result.status === 'decided');
    expect(winners).toHaveLength(1);
    expect(results.filter((result) => result.status === 'already_decided')).toHaveLength(99);
    expect(of('approval')).toHaveLength(1);
  });

  it.each<[string, Partial<DecisionInput>]>([
    ['a stranger', { by: { id: 'eve', kind: 'person' } }],
    ['an agent', { by: { id: 'ada', kind: 'agent' } }],
    ['somebody of no kind', { by: { id: 'ada', kind: 'root' as never } }],
  ])('does not let %s know that the question exists', async (_what, change) => {
    const { gate, of, request } = await parked();
    expect(await gate.decide(request.id, { ...input, ...change })).toEqual({ status: 'not_found' });
    expect(await gate.decide(request.id, { ...input, ...change, digest: 'wrong' })).toEqual({ status: 'not_found' });
    expect(await gate.decide('nothing', input)).toEqual({ status: 'not_found' });
    expect((await gate.store.get(request.id))?.status).toBe('pending');
    expect(of('approval')).toEqual([]);
  });

  it('lets a policy name others, but never an agent', async () => {
    const policy = { version: '1', sees: () => true, mayDecide: () => true };
    const { gate, request } = await parked({ policy });
    const agent = { ...input, by: { id: 'helper', kind: 'agent' } as const };
    expect(await gate.decide(request.id, agent)).toEqual({ status: 'not_found' });
    const other = { ...input, by: { id: 'bob', kind: 'person' } as const };
    expect(await gate.decide(request.id, other)).toMatchObject({ status: 'decided' });
  });

  it('refuses a digest that is not that of the open question', async () => {
    const { gate, request } = await parked();
    expect(await gate.decide(request.id, { ...input, digest: '0'.repeat(64) })).toEqual({ status: 'digest_mismatch' });
    expect(await gate.decide(request.id, { ...input, digest: '' })).toEqual({ status: 'digest_mismatch' });
    expect((await gate.store.get(request.id))?.status).toBe('pending');
  });

  it('is too late once time has run out: that is a timeout, with its event', async () => {
    const { gate, clock, of, request } = await parked({ timeoutSeconds: 60 });
    await clock.advance(60_000);
    expect(await gate.decide(request.id, input)).toMatchObject({
      status: 'already_decided',
      record: { status: 'timeout', decision: { by: { id: 'tau', kind: 'service' }, channel: 'clock' } },
    });
    expect(of('approval')).toMatchObject([{ decision: 'timeout' }]);
  });

  it.each([['timeout'], ['yes'], [true], [undefined]])('rejects %s, which is no decision', async (decision) => {
    const { gate, request } = await parked();
    const odd = { ...input, ...({ decision } as object) };
    await expect(gate.decide(request.id, odd)).rejects.toMatchObject({ code: 'decision' });
    expect((await gate.store.get(request.id))?.status).toBe('pending');
  });
});

describe('[P3] the record of a question', () => {
  it('holds nonce, conversation and run, requester, tool, tier, effect, arguments, digest, definition and policy', async () => {
    const { gate, clock, request } = await parked({ timeoutSeconds: 60 });
    expect(await gate.store.get(request.id)).toEqual({
      id: request.id,
      kind: 'question',
      status: 'pending',
      request: {
        id: request.id,
        tool: 'unlock_door',
        tier: 2,
        effect: 'Unlocks a door',
        arguments: { door: 'front' },
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        toolUseId: 'tooluse_1',
        origin: { kind: 'model', conversation: 'c1', principal: ada, run: 'r1', channel: 'terminal' },
      },
      definition: expect.stringMatching(/^[0-9a-f]{64}$/),
      policyVersion: 'default-1',
      createdAt: clock.now(),
      expiresAt: clock.now() + 60_000,
      deliveries: [],
      updatedAt: clock.now(),
    });
  });

  it('holds where the call stands, with a digest of the input as it came', async () => {
    const w = world([{ parked: true }, { parked: true }]);
    const position = { conversation: 'c1', batch: 'm1', toolUseId: 'tooluse_1' };
    await w.gate.check(unlock(), { position, parse: () => ({ door: 'front', seconds: 30 }) });
    await w.gate.check(unlock(), { position });
    const [parsed, plain] = (await w.gate.store.list()).records;
    expect(parsed?.position).toEqual({ ...position, rawDigest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(parsed?.position).toEqual(plain?.position);
    expect(parsed?.request.digest).not.toBe(plain?.request.digest);
  });

  it('shows the effect of exactly this call, computed by the author from the frozen arguments', async () => {
    const w = world(['rejected', 'rejected']);
    await w.gate.check({ tool: 'run_shell', arguments: { command: 'ls' } });
    await w.gate.check({ tool: 'run_shell', arguments: { command: '\ud83d\ude00' } });
    expect(w.approver.requests.map((request) => request.effect)).toEqual([
      'Runs {"command":"ls"}',
      'Runs {"command":"😀"}',
    ]);
  });
});
