import { describe, expect, it } from 'vitest';
import { call, catalogOf, TOOLS, unlock, type World, world } from '../../test/gate-fixture.ts';
import type { ToolCall } from './call.ts';
import { type CatalogEntry, ToolCatalog } from './catalog.ts';
import type { CheckOptions } from './options.ts';
import type { Ticket } from './ticket.ts';

/** A catalog in which a tool can be redefined, as in a plugin that reloads. */
class Changing extends ToolCatalog {
  readonly #changed = new Map<string, CatalogEntry | undefined>();

  redefine(name: string, change: Partial<CatalogEntry> | undefined): void {
    const entry = super.get(name);
    this.#changed.set(
      name,
      change === undefined || entry === undefined ? undefined : Object.freeze({ ...entry, ...change }),
    );
  }

  override get(name: string): CatalogEntry | undefined {
    return this.#changed.has(name) ? this.#changed.get(name) : super.get(name);
  }
}

function changing(script: Parameters<typeof world>[0]): { readonly tools: Changing } & World {
  const tools = new Changing();
  tools.extend(TOOLS);
  return { tools, ...world(script, { catalog: tools }) };
}

async function ticketFor({ gate }: Pick<World, 'gate'>, wanted: ToolCall, options?: CheckOptions): Promise<Ticket> {
  const verdict = await gate.check(wanted, options);
  if (!verdict.allowed) throw new Error(`refused: ${verdict.approval}`);
  return verdict.ticket;
}

