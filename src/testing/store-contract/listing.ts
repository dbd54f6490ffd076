import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { ApprovalFilter, ApprovalStore } from '../../core/approval-store.ts';
import type { Principal } from '../../core/call.ts';
import { decision, NOW, position, question } from './sample.ts';
import { type AddTest, check, same } from './suite.ts';

/** Tests of `list`: filters, order, pages. */
export function listingTests(add: AddTest): void {
  orderAndFilterTests(add);
  pageTests(add);
}

function orderAndFilterTests(add: AddTest): void {
  add('an empty store lists nothing', async (store) => {
    same(await store.list(), { records: [] }, 'the page');
  });

  add('records are listed oldest first, in the order in which they were created', async (store) => {
    for (const id of ['c', 'a', 'b']) await store.create(question(id));
    for (const id of ['e', 'd']) await store.create(question(id, { createdAt: NOW + 1 }));
    same(await ids(store), ['c', 'a', 'b', 'e', 'd'], 'the order');
    await store.decide('c', decision('approved'));
    same(await ids(store), ['c', 'a', 'b', 'e', 'd'], 'the order after a change');
    same((await store.list()).records[1], question('a'), 'a listed record');
  });

  add('filters by status, conversation and batch; every given one must match', async (store) => {
    await store.create(question('1', { position: position('x', 'm1') }));
    await store.create(question('2', { position: position('x', 'm2') }));
    await store.create(question('3', { position: position('y', 'm1') }));
    await store.create(question('4'));
    await store.decide('2', decision('rejected'));
    same(await ids(store, { status: 'pending' }), ['1', '3', '4'], 'pending');
    same(await ids(store, { status: 'rejected' }), ['2'], 'rejected');
    same(await ids(store, { status: 'done' }), [], 'done');
    same(await ids(store, { conversation: 'x' }), ['1', '2'], 'conversation x');
    same(await ids(store, { conversation: 'x', batch: 'm1' }), ['1'], 'conversation x, batch m1');
    same(await ids(store, { batch: 'm1' }), ['1', '3'], 'batch m1');
    same(await ids(store, { conversation: 'x', status: 'pending' }), ['1'], 'conversation x, pending');
    same(await ids(store, { conversation: '__proto__' }), [], 'a conversation nobody has');
  });

  add('filters by who asked; a call that names nobody was made by anonymous', async (store) => {
    await store.create(asked('1', 'ada', 'x'));
    await store.create(asked('2', 'bob', 'x'));
    await store.create(asked('3', 'ada', 'y'));
    await store.create(asked('4', undefined, 'x'));
    await store.decide('3', decision('rejected'));
    same(await ids(store, { requester: 'ada' }), ['1', '3'], "ada's");
    same(await ids(store, { requester: 'ada', status: 'pending' }), ['1'], "ada's open ones");
    same(await ids(store, { requester: 'ada', conversation: 'y' }), ['3'], "ada's in conversation y");
    same(await ids(store, { requester: 'ada', batch: 'm' }), ['1', '3'], "ada's of batch m");
    same(await ids(store, { requester: 'anonymous' }), ['4'], "nobody's");
    same(await ids(store, { requester: "' OR 1=1 --" }), [], 'those of somebody who asked nothing');
  });

  add('the newest come first when asked for, with any filter', async (store) => {
    for (const [n, who] of ['ada', 'bob', 'ada', 'ada'].entries()) await store.create(asked(`${n}`, who, `c${n % 2}`));
    await store.decide('2', decision('approved'));
    same(await ids(store, { order: 'newest' }), ['3', '2', '1', '0'], 'all');
    same(await ids(store, { order: 'oldest' }), ['0', '1', '2', '3'], 'all, oldest first');
    same(await ids(store, { order: 'newest', requester: 'ada' }), ['3', '2', '0'], "ada's");
    same(await ids(store, { order: 'newest', status: 'pending' }), ['3', '1', '0'], 'the open ones');
    same(await ids(store, { order: 'newest', conversation: 'c1' }), ['3', '1'], 'one conversation');
  });
}

/** A question of somebody, in a conversation. */
function asked(id: string, who: string | undefined, conversation: string): ApprovalRecord {
  const record = question(id, { position: position(conversation, 'm') });
  const { principal: _, ...origin } = record.request.origin;
  const principal: Principal | undefined = who === undefined ? undefined : { id: who, kind: 'person' };
  return {
    ...record,
    request: { ...record.request, origin: { ...origin, ...(principal === undefined ? {} : { principal }) } },
  };
}

