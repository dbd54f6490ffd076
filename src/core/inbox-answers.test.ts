import { describe, expect, it } from 'vitest';
import { catalogOf, held, TOOLS, unlock, type World, worldOf } from '../../test/gate-fixture.ts';
import { ScriptedChannel } from '../testing/index.ts';
import type { CatalogEntry } from './catalog.ts';
import type { Channel, Delivery, Shown } from './channel.ts';
import { Inbox } from './inbox.ts';
import type { TierGateOptions } from './options.ts';

const ada = { id: 'ada', kind: 'person' } as const;
const front = unlock('front', { principal: ada });
const DIGEST = 'a'.repeat(64);

function scripted(name: string = 'a'): ScriptedChannel {
  return new ScriptedChannel({ name, person: ada });
}

function inbox(channels: readonly Channel[], options: Partial<TierGateOptions> = {}): World<Inbox> {
  return worldOf(new Inbox({ channels }), options);
}

/** A channel whose deliveries the test has in hand. */
class Raw implements Channel {
  readonly name = 'raw';
  readonly deliveries: Delivery[] = [];
  readonly #shown: () => Promise<Shown>;

  constructor(shown: () => Promise<Shown> = () => Promise.resolve({ shownDigest: DIGEST })) {
    this.#shown = shown;
  }

  reaches(): boolean {
    return true;
  }

  deliver(delivery: Delivery): Promise<Shown> {
    this.deliveries.push(delivery);
    return this.#shown();
  }

  close(): void {}
}

/** Starts a call and waits until its question is up. */
async function asked(w: World<Inbox>): Promise<{ outcome: ReturnType<World['gate']['run']> }> {
  const outcome = w.gate.run(front, w.body);
  await w.clock.advance(0);
  return { outcome };
}

