import type { ApprovalRecord } from '../../core/approval-record.ts';
import { decision, NOW, outcome, position, question, receipt } from './sample.ts';
import { type AddTest, check, rejects, same, taken } from './suite.ts';

/** Tests that a store keeps what it is given, whole, once. */
export function keepingTests(add: AddTest): void {
  add('an unknown id has no record', async (store) => {
    for (const id of ['nobody', '__proto__', 'constructor', '']) same(await store.get(id), undefined, id);
  });

  add('a record comes back with everything it was created with', async (store) => {
    const full = question('full', {
      position: position('conversation-1', 'batch-1'),
      expiresAt: NOW + 60_000,
      editOf: 'earlier',
    });
    const bare: ApprovalRecord = {
      ...question('bare', { kind: 'journal', status: 'approved' }),
      request: { ...question('bare').request, origin: { kind: 'direct' }, arguments: null },
    };
    await store.create(full);
    await store.create(bare);
    same(await store.get('full'), full, 'the question');
    same(await store.get('bare'), bare, 'the journaled call');
  });

  add('a whole life is on record: deliveries, decision, start and outcome', async (store) => {
    const record = question('life', { position: position('conversation-1', 'batch-1'), expiresAt: NOW + 60_000 });
    const failure = { channel: 'bar', at: NOW + 600, delivered: false, error: 'not reachable' };
    await store.create(record);
    taken(await store.deliver('life', receipt), 'deliver');
    taken(await store.deliver('life', failure), 'deliver again');
    taken(await store.decide('life', decision('approved')), 'decide');
    taken(await store.consume('life', 'token-1', NOW + 2000), 'consume');
    taken(await store.finish('life', 'token-1', outcome('done')), 'finish');
    const expected: ApprovalRecord = {
      ...record,
      status: 'done',
      deliveries: [receipt, failure],
      decision: decision('approved'),
      token: 'token-1',
      consumedAt: NOW + 2000,
      outcome: outcome('done'),
      updatedAt: NOW + 3000,
    };
    same(await store.get('life'), expected, 'the record');
  });

  add('an id that is taken is refused, and the first record stays', async (store) => {
    await store.create(question('one'));
    await rejects(store.create(question('one', { policyVersion: 'other' })), 'a second record of the same id');
    same(await store.get('one'), question('one'), 'the first record');
  });

  add('of many that create the same id at once, one does', async (store) => {
    const tries = Array.from({ length: 20 }, (_, n) =>
      store.create(question('one', { policyVersion: `version-${n}` })),
    );
    const results = await Promise.allSettled(tries);
    const winners = results.flatMap((result, n) => (result.status === 'fulfilled' ? [n] : []));
    check(winners.length === 1, `expected one winner, got ${winners.length}`);
    same((await store.get('one'))?.policyVersion, `version-${winners[0]}`, 'the record that is kept');
  });
}
