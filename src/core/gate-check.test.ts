import { describe, expect, it } from 'vitest';
import { call, catalogOf, recordingLogger, TOOLS, unlock, world } from '../../test/gate-fixture.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { ScriptedApprover } from '../testing/scripted-approver.ts';
import { AutoRejectApprover, Decision } from './approver.ts';
import type { ToolCall } from './call.ts';
import { type CatalogEntry, ToolCatalog } from './catalog.ts';
import { ConfigError } from './errors.ts';
import { TierGate } from './gate.ts';

const NOT_APPROVED = 'The user did not approve this action: unlock_door. Do not perform it; tell the user briefly.';

/** A catalog that answers what no honest catalog holds. */
class Lying extends ToolCatalog {
  readonly #answer: (name: string) => CatalogEntry | undefined;

  constructor(answer: (name: string) => CatalogEntry | undefined) {
    super();
    this.#answer = answer;
  }

  override get(name: string): CatalogEntry | undefined {
    return this.#answer(name);
  }
}

describe('[G4] the verdict', () => {
  it.each([
    ['read_lock', 0],
    ['add_note', 1],
  ])('allows %s of tier %i without a question', async (tool) => {
    const { gate, approver } = world(['rejected']);
    const verdict = await gate.check(call(tool, { a: 1 }));
    expect(verdict).toMatchObject({ allowed: true, approval: 'not_required' });
    expect(approver.requests).toEqual([]);
  });

  it('allows a tier-2 call that was approved, with a ticket for exactly that call', async () => {
    const { gate, approver } = world([Decision.Approved]);
    const verdict = await gate.check(unlock());
    expect(verdict).toEqual({
      allowed: true,
      approval: 'approved',
      ticket: {
        call: {
          tool: 'unlock_door',
          arguments: { door: 'front' },
          toolUseId: 'tooluse_1',
          origin: { kind: 'model', conversation: 'c1' },
        },
      },
    });
    expect(approver.requests).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        tool: 'unlock_door',
        tier: 2,
        effect: 'Unlocks a door',
        arguments: { door: 'front' },
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        toolUseId: 'tooluse_1',
        origin: { kind: 'model', conversation: 'c1' },
      },
    ]);
  });

  it('is pending when the approver parked the question', async () => {
    const { gate, approver } = world([{ parked: true }]);
    const verdict = await gate.check(unlock());
    expect(verdict).toEqual({ allowed: false, approval: 'pending', approvalId: approver.requests[0]?.id });
    expect((await gate.store.get(approver.requests[0]?.id ?? ''))?.status).toBe('pending');
  });

  it('refuses instead of parking where nobody can wait for the answer, and withdraws the question', async () => {
    const { gate, approver } = world([{ parked: true }]);
    const verdict = await gate.check(unlock(), { mayPark: false });
    expect(verdict).toEqual({ allowed: false, approval: 'refused', reason: 'no_approver', refusal: NOT_APPROVED });
    expect((await gate.store.get(approver.requests[0]?.id ?? ''))?.status).toBe('cancelled');
  });

  it('refuses a tool that this request may not see, in the words for an unknown one, and asks nobody', async () => {
    const { gate, approver, events } = world(['approved']);
    const verdict = await gate.check(unlock(), { visible: new Set(['read_lock']) });
    expect(verdict).toEqual({
      allowed: false,
      approval: 'refused',
      reason: 'hidden',
      refusal: "Tool 'unlock_door' is not registered; it was not run.",
    });
    expect([approver.requests, events]).toEqual([[], []]);
    expect(await gate.check(unlock(), { visible: new Set(['unlock_door']) })).toMatchObject({ allowed: true });
  });

  it('refuses a tool that the policy hides from this principal', async () => {
    const policy = {
      version: '1',
      sees: (principal: { id: string }) => principal.id === 'ada',
      mayDecide: () => false,
    };
    const { gate } = world([], { policy });
    const as = (id: string): ToolCall => call('read_lock', {}, { principal: { id, kind: 'person' } });
    expect(await gate.check(as('ada'))).toMatchObject({ allowed: true });
    expect(await gate.check(as('eve'))).toMatchObject({ allowed: false, reason: 'hidden' });
    expect(await gate.check(call('read_lock', {}))).toMatchObject({ allowed: false, reason: 'hidden' });
  });
});

