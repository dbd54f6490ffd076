import type { ApprovalFilter, ApprovalStore } from '../../core/approval-store.ts';
import { decision, position, question } from './sample.ts';
import { type AddTest, check, same } from './suite.ts';

/** Tests of a store that forgets records as soon as they are settled. */
export function forgettingTests(add: AddTest): void {
  add('a settled record is forgotten, and the others are not', async (store) => {
    await createSix(store);
    await settle(store, 'q1', 'q4');
    same(await store.get('q1'), undefined, 'a forgotten record');
    same((await rest(store, {})).ids, ['q0', 'q2', 'q3', 'q5'], 'what is left');
  });

  add('a cursor holds when the record that it stands at is forgotten', async (store) => {
    await createSix(store);
    const { cursor } = await rest(store, { limit: 2 });
    check(cursor !== undefined, 'the first page has a cursor');
    await settle(store, 'q1', 'q0', 'q3');
    const behind = cursor === undefined ? {} : { cursor };
    same((await rest(store, behind)).ids, ['q2', 'q4', 'q5'], 'the rest');
    const last = (await rest(store, { ...behind, limit: 2 })).cursor;
    await store.create(question('q6'));
    same((await rest(store, last === undefined ? {} : { cursor: last })).ids, ['q5', 'q6'], 'the page behind q4');
  });

  add('a cursor holds so from the newest on, and in one conversation', async (store) => {
    await createSix(store);
    const newest = { order: 'newest', limit: 2 } as const;
    const { cursor } = await rest(store, newest);
    const ofOne = { conversation: 'c1', limit: 1 } as const;
    const { cursor: inOne } = await rest(store, ofOne);
    check(cursor !== undefined && inOne !== undefined, 'the first pages have cursors');
    await settle(store, 'q4', 'q1');
    same((await rest(store, { ...newest, ...(cursor === undefined ? {} : { cursor }) })).ids, ['q3', 'q2'], 'newest');
    same((await rest(store, { ...ofOne, ...(inOne === undefined ? {} : { cursor: inOne }) })).ids, ['q3'], 'of one');
  });
}

async function createSix(store: ApprovalStore): Promise<void> {
  for (let n = 0; n < 6; n++) await store.create(question(`q${n}`, { position: position(`c${n % 2}`, 'm') }));
}

async function settle(store: ApprovalStore, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.decide(id, decision('rejected'));
}

async function rest(store: ApprovalStore, filter: ApprovalFilter): Promise<{ ids: string[]; cursor?: string }> {
  const { records, nextCursor } = await store.list(filter);
  return { ids: records.map(({ id }) => id), ...(nextCursor === undefined ? {} : { cursor: nextCursor }) };
}