function newestPageTests(add: AddTest): void {
  add('pages from the newest on show each record once, also when newer ones come in between', async (store) => {
    for (let n = 0; n < 5; n++) await store.create(question(`q${n}`));
    const first = await store.list({ order: 'newest', limit: 2 });
    await store.create(question('q5'));
    await store.decide('q4', decision('rejected'));
    const { nextCursor: cursor } = first;
    check(cursor !== undefined, 'the first page has a cursor');
    const rest = await store.list({ order: 'newest', ...(cursor === undefined ? {} : { cursor }) });
    same(
      [first, rest].map(({ records }) => records.map(({ id }) => id)),
      [
        ['q4', 'q3'],
        ['q2', 'q1', 'q0'],
      ],
      'the pages',
    );
    same(rest.nextCursor, undefined, 'the cursor of the last page');
  });
}

function pageTests(add: AddTest): void {
  newestPageTests(add);
  add('pages are of the given size, cover everything once, and the last one has no cursor', async (store) => {
    for (let n = 0; n < 6; n++) await store.create(question(`q${n}`, { position: position(`c${n % 2}`, 'm') }));
    same(
      await pages(store, { limit: 4 }),
      [
        ['q0', 'q1', 'q2', 'q3'],
        ['q4', 'q5'],
      ],
      'pages of four',
    );
    same(
      await pages(store, { limit: 3 }),
      [
        ['q0', 'q1', 'q2'],
        ['q3', 'q4', 'q5'],
      ],
      'two full pages',
    );
    same(await pages(store, { limit: 2, conversation: 'c1' }), [['q1', 'q3'], ['q5']], 'pages of one conversation');
    same((await store.list({ limit: 6 })).nextCursor, undefined, 'the cursor of a page that holds all');
  });

  add('a page has 100 records unless told, at least one, and never more than 1000', async (store) => {
    for (let n = 0; n < 1002; n++) await store.create(question(`q${n}`));
    const sizes: readonly (readonly [ApprovalFilter, number])[] = [
      [{}, 100],
      [{ limit: 0 }, 1],
      [{ limit: -5 }, 1],
      [{ limit: 5000 }, 1000],
      [{ limit: Number.NaN }, 100],
    ];
    for (const [filter, size] of sizes) {
      same((await store.list(filter)).records.length, size, `records for ${JSON.stringify(filter)}`);
    }
  });

  add('a cursor holds when records leave the filter, and when new ones come', async (store) => {
    for (let n = 0; n < 4; n++) await store.create(question(`q${n}`));
    const first = await store.list({ status: 'pending', limit: 2 });
    for (const { id } of first.records) await store.decide(id, decision('rejected'));
    await store.create(question('q4'));
    const { nextCursor: cursor } = first;
    check(cursor !== undefined, 'the first page has a cursor');
    const rest = await store.list({ status: 'pending', ...(cursor === undefined ? {} : { cursor }) });
    same(
      rest.records.map((record) => record.id),
      ['q2', 'q3', 'q4'],
      'the rest',
    );
  });

  add('the id of a record is a cursor too: the page begins behind it', async (store) => {
    for (let n = 0; n < 5; n++) await store.create(question(`q${n}`, { position: position(`c${n % 2}`, 'm') }));
    same(await ids(store, { cursor: 'q2' }), ['q3', 'q4'], 'behind q2');
    same(await ids(store, { cursor: 'q2', order: 'newest' }), ['q1', 'q0'], 'behind q2, the newest first');
    same(await ids(store, { cursor: 'q2', conversation: 'c0' }), ['q4'], 'behind q2, in its conversation');
    await store.decide('q2', decision('rejected'));
    same(await ids(store, { cursor: 'q2', status: 'pending' }), ['q3', 'q4'], 'behind q2, which has left the filter');
    same(await ids(store, { cursor: 'q4' }), [], 'behind the last');
  });

  add('a cursor that no page gave lists nothing', async (store) => {
    await store.create(question('one'));
    for (const cursor of ['never given', "' OR 1=1 --", '']) {
      same(await store.list({ cursor }), { records: [] }, `cursor ${JSON.stringify(cursor)}`);
    }
  });
}

async function ids(store: ApprovalStore, filter?: ApprovalFilter): Promise<readonly string[]> {
  return (await store.list(filter)).records.map((record) => record.id);
}

async function pages(store: ApprovalStore, filter: ApprovalFilter): Promise<readonly (readonly string[])[]> {
  const found: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...filter, ...(cursor === undefined ? {} : { cursor }) });
    found.push(page.records.map((record) => record.id));
    cursor = page.nextCursor;
    check(found.length < 100, 'the pages never end');
  } while (cursor !== undefined);
  return found;
}