describe('[G5] who answers', () => {
  it('is nobody by default: every question is rejected, and a warning says so', async () => {
    const { log, logger } = recordingLogger();
    const gate = new TierGate({ catalog: catalogOf(TOOLS), logger });
    expect(await gate.check(unlock())).toEqual({
      allowed: false,
      approval: 'rejected',
      reason: 'rejected',
      refusal: NOT_APPROVED,
    });
    expect(log[0]).toEqual({
      level: 'warn',
      message: 'no approver is configured: every tier-2 call will be refused',
      fields: undefined,
    });
    expect(await new AutoRejectApprover().decide()).toBe('rejected');
  });

  it('is a script that rejects when it runs out, and keeps what it was asked', async () => {
    const { gate, approver, ran, body } = world([Decision.Approved]);
    await gate.run(unlock('front'), body);
    await gate.run(unlock('back'), body);
    await gate.run(unlock('front'), body);
    expect(ran).toEqual([{ door: 'front' }]);
    expect(approver.requests.map((request) => request.arguments)).toEqual([
      { door: 'front' },
      { door: 'back' },
      { door: 'front' },
    ]);
    expect(approver.remaining).toBe(0);
  });

  it('an empty script rejects, and a script cannot be extended after the fact', async () => {
    const script: Decision[] = [];
    const { gate } = world(script);
    script.push('approved');
    expect(await gate.check(unlock())).toMatchObject({ allowed: false, approval: 'rejected' });
  });

  it('a scripted function gets the request and the signal, and may throw', async () => {
    const approver = new ScriptedApprover(
      [
        (request, { signal }) => (request.tool === 'unlock_door' && !signal.aborted ? 'approved' : 'rejected'),
        () => Promise.reject(new Error('broken')),
        { decision: 'rejected', reason: 'not now' },
      ],
      { name: 'me', timeoutSeconds: 3 },
    );
    const gate = new TierGate({ catalog: catalogOf(TOOLS), approver, logger: recordingLogger().logger });
    expect(await gate.check(unlock())).toMatchObject({ allowed: true });
    expect(await gate.check(unlock())).toMatchObject({ reason: 'approver_failed' });
    expect(await gate.check(unlock())).toMatchObject({ reason: 'rejected' });
    expect([approver.name, approver.timeoutSeconds, approver.requests.length]).toEqual(['me', 3, 3]);
  });
});

describe('[G6] an unknown tool', () => {
  it.each([
    ['open_window'],
    ['__proto__'],
    ['constructor'],
    ['toString'],
    ['hasOwnProperty'],
    ['HAS_OWN-property'],
    ['Unlock_Door'],
    ['unlock-door'],
    ['unlock_door '],
    [''],
  ])('%j is refused with the exact text and an error event; nobody is asked', async (tool) => {
    const { gate, approver, of, ran, body } = world(['approved']);
    const outcome = await gate.run(call(tool, { door: 'front' }), body);
    const text = `Tool '${tool}' is not registered; it was not run.`;
    expect(outcome).toEqual({
      status: 'refused',
      refusal: { allowed: false, approval: 'refused', reason: 'not_registered', refusal: text },
      durationMs: 0,
    });
    expect([approver.requests, ran]).toEqual([[], []]);
    expect(of('error')).toMatchObject([{ where: 'tier_gate', message: text, tool, toolUseId: 'tooluse_1' }]);
    expect(of('tool_call')).toMatchObject([{ tool, tier: undefined, status: 'error', approval: 'refused' }]);
  });

  it.each([[undefined], [null], [7], [['unlock_door']], [{ toString: () => 'unlock_door' }], [Symbol('unlock_door')]])(
    'a tool name that is no string is refused: %s',
    async (tool) => {
      const { gate, approver, of, ran, body } = world(['approved']);
      const odd: ToolCall = { ...unlock(), ...({ tool } as object) };
      expect(await gate.check(odd)).toMatchObject({ allowed: false, reason: 'not_registered' });
      expect(await gate.run(odd, body)).toMatchObject({ status: 'refused', refusal: { reason: 'not_registered' } });
      expect([approver.requests, ran]).toEqual([[], []]);
      for (const event of [...of('error'), ...of('tool_call')]) expect(event.tool).toMatch(/^\([a-z]+\)$/);
    },
  );

  it('is a catalog entry of another name', async () => {
    const [first] = TOOLS;
    const { gate } = world([], { catalog: new Lying(() => first) });
    expect(await gate.check(unlock())).toMatchObject({ reason: 'not_registered' });
  });
});