describe('[G12, G13] a ticket', () => {
  it('is redeemed once; the second time is refused with an error event', async () => {
    const w = world(['approved']);
    const ticket = await ticketFor(w, unlock());
    expect(await w.gate.redeem(ticket, ticket.call)).toBe(true);
    expect(await w.gate.redeem(ticket, ticket.call)).toBe(false);
    expect(w.of('error')).toMatchObject([{ where: 'tier_gate', tool: 'unlock_door' }]);
    expect((await w.gate.store.list()).records).toMatchObject([{ status: 'consumed' }]);
  });

  it.each([
    ['approved', 'unlock_door'],
    ['not asked about', 'add_note'],
  ])('of a call that was %s is redeemed once by 100 at the same time', async (_what, tool) => {
    const w = world(['approved']);
    const ticket = await ticketFor(w, call(tool, { a: 1 }));
    const results = await Promise.all(Array.from({ length: 100 }, () => w.gate.redeem(ticket, ticket.call)));
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  it('does not fit as a copy, a look-alike, nothing, or in another gate', async () => {
    const w = world(['approved']);
    const other = world([], { store: w.gate.store, catalog: w.catalog });
    const ticket = await ticketFor(w, unlock());
    const nothing: readonly unknown[] = [undefined, null, {}, 'ticket', 7];
    const forged: readonly unknown[] = [
      { ...ticket },
      { call: ticket.call },
      structuredClone(ticket),
      Object.create(ticket),
    ];
    for (const odd of [...nothing, ...forged]) expect(await w.gate.redeem(odd as Ticket, unlock())).toBe(false);
    expect(await other.gate.redeem(ticket, ticket.call)).toBe(false);
    expect(w.of('error')).toHaveLength(nothing.length + forged.length);
    expect(await w.gate.redeem(ticket, ticket.call)).toBe(true);
  });

  it('is a frozen object that tells nothing but the call', async () => {
    const ticket = await ticketFor(world(['approved']), unlock());
    expect(Reflect.ownKeys(ticket)).toEqual(['call']);
    expect([Object.isFrozen(ticket), Object.isFrozen(ticket.call), Object.isFrozen(ticket.call.arguments)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each<[string, ToolCall]>([
    ['another tool', call('run_shell', { door: 'front' })],
    ['another argument', unlock('back')],
    ['one argument more', call('unlock_door', { door: 'front', force: true })],
    ['no arguments', call('unlock_door', {})],
    ['arguments that are no JSON', { ...unlock(), ...({ arguments: { door: undefined } } as object) }],
    ['another conversation', unlock('front', { conversation: 'c2' })],
    ['no conversation', { tool: 'unlock_door', arguments: { door: 'front' }, toolUseId: 'tooluse_1' }],
    ['another id of the model', call('unlock_door', { door: 'front' }, {}, 'tooluse_2')],
    ['no id of the model', { ...unlock(), ...({ toolUseId: undefined } as object) }],
  ])('does not fit %s, and is not spent by the attempt', async (_what, about) => {
    const w = world(['approved']);
    const ticket = await ticketFor(w, unlock());
    expect(await w.gate.redeem(ticket, about)).toBe(false);
    expect(w.of('error')).toHaveLength(1);
    expect(await w.gate.redeem(ticket, unlock())).toBe(true);
  });

  it('fits the same arguments in another order', async () => {
    const w = world(['approved']);
    const ticket = await ticketFor(w, call('unlock_door', { a: 1, b: [{ c: 2, d: 3 }] }));
    expect(await w.gate.redeem(ticket, call('unlock_door', { b: [{ d: 3, c: 2 }], a: 1 }))).toBe(true);
  });

  it.each<[string, Partial<CatalogEntry> | undefined]>([
    ['gone', undefined],
    ['of another version', { version: '2' }],
    ['of another effect', { effect: 'Locks a door' }],
    ['of another schema', { inputSchema: { type: 'string' } }],
    ['of another description', { description: 'new' }],
    ['of another tier', { tier: 1 }],
  ])('does not fit when the tool is %s by now', async (_what, change) => {
    const w = changing(['approved']);
    const ticket = await ticketFor(w, unlock());
    w.tools.redefine('unlock_door', change);
    expect(await w.gate.redeem(ticket, ticket.call)).toBe(false);
  });

  it('fits a tool that was registered again just as it was', async () => {
    const w = changing(['approved']);
    const ticket = await ticketFor(w, unlock());
    w.tools.redefine('unlock_door', {});
    expect(await w.gate.redeem(ticket, ticket.call)).toBe(true);
  });

  it.each<[string, (w: ReturnType<typeof changing>) => void]>([
    ['tool is redefined', ({ tools }) => tools.redefine('unlock_door', { version: '2' })],
    ['tool is gone', ({ tools }) => tools.redefine('unlock_door', undefined)],
  ])('is not given when the %s while the question is open: the yes is void', async (_what, change) => {
    const w = changing([
      () => {
        change(w);
        return 'approved';
      },
    ]);
    expect(await w.gate.run(unlock(), w.body)).toMatchObject({ status: 'refused', refusal: { reason: 'void' } });
    expect(w.ran).toEqual([]);
    expect((await w.gate.store.list()).records).toMatchObject([{ status: 'void' }]);
  });

  it('is not given when the policy changes while the question is open', async () => {
    const policy = { version: '1', sees: () => true, mayDecide: () => true };
    const w = world(
      [
        () => {
          policy.version = '2';
          return 'approved';
        },
      ],
      { policy },
    );
    expect(await w.gate.run(unlock(), w.body)).toMatchObject({ refusal: { reason: 'void' } });
    expect(w.ran).toEqual([]);
  });

  it('lapses when it is not used within the time for it, and the approval expires', async () => {
    const w = world(['approved', 'approved'], { useWithinSeconds: 60 });
    const [used, late] = [await ticketFor(w, unlock()), await ticketFor(w, unlock())];
    await w.clock.advance(60_000);
    expect(await w.gate.redeem(used, used.call)).toBe(true);
    await w.clock.advance(1);
    expect(await w.gate.redeem(late, late.call)).toBe(false);
    expect((await w.gate.store.list()).records.map((record) => record.status)).toEqual(['consumed', 'expired']);
  });

  it('has 600 seconds unless told', async () => {
    const w = world(['approved', 'approved']);
    const [used, late] = [await ticketFor(w, unlock()), await ticketFor(w, unlock())];
    await w.clock.advance(600_000);
    expect(await w.gate.redeem(used, used.call)).toBe(true);
    await w.clock.advance(1);
    expect(await w.gate.redeem(late, late.call)).toBe(false);
  });

  it('does not fit when the requester withdrew the approval', async () => {
    const w = world(['approved']);
    const ticket = await ticketFor(w, unlock());
    const [record] = (await w.gate.store.list()).records;
    await w.gate.store.close(record?.id ?? '', 'cancelled', w.clock.now(), 'withdrawn');
    expect(await w.gate.redeem(ticket, ticket.call)).toBe(false);
  });
});

describe('[G14] every call has its own question', () => {
  it('the same call with the same id of the model is asked about again', async () => {
    const w = world(['approved', 'rejected']);
    expect(await w.gate.run(unlock(), w.body)).toMatchObject({ status: 'success' });
    expect(await w.gate.run(unlock(), w.body)).toMatchObject({ status: 'refused' });
    const [first, second] = w.approver.requests;
    expect(w.ran).toHaveLength(1);
    expect(first?.id).not.toBe(second?.id);
    expect(first?.digest).not.toBe(second?.digest);
  });

  it('a source of ids that repeats itself does not let a second call in', async () => {
    const w = world(['approved', 'approved'], { random: () => 'always the same', catalog: catalogOf(TOOLS) });
    expect(await w.gate.run(unlock(), w.body)).toMatchObject({ status: 'success' });
    expect(await w.gate.run(unlock(), w.body)).toMatchObject({ status: 'refused', refusal: { reason: 'gate_failed' } });
    expect(w.ran).toHaveLength(1);
  });
});
