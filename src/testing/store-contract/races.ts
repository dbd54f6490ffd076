import type { Transition } from '../../core/approval-record.ts';
import type { ApprovalStore } from '../../core/approval-store.ts';
import { decision, NOW, outcome, question } from './sample.ts';
import { type AddTest, check, same, taken } from './suite.ts';

const CALLERS = 100;

/** Tests that of many who step at once one wins. */
export function raceTests(add: AddTest): void {
  add('of 100 decisions at once one wins, and every other caller gets the record of the winner', async (store) => {
    await decideAtOnce(store, [store]);
  });

  add('of 100 that consume at once one does, and its token is on record', async (store) => {
    await consumeAtOnce(store, [store]);
  });

  add('only the token that consumed an approval can finish it, and only once', async (store) => {
    await approved(store);
    taken(await store.consume('one', 'mine', NOW + 2000), 'consume');
    for (const token of ['theirs', '', 'mine ']) {
      const refused = await store.finish('one', token, outcome('done'));
      check(!refused.ok, `finishing with token ${JSON.stringify(token)} is refused`);
    }
    const finishes = await Promise.all(
      Array.from({ length: CALLERS }, (_, n) => store.finish('one', 'mine', outcome('done', NOW + 3000 + n))),
    );
    onlyWinner(finishes);
  });

  add('a decision and a withdrawal at once leave one of the two', async (store) => {
    for (let n = 0; n < 20; n++) {
      await store.create(question(`q${n}`));
      const steps = [
        () => store.decide(`q${n}`, decision('rejected')),
        () => store.close(`q${n}`, 'cancelled', NOW + 1000, 'withdrawn'),
      ];
      if (n % 2 === 1) steps.reverse();
      onlyWinner(await Promise.all(steps.map((step) => step())));
    }
  });
}

/** 100 callers decide through the given handles, which share their data. */
export async function decideAtOnce(store: ApprovalStore, handles: readonly ApprovalStore[]): Promise<void> {
  await store.create(question('one'));
  const transitions = await Promise.all(
    Array.from({ length: CALLERS }, (_, n) =>
      handleOf(handles, n).decide('one', decision(n % 3 === 0 ? 'approved' : 'rejected', `person-${n}`)),
    ),
  );
  const winner = onlyWinner(transitions);
  const n = transitions.findIndex((transition) => transition.ok);
  const expected = decision(n % 3 === 0 ? 'approved' : 'rejected', `person-${n}`);
  same(winner.decision, expected, 'the decision on record');
  for (const handle of handles) same(await handle.get('one'), winner, 'the record, read again');
}

/** 100 callers consume through the given handles, which share their data. */
export async function consumeAtOnce(store: ApprovalStore, handles: readonly ApprovalStore[]): Promise<void> {
  await approved(store);
  const transitions = await Promise.all(
    Array.from({ length: CALLERS }, (_, n) => handleOf(handles, n).consume('one', `token-${n}`, NOW + 2000)),
  );
  const winner = onlyWinner(transitions);
  same(winner.token, `token-${transitions.findIndex((transition) => transition.ok)}`, 'the token on record');
  for (const handle of handles) same(await handle.get('one'), winner, 'the record, read again');
}

async function approved(store: ApprovalStore): Promise<void> {
  await store.create(question('one'));
  taken(await store.decide('one', decision('approved')), 'approve');
}

function handleOf(handles: readonly ApprovalStore[], n: number): ApprovalStore {
  const handle = handles[n % handles.length];
  if (handle === undefined) throw new Error('no handle was given');
  return handle;
}

function onlyWinner(transitions: readonly Transition[]): Extract<Transition, { ok: true }>['record'] {
  const winners = transitions.filter((transition) => transition.ok);
  const [winner] = winners;
  if (winners.length !== 1 || winner === undefined) throw new Error(`expected one winner, got ${winners.length}`);
  for (const loser of transitions.filter((transition) => !transition.ok)) {
    same(loser, { ok: false, reason: 'illegal', record: winner.record }, 'what a loser gets');
  }
  return winner.record;
}