describe('answers of a channel', () => {
  it('[P2, P6] of 100 at once over three channels one decides, and 99 get the record of the winner', async () => {
    const channels = ['a', 'b', 'c'].map((name) => scripted(name));
    const w = inbox(channels);
    const { outcome } = await asked(w);
    const [id = ''] = w.approver.open;
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        channels[i % 3]?.answer(id, { decision: i % 2 === 0 ? 'approved' : 'rejected', reason: `${i}` }),
      ),
    );
    await outcome;
    const winners = results.filter((result) => result?.status === 'decided');
    expect(winners).toHaveLength(1);
    const decision = await w.gate.store.get(id).then((record) => record?.decision);
    for (const result of results) expect(result).toMatchObject({ record: { decision } });
    expect(results.filter((result) => result?.status === 'already_decided')).toHaveLength(99);
    expect(w.ran).toHaveLength(decision?.decision === 'approved' ? 1 : 0);
    expect(w.of('approval')).toHaveLength(1);
  });

  it('[P3, P6] are on record with who, where and what was shown', async () => {
    const a = scripted();
    const w = inbox([a]);
    const { outcome } = await asked(w);
    const [id = ''] = a.open;
    await a.answer(id, { decision: 'approved' });
    await outcome;
    const record = await w.gate.store.get(id);
    expect(record?.decision).toMatchObject({ by: ada, channel: 'a', tookMs: 0 });
    expect(record?.decision?.shownDigest).toBe(record?.deliveries[0]?.shownDigest);
  });

  it('[P7] of somebody who may not decide, and of an agent, are not found and change nothing', async () => {
    const a = scripted();
    const w = inbox([a]);
    const { outcome } = await asked(w);
    const [id = ''] = a.open;
    for (const by of [
      { id: 'eve', kind: 'person' },
      { id: 'ada', kind: 'agent' },
    ] as const)
      for (const decision of ['approved', 'rejected'] as const)
        expect(await a.answer(id, { decision, by })).toEqual({ status: 'not_found' });
    expect(
      await a.answer(id, { decision: 'approved', by: { id: 'eve', kind: 'person' }, editedArguments: {} }),
    ).toEqual({
      status: 'not_found',
    });
    expect(await w.gate.store.get(id)).toMatchObject({ status: 'pending' });
    await a.answer(id, { decision: 'rejected' });
    expect(await outcome).toMatchObject({ refusal: { reason: 'rejected' } });
  });

  it('[P8] do not approve what was not, or not all, or otherwise shown', async () => {
    const shown = held<Shown>();
    const raw = new Raw(() => shown.promise);
    const w = inbox([raw, scripted()]);
    const { outcome } = await asked(w);
    const { request, answer } = raw.deliveries[0] ?? expect.fail('nothing was delivered');
    const yes = { decision: 'approved', by: ada, digest: request.digest, shownDigest: DIGEST } as const;
    const early = answer(yes);
    await w.clock.advance(0);
    expect(await w.gate.store.get(request.id)).toMatchObject({ status: 'pending' });
    shown.settle({ shownDigest: 'b'.repeat(64) });
    expect(await early).toEqual({ status: 'digest_mismatch' });
    expect(await answer({ ...yes, shownDigest: 'b'.repeat(64), digest: DIGEST })).toEqual({
      status: 'digest_mismatch',
    });
    const { digest: _, ...undigested } = yes;
    expect(await answer(undigested as typeof yes)).toEqual({ status: 'digest_mismatch' });
    expect(await w.gate.store.get(request.id)).toMatchObject({ status: 'pending' });
    expect(await answer({ ...yes, shownDigest: 'b'.repeat(64) })).toMatchObject({ status: 'decided' });
    expect(await outcome).toMatchObject({ status: 'success' });
  });

  it.each<[string, () => Promise<Shown>]>([
    ['fails', () => Promise.reject(new Error('half of it'))],
    ['proves nothing', () => Promise.resolve({})],
    ['proves nonsense', () => Promise.resolve({ shownDigest: 'yes' })],
    ['answers undefined', () => Promise.resolve(undefined as never)],
  ])('[P8] do not approve through a delivery that %s; a no always counts', async (_how, show) => {
    const raw = new Raw(show);
    const w = inbox([raw, scripted()]);
    const { outcome } = await asked(w);
    const { request, answer } = raw.deliveries[0] ?? expect.fail('nothing was delivered');
    const said = { by: ada, digest: request.digest, shownDigest: DIGEST } as const;
    expect(await answer({ ...said, decision: 'approved' })).toEqual({ status: 'digest_mismatch' });
    expect(await answer({ ...said, decision: 'rejected', reason: 'no' })).toMatchObject({ status: 'decided' });
    expect(await outcome).toMatchObject({ refusal: { reason: 'rejected' } });
  });

  it('[P2] that are no decision decide nothing', async () => {
    const raw = new Raw();
    const w = inbox([raw]);
    const { outcome } = await asked(w);
    const { request, answer } = raw.deliveries[0] ?? expect.fail('nothing was delivered');
    const said = { by: ada, digest: request.digest, shownDigest: DIGEST };
    for (const decision of ['yes', true, undefined, 'timeout'])
      await expect(answer({ ...said, decision: decision as 'approved' })).rejects.toMatchObject({ code: 'decision' });
    await expect(answer({ ...said, decision: 'approved', by: undefined as never })).rejects.toThrow();
    expect(await w.gate.store.get(request.id)).toMatchObject({ status: 'pending' });
    await answer({ ...said, decision: 'rejected' });
    await outcome;
  });
});

