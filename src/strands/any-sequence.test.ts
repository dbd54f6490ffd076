import { isDeepStrictEqual } from 'node:util';
import { AfterToolCallEvent, BeforeToolCallEvent, ExecuteToolStage } from '@strands-agents/sdk';
import fc from 'fast-check';
import type { ScriptedAnswer } from 'strands-tau/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { collect, DONE, endOf, rest, unlock, type World, world } from '../../test/support/strands.ts';
import { assertValidHistory, physical } from '../../test/support/strands-checks.ts';
import { on } from '../../test/support/strands-parts.ts';

/** What happens to one question. */
type Fate = 'approved' | 'rejected' | 'parked' | 'broken' | 'silence' | 'cancel, then yes' | 'yes, then cancel';

/** What a hook or middleware does to one call, by its place in the sequence of all calls. */
type Meddling = 'nothing' | 'rewrite' | 'rewrite late' | 'retry' | 'twice' | 'cancel' | 'rename' | 'throw';

interface Turn {
  readonly calls: readonly { readonly door: string; readonly id: string | undefined }[];
  /** What is done with the questions of a parked turn, round after round. */
  readonly decisions: readonly ('approved' | 'rejected' | 'open' | 'too late')[];
}

const door = fc.constantFrom('front', 'back');
const turn: fc.Arbitrary<Turn> = fc.record({
  calls: fc.array(fc.record({ door, id: fc.constantFrom(undefined, 'x', 'y') }), { minLength: 1, maxLength: 3 }),
  decisions: fc.array(fc.constantFrom('approved', 'rejected', 'open', 'too late'), { maxLength: 6 }),
});
const fates: fc.Arbitrary<readonly Fate[]> = fc.array(
  fc.constantFrom<Fate>(
    ...(['approved', 'approved', 'approved', 'rejected', 'parked', 'parked', 'broken', 'silence'] as const),
    ...(['cancel, then yes', 'yes, then cancel'] as const),
  ),
  { minLength: 4, maxLength: 12 },
);
const meddling: fc.Arbitrary<readonly Meddling[]> = fc.array(
  fc.constantFrom<Meddling>(
    ...([
      'nothing',
      'nothing',
      'nothing',
      'rewrite',
      'rewrite late',
      'retry',
      'twice',
      'cancel',
      'rename',
      'throw',
    ] as const),
  ),
  { maxLength: 10 },
);

/** A world in which everything goes as the sequences say. */
class Sequence {
  readonly #fates: readonly Fate[];
  readonly #meddling: readonly Meddling[];
  readonly #exemptFrom: number;
  #controller: AbortController = new AbortController();
  #world: World | undefined;
  #calls = 0;

  constructor(sequences: { fates: readonly Fate[]; meddling: readonly Meddling[]; exemptFrom: number }) {
    this.#fates = sequences.fates;
    this.#meddling = sequences.meddling;
    this.#exemptFrom = sequences.exemptFrom;
  }

