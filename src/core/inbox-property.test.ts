import fc from 'fast-check';
import { expect, it } from 'vitest';
import { catalogOf, TOOLS, unlock, worldOf } from '../../test/gate-fixture.ts';
import { ScriptedChannel, type ScriptedDelivery } from '../testing/index.ts';
import { Inbox } from './inbox.ts';
import type { CallOutcome } from './outcome.ts';

const ada = { id: 'ada', kind: 'person' } as const;
const eve = { id: 'eve', kind: 'person' } as const;
const agent = { id: 'ada', kind: 'agent' } as const;

/** What can happen next, to the question that is up or was up last. */
type Act =
  | { readonly type: 'show' | 'fail'; readonly channel: number }
  | {
      readonly type: 'answer';
      readonly channel: number;
      readonly yes: boolean;
      readonly by: typeof ada | typeof eve | typeof agent;
    }
  | { readonly type: 'edit'; readonly channel: number; readonly door: string }
  | { readonly type: 'elsewhere'; readonly yes: boolean }
  | { readonly type: 'withdraw' | 'abort' }
  | { readonly type: 'wait'; readonly ms: number };

const channelIndex = fc.nat({ max: 2 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('show' as const), channel: channelIndex }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('fail' as const), channel: channelIndex }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('answer' as const),
      channel: channelIndex,
      yes: fc.boolean(),
      by: fc.constantFrom(ada, ada, ada, eve, agent),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('edit' as const),
      channel: channelIndex,
      door: fc.constantFrom('back', 'side'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('elsewhere' as const), yes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('withdraw' as const, 'abort' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 30_000, 60_000) }) },
);

/** A channel that shows a question when the test says so. */
class Stage {
  readonly channel: ScriptedChannel;
  readonly #waiting: ((entry: ScriptedDelivery) => void)[] = [];

  constructor(name: string) {
    const held: ScriptedDelivery = () => new Promise((resolve) => this.#waiting.push(resolve));
    this.channel = new ScriptedChannel({ name, person: ada, script: Array.from({ length: 50 }, () => held) });
  }

  next(entry: ScriptedDelivery): void {
    this.#waiting.shift()?.(entry);
  }
}

it('[P2, P6, P8, P10] whatever happens in whatever order: one decision, each question taken down once on each channel that had it, one body at most', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 25 }), fc.boolean(), async (acts, together) => {
      const stages = ['a', 'b', 'c'].map((name) => new Stage(name));
      const inbox = new Inbox({ channels: stages.map(({ channel }) => channel) });
      const w = worldOf(inbox, { timeoutSeconds: 60, catalog: catalogOf(TOOLS) });
      const abort = new AbortController();
      const call = unlock('front', { principal: ada });
      const run = w.gate.run(call, w.body, { signal: abort.signal });
      let outcome: CallOutcome<string> | undefined;
      void run.then((ended) => {
        outcome = ended;
      });
      await w.clock.advance(0);
      const pending: Promise<unknown>[] = [];
      const lastId = (): string => stages.flatMap(({ channel }) => channel.requests.map(({ id }) => id)).at(-1) ?? '';
      const acting = (each: Act): unknown => {
        switch (each.type) {
          case 'show':
            return stages[each.channel]?.next('silent');
          case 'fail':
            return stages[each.channel]?.next(new Error('down'));
          case 'answer': {
            const decision = each.yes ? 'approved' : 'rejected';
            return stages[each.channel]?.channel.answer(lastId(), { decision, by: each.by });
          }
          case 'edit': {
            const editedArguments = { door: each.door };
            return stages[each.channel]?.channel.answer(lastId(), { decision: 'approved', editedArguments });
          }
          case 'elsewhere':
            return w.gate.decide(lastId(), { decision: each.yes ? 'approved' : 'rejected', by: ada, channel: 'x' });
          case 'withdraw':
            return w.gate.cancel(lastId(), { by: ada, channel: 'x' });
          case 'abort':
            return abort.abort();
          case 'wait':
            return w.clock.advance(each.ms);
          default:
            return each satisfies never;
        }
      };
      for (const each of acts) {
        pending.push(Promise.resolve(acting(each)));
        if (!together) await w.clock.advance(0);
      }
      await w.clock.advance(0);
      abort.abort();
      for (const stage of stages) for (let i = 0; i < 50; i++) stage.next('silent');
      await w.clock.advance(120_000);
      await Promise.allSettled(pending);
      await w.clock.advance(0);

      const { records } = await w.gate.store.list({ limit: 1000 });
      for (const record of records) expect(['pending', 'approved', 'consumed']).not.toContain(record.status);
      expect(w.of('approval').length).toBe(records.filter(({ decision }) => decision !== undefined).length);
      expect(records.filter(({ decision }) => decision !== undefined).length).toBeLessThanOrEqual(1);
      for (const { channel } of stages) {
        expect(channel.closed.map(({ id }) => id).toSorted()).toEqual(channel.requests.map(({ id }) => id).toSorted());
        for (const closed of channel.closed) expect(closed.status).not.toBe('pending');
      }
      expect(w.ran.length).toBeLessThanOrEqual(1);
      expect(outcome?.status === 'success').toBe(w.ran.length === 1);
      const ran = records.find(({ status }) => status === 'done');
      expect(ran?.request.arguments).toEqual(w.ran[0]);
      // A yes through a channel is one to what that channel had shown by then.
      const { decision, deliveries, editOf } = ran ?? {};
      const asked = editOf === undefined ? deliveries : records.find(({ id }) => id === editOf)?.deliveries;
      if (decision !== undefined && decision.channel !== 'x')
        expect(asked).toContainEqual(
          expect.objectContaining({ channel: decision.channel, shownDigest: decision.shownDigest }),
        );
      expect([inbox.open, w.clock.timers]).toEqual([[], 0]);
    }),
    { numRuns: 400 },
  );
});
