import type { ApprovalFilter, ApprovalStore } from '../../core/approval-store.ts';
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
}

function pageTests(add: AddTest): void {
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