describe('[P10] approving with other arguments, while the call waits', () => {
  const parsing: CatalogEntry = {
    name: 'unlock_door',
    tier: 2,
    effect: 'Unlocks a door',
    inputSchema: { type: 'object' },
    parse: (input) => ({ seconds: 30, ...(input as object) }),
  };

  it('runs the edit at once when only what was typed has changed', async () => {
    const a = scripted();
    const w = inbox([a, scripted('b')]);
    const { outcome } = await asked(w);
    const [id = ''] = a.open;
    const editedArguments = { door: 'back' };
    expect(await a.answer(id, { decision: 'approved', editedArguments })).toMatchObject({ status: 'approved' });
    expect(await outcome).toMatchObject({ status: 'success', approval: 'approved' });
    expect(w.ran).toEqual([{ door: 'back' }]);
    const records = (await w.gate.store.list()).records;
    expect(records.map(({ status, editOf }) => [status, editOf])).toEqual([
      ['void', undefined],
      ['done', id],
    ]);
    expect(records[1]?.decision?.shownDigest).toBe(records[0]?.deliveries[0]?.shownDigest);
    expect(a.closed).toMatchObject([{ id, status: 'void' }]);
  });

  it('shows the edit on every channel when parsing changed more, and runs what was shown then', async () => {
    const [a, b] = [scripted('a'), scripted('b')];
    const w = inbox([a, b], { catalog: catalogOf([parsing]) });
    const { outcome } = await asked(w);
    const [id = ''] = a.open;
    const editedArguments = { door: 'back' };
    expect(await a.answer(id, { decision: 'approved', editedArguments })).toMatchObject({ status: 'asked_again' });
    await w.clock.advance(0);
    expect([a.closed.length, b.closed.length, w.ran]).toEqual([1, 1, []]);
    expect(b.requests.map(({ arguments: args }) => args)).toEqual([
      { door: 'front', seconds: 30 },
      { door: 'back', seconds: 30 },
    ]);
    await b.answer(b.open[0] ?? '', { decision: 'approved' });
    expect(await outcome).toMatchObject({ status: 'success' });
    expect(w.ran).toEqual([{ door: 'back', seconds: 30 }]);
    expect([a.closed.length, b.closed.length, w.clock.timers]).toEqual([2, 2, 0]);
  });

  it('can be edited again, rejected, and cancelled', async () => {
    const a = scripted();
    const w = inbox([a], { catalog: catalogOf([parsing]) });
    const { outcome } = await asked(w);
    for (const door of ['back', 'side']) {
      await a.answer(a.open[0] ?? '', { decision: 'approved', editedArguments: { door } });
      await w.clock.advance(0);
    }
    await a.answer(a.open[0] ?? '', { decision: 'rejected', reason: 'none of them' });
    expect(await outcome).toMatchObject({ refusal: { reason: 'rejected', refusal: expect.stringContaining('none') } });
    const abort = new AbortController();
    const second = w.gate.run(front, w.body, { signal: abort.signal });
    await w.clock.advance(0);
    await a.answer(a.open[0] ?? '', { decision: 'approved', editedArguments: { door: 'back' } });
    await w.clock.advance(0);
    abort.abort();
    expect(await second).toMatchObject({ refusal: { reason: 'cancelled' } });
    await w.clock.advance(0);
    expect([a.open, w.ran, w.clock.timers]).toEqual([[], [], 0]);
  });

  it('is not approved in the same step when the tool was redefined after the question was shown', async () => {
    const a = scripted();
    let entry: CatalogEntry = TOOLS.find(({ name }) => name === 'unlock_door') ?? expect.fail();
    const catalog = catalogOf(TOOLS);
    const get = catalog.get.bind(catalog);
    catalog.get = (name) => (name === 'unlock_door' ? entry : get(name));
    const w = inbox([a], { catalog });
    const { outcome } = await asked(w);
    entry = { ...entry, effect: 'Opens the vault' };
    const edit = { decision: 'approved', editedArguments: { door: 'back' } } as const;
    expect(await a.answer(a.open[0] ?? '', edit)).toMatchObject({
      status: 'asked_again',
      record: { request: { effect: 'Opens the vault' } },
    });
    await w.clock.advance(0);
    expect(w.ran).toEqual([]);
    await a.answer(a.open[0] ?? '', { decision: 'rejected' });
    await outcome;
  });

  it('is void when whoever edited it died before the edit was asked', async () => {
    const a = scripted();
    const w = inbox([a]);
    const { outcome } = await asked(w);
    await w.gate.store.close(a.open[0] ?? '', 'void', w.clock.now(), "edited by person 'ada'");
    await w.clock.advance(10_000);
    expect(await outcome).toMatchObject({ refusal: { reason: 'void' } });
    expect(w.ran).toEqual([]);
  });
});
