import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogOf, TOOLS, unlock, type World, worldOf } from '../../test/gate-fixture.ts';
import { ScriptedChannel, type ScriptedDelivery } from '../testing/index.ts';
import type { ApprovalRecord } from './approval-record.ts';
import { Inbox } from './inbox.ts';

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

interface Play {
  readonly w: World<Inbox>;
  readonly stages: readonly Stage[];
  readonly abort: AbortController;
}

/** The question that was delivered last, on the last channel that had one. */
function lastId({ stages }: Play): string {
  return stages.flatMap(({ channel }) => channel.requests.map(({ id }) => id)).at(-1) ?? '';
}

function perform(play: Play, each: Act): unknown {
  const { w, stages, abort } = play;
  switch (each.type) {
    case 'show':
      return stages[each.channel]?.next('silent');
    case 'fail':
      return stages[each.channel]?.next(new Error('down'));
    case 'answer':
      return stages[each.channel]?.channel.answer(lastId(play), { decision: said(each.yes), by: each.by });
    case 'edit': {
      const editedArguments = { door: each.door };
      return stages[each.channel]?.channel.answer(lastId(play), { decision: 'approved', editedArguments });
    }
    case 'elsewhere':
      return w.gate.decide(lastId(play), { decision: said(each.yes), by: ada, channel: 'x' });
    case 'withdraw':
      return w.gate.cancel(lastId(play), { by: ada, channel: 'x' });
    case 'abort':
      return abort.abort();
    case 'wait':
      return w.clock.advance(each.ms);
    default:
      return each satisfies never;
  }
}

function said(yes: boolean): 'approved' | 'rejected' {
  return yes ? 'approved' : 'rejected';
}

/** Plays all acts, then ends the call and lets every delivery that is still held go on. */
async function playAll(play: Play, acts: readonly Act[], together: boolean): Promise<void> {
  const { w, stages, abort } = play;
  const pending: Promise<unknown>[] = [];
  for (const each of acts) {
    pending.push(Promise.resolve(perform(play, each)));
    if (!together) await w.clock.advance(0);
  }
  await w.clock.advance(0);
  abort.abort();
  for (const stage of stages) for (let i = 0; i < 50; i++) stage.next('silent');
  await w.clock.advance(120_000);
  await Promise.allSettled(pending);
  await w.clock.advance(0);
}

/** One decision at most, told once; each question taken down once on each channel that had it. */
async function assertSettled({ w, stages }: Play): Promise<readonly ApprovalRecord[]> {
  const { records } = await w.gate.store.list({ limit: 1000 });
  for (const record of records) expect(['pending', 'approved', 'consumed']).not.toContain(record.status);
  const decided = records.filter(({ decision }) => decision !== undefined);
  expect(decided.length).toBeLessThanOrEqual(1);
  expect(w.of('approval').length).toBe(decided.length);
  for (const { channel } of stages) {
    expect(channel.closed.map(({ id }) => id).toSorted()).toEqual(channel.requests.map(({ id }) => id).toSorted());
    for (const closed of channel.closed) expect(closed.status).not.toBe('pending');
  }
  expect([w.approver.open, w.clock.timers]).toEqual([[], 0]);
  return records;
}

/** What ran is what is on record, and a yes through a channel was one to what that channel had shown by then. */
function assertApproved({ w }: Play, records: readonly ApprovalRecord[]): void {
  const ran = records.find(({ status }) => status === 'done');
  expect(w.ran).toEqual(ran === undefined ? [] : [ran.request.arguments]);
  const { decision, deliveries, editOf } = ran ?? {};
  if (decision === undefined || decision.channel === 'x') return;
  const { channel, shownDigest } = decision;
  const asked = editOf === undefined ? deliveries : records.find(({ id }) => id === editOf)?.deliveries;
  expect(asked).toContainEqual(expect.objectContaining({ channel, shownDigest }));
}

/** A yes and an edit of the same question at once: the one that is on record first counts, and the other changes nothing. */
const ANSWERED_AND_EDITED: readonly Act[] = [
  { type: 'show', channel: 2 },
  { type: 'answer', channel: 2, yes: true, by: ada },
  { type: 'edit', channel: 2, door: 'back' },
];

describe('[P2, P6, P8, P10] whatever happens in whatever order', () => {
  it('there is one decision, each question is taken down once where it was up, and the body runs at most once', async () => {
    const plays = fc.asyncProperty(
      fc.array(act, { maxLength: 25 }),
      fc.boolean(),
      async (acts: readonly Act[], together) => {
        const stages = ['a', 'b', 'c'].map((name) => new Stage(name));
        const inbox = new Inbox({ channels: stages.map(({ channel }) => channel) });
        const w = worldOf(inbox, { timeoutSeconds: 60, catalog: catalogOf(TOOLS) });
        const play = { w, stages, abort: new AbortController() };
        const run = w.gate.run(unlock('front', { principal: ada }), w.body, { signal: play.abort.signal });
        await w.clock.advance(0);
        await playAll(play, acts, together);
        assertApproved(play, await assertSettled(play));
        expect((await run).status === 'success').toBe(w.ran.length === 1);
      },
    );
    await fc.assert(plays, { numRuns: 400, examples: [[ANSWERED_AND_EDITED, true]] });
  });
});