describe('[G6] a tier that became invalid', () => {
  it.each([[true], ['2'], [3], [-1], [Number.NaN], [undefined], [null], [1.5]])(
    '%s refuses the call with an error event; nobody is asked',
    async (tier) => {
      const entry = { ...TOOLS[2], ...({ tier } as object) } as CatalogEntry;
      const { gate, approver, of, ran, body } = world(['approved'], { catalog: new Lying(() => entry) });
      const outcome = await gate.run(unlock(), body);
      expect(outcome).toMatchObject({ status: 'refused', refusal: { reason: 'tier_invalid', refusal: NOT_APPROVED } });
      expect([approver.requests, ran]).toEqual([[], []]);
      expect(of('error')).toMatchObject([{ where: 'tier_gate', tool: 'unlock_door' }]);
      expect(of('tool_call')).toHaveLength(1);
    },
  );
});

describe('[G6] an exception inside the gate', () => {
  const broken = (): never => {
    throw new Error('broken');
  };

  it.each<[string, () => ReturnType<typeof world>]>([
    ['a catalog that throws', () => world(['approved'], { catalog: new Lying(broken) })],
    [
      'an effect that throws',
      () => world(['approved'], { catalog: catalogOf([{ ...unlockEntry(), effect: broken }]) }),
    ],
    [
      'an effect that is no text',
      () => world(['approved'], { catalog: catalogOf([{ ...unlockEntry(), effect: (() => 7) as never }]) }),
    ],
    ['a source of ids that throws', () => world(['approved'], { random: broken })],
  ])('%s refuses the call, tells it, and starts no body', async (_what, make) => {
    const { gate, of, ran, body } = make();
    expect(await gate.check(unlock())).toMatchObject({ allowed: false, reason: 'gate_failed', refusal: NOT_APPROVED });
    expect(await gate.run(unlock(), body)).toMatchObject({ status: 'refused', refusal: { reason: 'gate_failed' } });
    expect(ran).toEqual([]);
    expect(of('error').map((event) => event.where)).toEqual(['tier_gate', 'tier_gate']);
  });

  it('a policy that throws, or answers anything but true, means no', async () => {
    for (const sees of [broken, () => 1, () => 'yes', () => undefined, async () => true]) {
      const policy = { version: '1', sees: sees as never, mayDecide: () => true };
      expect(await world(['approved'], { policy }).gate.check(unlock())).toMatchObject({ reason: 'hidden' });
    }
    for (const mayDecide of [broken, () => 1, () => 'yes', () => undefined, async () => true]) {
      const policy = { version: '1', sees: () => true, mayDecide: mayDecide as never };
      const { gate, of, ran, body } = world(['approved'], { policy });
      expect(await gate.run(unlock(), body)).toMatchObject({ refusal: { reason: 'approver_failed' } });
      expect(ran).toEqual([]);
      expect(of('approval')).toMatchObject([{ decision: 'rejected', by: { id: 'tau' } }]);
    }
  });

  it('a call that cannot even be read is refused', async () => {
    const hostile: ToolCall = {
      get tool(): string {
        throw new Error('no tool for you');
      },
      get arguments(): null {
        throw new Error('no arguments for you');
      },
    };
    const { gate, ran, body } = world(['approved']);
    expect(await gate.check(hostile)).toMatchObject({ allowed: false });
    expect(await gate.run(hostile, body)).toMatchObject({ status: 'refused' });
    expect(await gate.check(null as never)).toMatchObject({ allowed: false });
    expect(await gate.run(undefined as never, body)).toMatchObject({ status: 'refused' });
    expect(ran).toEqual([]);
  });

  it('a call whose tool changes between two looks is taken as it was first', async () => {
    let looks = 0;
    const shifty: ToolCall = {
      ...unlock(),
      get tool() {
        return looks++ === 0 ? 'read_lock' : 'unlock_door';
      },
    };
    const { gate, of, body } = world(['rejected']);
    await gate.run(shifty, body);
    expect(of('tool_call').map((event) => event.tool)).toEqual(['read_lock']);
  });

  it.each([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY]])('a limit of %d seconds is no set-up', (value) => {
    const catalog = catalogOf(TOOLS);
    const clock = new ManualClock();
    expect(() => new TierGate({ catalog, clock, timeoutSeconds: value })).toThrow(ConfigError);
    expect(() => new TierGate({ catalog, clock, useWithinSeconds: value })).toThrow(ConfigError);
    const approver = new ScriptedApprover([], { timeoutSeconds: value });
    expect(() => new TierGate({ catalog, clock, approver })).toThrow(ConfigError);
  });
});

function unlockEntry(): CatalogEntry {
  return { name: 'unlock_door', tier: 2, effect: 'Unlocks a door', inputSchema: {} };
}
