import fc from 'fast-check';
import type { ApprovalFilter, ApprovalRecord, ApprovalStore } from 'strands-tau';
import { verifyLog } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { describe, expect, it } from 'vitest';
import { decision, NOW, outcome, position, question } from '../../src/testing/store-contract/sample.ts';

/** One thing that somebody asks of a store; both answer it, and the answers are compared. */
interface Action {
  readonly title: string;
  ask(store: ApprovalStore): Promise<unknown>;
}

const ids = fc.constantFrom('a', 'b', 'c', '__proto__', '\ud800', 'ü', "x' OR 1=1");
const conversations = fc.constantFrom('c1', 'c2', '\udfff', 'constructor');
const batches = fc.constantFrom('m1', 'm2');
const people = fc.constantFrom('ada', 'bob', 'tau');
const times = fc.integer({ min: 0, max: 50 }).map((n) => NOW + n);

const records: fc.Arbitrary<ApprovalRecord> = fc
  .record({
    id: ids,
    at: times,
    kind: fc.constantFrom('question' as const, 'journal' as const),
    place: fc.option(fc.tuple(conversations, batches), { nil: undefined }),
    patience: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    who: fc.option(people, { nil: undefined }),
    args: fc.jsonValue({ maxDepth: 2 }),
  })
  .map(({ id, at, kind, place, patience, who, args }) => {
    const record = question(id, {
      kind,
      createdAt: at,
      updatedAt: at,
      status: kind === 'journal' ? 'approved' : 'pending',
    });
    const principal = who === undefined ? {} : { principal: { id: who, kind: 'person' as const } };
    return {
      ...record,
      // `-0` has no place in JSON that is written down.
      request: {
        ...record.request,
        arguments: JSON.parse(JSON.stringify(args)),
        origin: { kind: 'model', ...principal },
      },
      ...(place === undefined ? {} : { position: position(...place) }),
      ...(patience === undefined ? {} : { expiresAt: at + patience }),
    };
  });

const filters: fc.Arbitrary<ApprovalFilter> = fc.record(
  {
    status: fc.constantFrom('pending' as const, 'approved' as const, 'consumed' as const, 'done' as const),
    conversation: conversations,
    batch: batches,
    requester: fc.oneof(people, fc.constant('anonymous')),
    order: fc.constantFrom('oldest' as const, 'newest' as const),
    limit: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
);

const action = (title: string, ask: Action['ask']): Action => ({ title, ask });
const verdicts = fc.constantFrom('approved' as const, 'rejected' as const, 'timeout' as const);
const tokens = fc.constantFrom('t1', 't2');

const actions: fc.Arbitrary<Action> = fc.oneof(
  records.map((record) => action(`create ${record.id}`, (store) => store.create(record))),
  fc
    .tuple(ids, verdicts, people, times)
    .map(([id, verdict, who, at]) =>
      action(`${who}: ${verdict} ${id}`, (store) => store.decide(id, decision(verdict, who, at))),
    ),
  fc
    .tuple(ids, tokens, times)
    .map(([id, token, at]) => action(`consume ${id}`, (store) => store.consume(id, token, at))),
  fc
    .tuple(ids, tokens, times)
    .map(([id, token, at]) => action(`finish ${id}`, (store) => store.finish(id, token, outcome('done', at)))),
  fc.tuple(ids, times).map(([id, at]) => action(`lose ${id}`, (store) => store.lose(id, at))),
  fc
    .tuple(ids, fc.constantFrom('cancelled' as const, 'void' as const, 'expired' as const), times)
    .map(([id, status, at]) => action(`${status} ${id}`, (store) => store.close(id, status, at, 'because'))),
  fc
    .tuple(ids, records, fc.option(people, { nil: undefined }), times)
    .map(([id, next, who, at]) =>
      action(`replace ${id} by ${next.id}`, (store) =>
        store.replace(
          id,
          who === undefined ? next : { ...next, status: 'approved', decision: decision('approved', who, at) },
          'because',
          at,
        ),
      ),
    ),
  fc
    .tuple(ids, times)
    .map(([id, at]) => action(`deliver ${id}`, (store) => store.deliver(id, { channel: 'page', at, delivered: true }))),
  times.map((now) => action(`expire ${now - NOW}`, (store) => store.expire(now))),
  ids.map((id) => action(`get ${id}`, (store) => store.get(id))),
  filters.map((filter) => action(`list ${JSON.stringify(filter)}`, (store) => allPages(store, filter))),
  fc
    .tuple(conversations, fc.jsonValue({ maxDepth: 1 }))
    .map(([conversation, state]) =>
      action(`park ${conversation}`, (store) =>
        store.park({ conversation, run: 'r', at: NOW, state: JSON.parse(JSON.stringify(state)) }),
      ),
    ),
  conversations.map((conversation) => action(`parked ${conversation}`, (store) => store.parked(conversation))),
  fc
    .tuple(conversations, fc.constantFrom(undefined, 'r', 'another'))
    .map(([conversation, run]) =>
      action(`unpark ${conversation} of ${run}`, (store) =>
        store.unpark(conversation, run === undefined ? undefined : { run, at: NOW }),
      ),
    ),
);

/** Every page; cursors differ between stores, what they lead to does not. */
async function allPages(store: ApprovalStore, filter: ApprovalFilter): Promise<readonly (readonly ApprovalRecord[])[]> {
  const pages: (readonly ApprovalRecord[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...filter, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.records);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

async function answerOf({ ask }: Action, store: ApprovalStore): Promise<unknown> {
  return ask(store).then(
    (value) => ({ value }),
    (error: { code?: string }) => ({ failed: error.code }),
  );
}

describe('[P1, P2] the SQLite store answers as the store in memory', () => {
  it('to any sequence, asked one by one or several at once', async () => {
    const steps = fc.array(fc.array(actions, { minLength: 1, maxLength: 4 }), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, async (rounds) => {
        const model = new MemoryApprovalStore();
        const store = SqliteStore.open(':memory:');
        const heard: { model: string[]; store: string[] } = { model: [], store: [] };
        model.watch((id) => heard.model.push(id));
        store.watch((id) => heard.store.push(id));
        for (const round of rounds) {
          const reads = round.filter(({ title }) => /^(get|list|parked) /.test(title));
          const writes = round.filter((each) => !reads.includes(each));
          for (const part of [writes, reads]) {
            const [got, wanted] = await Promise.all(
              [store, model].map((each) => Promise.all(part.map((one) => answerOf(one, each)))),
            );
            expect(got, part.map(({ title }) => title).join(', ')).toEqual(wanted);
          }
        }
        expect(heard.store).toEqual(heard.model);
        expect(await verifyLog(store.audit)).toMatchObject({ ok: true });
        const rows = await store.audit.rows({ limit: 1000 });
        // A record that comes into being with a decision is news once, and has a row for each of the two.
        const decided = rows.filter(({ event }, index) => {
          const { type, status, approvalId } = rows[index - 1]?.event ?? {};
          const made = type === 'approval_created' && status === 'approved' && approvalId === event.approvalId;
          return made && event.type === 'approval_decided';
        });
        expect(rows.length).toBe(heard.store.length + decided.length);
        await store.end();
      }),
      { numRuns: 200 },
    );
  });
});