  async build(turns: readonly Turn[]): Promise<World> {
    const scripted = turns.flatMap(({ calls }) => [calls.map(({ door, id }) => unlock(door, id)), DONE]);
    const w = await world(
      scripted,
      this.#fates.map((fate) => this.#answer(fate)),
      {
        timeoutSeconds: 30,
        hooks: [
          on(BeforeToolCallEvent, (event) => this.#before(event)),
          on(AfterToolCallEvent, (event) => this.#after(event)),
        ],
      },
    );
    const isTwice = (): boolean => this.#now() === 'twice';
    w.agent.addMiddleware(ExecuteToolStage, async function* (context, next) {
      if (isTwice()) yield* next(context);
      return yield* next(context);
    });
    w.agent.addHook(BeforeToolCallEvent, (event) => this.#late(event), { order: Number.POSITIVE_INFINITY });
    w.tau.gate.addExemption(
      (_tool, args) => this.#calls > this.#exemptFrom && isDeepStrictEqual(args, { door: 'back' }),
    );
    this.#world = w;
    return w;
  }

  newSignal(): AbortSignal {
    this.#controller = new AbortController();
    return this.#controller.signal;
  }

  #answer(fate: Fate): ScriptedAnswer {
    switch (fate) {
      case 'parked':
        return { parked: true };
      case 'broken':
        return () => Promise.reject(new Error('broken'));
      case 'silence':
        return () => {
          setImmediate(() => void this.#world?.clock.advance(31_000));
          return new Promise(() => undefined);
        };
      case 'cancel, then yes':
        return () => {
          this.#controller.abort();
          return 'approved';
        };
      case 'yes, then cancel':
        return () => {
          queueMicrotask(() => queueMicrotask(() => this.#controller.abort()));
          return 'approved';
        };
      default:
        return fate;
    }
  }

  #now(): Meddling {
    return this.#meddling[this.#calls] ?? 'nothing';
  }

  #before(event: BeforeToolCallEvent): void {
    this.#calls++;
    const now = this.#now();
    if (now === 'rewrite') event.toolUse.input = { door: 'back' };
    if (now === 'cancel') event.cancel = 'cancelled by a hook';
    if (now === 'rename') event.toolUse.name = 'read_lock';
    if (now === 'throw') throw new Error('a hook fails');
  }

  #late(event: BeforeToolCallEvent): void {
    if (this.#now() === 'rewrite late') event.toolUse.input = { door: 'back' };
  }

  #after(event: AfterToolCallEvent): void {
    if (this.#now() === 'retry') event.retry = true;
  }
}

/** Runs one user turn, deciding and resuming while it is parked; what is open in the end is given up. */
async function play(w: World, sequence: Sequence, { decisions }: Turn): Promise<void> {
  let end = endOf(await w.turn('go', { signal: sequence.newSignal() }));
  const left = [...decisions];
  for (let round = 0; end.reason === 'parked'; round++) {
    for (const id of end.approvalIds ?? []) await decide(w, id, left.shift() ?? 'open');
    const signal = sequence.newSignal();
    const resumed = w.tau.resume({ signal: round < 3 ? signal : AbortSignal.abort() });
    end = endOf(await collect(resumed));
  }
}

async function decide(w: World, id: string, decision: Turn['decisions'][number]): Promise<void> {
  if (decision === 'open') return;
  const by = { id: 'anonymous', kind: 'person' } as const;
  const given = decision === 'rejected' ? 'rejected' : 'approved';
  await w.tau.gate.decide(id, { decision: given, by, channel: 'test' });
  if (decision === 'too late') await w.clock.advance(601_000);
}

/** Bodies that started are calls that were told as approved or exempt: each once, with what was asked. */
function assertInvariant(w: World): void {
  const told = w.of('tool_call').filter(({ tier, reason }) => tier === 2 && reason === undefined);
  expect(physical(w).map(({ tool, args }) => [tool, args])).toEqual(told.map((event) => [event.tool, event.arguments]));
  const used = told.flatMap(({ approval, approvalId }) => (approval === 'approved' ? [approvalId] : []));
  expect(new Set(used).size).toBe(used.length);
  const yeses = w.of('approval').filter(({ decision }) => decision === 'approved');
  for (const event of told) {
    if (event.approval === 'exempt') continue;
    const yes = yeses.find(({ approvalId }) => approvalId === event.approvalId);
    expect([event.approval, yes?.tool, yes?.arguments]).toEqual(['approved', event.tool, event.arguments]);
  }
  assertValidHistory(w);
}

describe('[S4, S5, S11, S16, S17] whatever happens in whatever order', () => {
  // The SDK logs every hook that fails while it drains.
  beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());

  it('each body that starts was approved or exempt, once, with exactly these arguments', {
    timeout: 60_000,
  }, async () => {
    const sequences = fc.record({ fates, meddling, exemptFrom: fc.integer({ min: 0, max: 20 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 3 }), sequences, async (turns, how) => {
        const sequence = new Sequence(how);
        const w = await sequence.build(turns);
        for (const one of turns) await play(w, sequence, one);
        await rest(2);
        assertInvariant(w);
        const open = (await w.tau.gate.store.list({ limit: 1000 })).records.filter(
          ({ status }) => status === 'pending' || status === 'approved',
        );
        expect(open).toEqual([]);
        expect(w.clock.timers).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});
