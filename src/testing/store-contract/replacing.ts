import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { ApprovalStore } from '../../core/approval-store.ts';
import { decision, NOW, question } from './sample.ts';
import { type AddTest, check, eventually, rejects, same, taken } from './suite.ts';
import { bringTo, STATUSES } from './transitions.ts';

const WHY = "edited by person 'ada'";
const AT: number = NOW + 2000;

/** What stands for `id` from now on. */
function edit(id: string, given: Partial<ApprovalRecord> = {}): ApprovalRecord {
  const made = question(`${id}, edited`, { editOf: id, createdAt: AT, updatedAt: AT, ...given });
  return { ...made, request: { ...made.request, arguments: { door: 'back' } } };
}

/** An edit that comes into being with its author's yes. */
function approvedEdit(id: string): ApprovalRecord {
  return edit(id, { status: 'approved', decision: decision('approved', 'ada', AT) });
}

const replace = (store: ApprovalStore, id: string, next = edit(id)) => store.replace(id, next, WHY, AT);

/** Tests of `replace`. */
export function replacingTests(add: AddTest): void {
  add('an open question is replaced by an open one, or by one that is approved already', async (store) => {
    for (const next of [edit('one'), approvedEdit('two')]) {
      const old = question(next.editOf ?? '');
      await store.create(old);
      same(await replace(store, old.id, next), { ok: true, record: next }, 'the result');
      same(await store.get(next.id), next, 'the new record');
      const closed = { ...old, status: 'void', closedBecause: WHY, updatedAt: AT };
      same(await store.get(old.id), closed, 'the old record');
      same(await replace(store, old.id, edit('again')), { ok: false, reason: 'illegal', record: closed }, 'once more');
    }
    taken(await store.consume('two, edited', 'token', AT), 'consume the one that was approved');
    taken(await store.decide('one, edited', decision('rejected')), 'reject the one that is open');
  });

  add('a record that is not pending is not replaced, and nothing is created', async (store) => {
    for (const status of STATUSES.filter((name) => name !== 'pending')) {
      await bringTo(store, status, status);
      const before = await store.get(status);
      for (const next of [edit(status), approvedEdit(status)]) {
        same(await replace(store, status, next), { ok: false, reason: 'illegal', record: before }, status);
      }
      same(await store.get(status), before, `${status}, read again`);
      same(await store.get(`${status}, edited`), undefined, `what would stand for the one that is ${status}`);
    }
    same(await replace(store, 'nobody'), { ok: false, reason: 'unknown_id' }, 'an unknown id');
    same(await store.get('nobody, edited'), undefined, 'what would stand for nobody');
  });

  add('a replacement whose id is taken is refused, and the question stays open', async (store) => {
    await store.create(question('one'));
    await store.create(question('other'));
    await rejects(replace(store, 'one', question('other')), 'an id that is taken');
    await rejects(replace(store, 'one', question('one')), 'its own id');
    same(await store.get('one'), question('one'), 'the question');
    taken(await store.decide('one', decision('approved')), 'approve it');
  });

  add(
    'of answers and replacements at once one wins, and a question that was answered has no replacement',
    async (store) => {
      for (let n = 0; n < 20; n++) {
        const id = `q${n}`;
        await store.create(question(id));
        const steps = [
          () => store.decide(id, decision('approved')),
          () => store.replace(id, edit(id, { id: `${id}-a` }), WHY, AT),
          () => store.replace(id, edit(id, { id: `${id}-b` }), WHY, AT),
        ];
        const order = steps.map((_, index) => steps[(index + n) % steps.length] ?? steps[0]);
        const results = await Promise.all(order.map((step) => step?.()));
        same(results.map((result) => result?.ok).filter(Boolean).length, 1, 'how many won');
        const now = await store.get(id);
        const made = (await Promise.all([`${id}-a`, `${id}-b`].map((each) => store.get(each)))).filter(Boolean);
        same([now?.status, made.length], made.length === 0 ? ['approved', 0] : ['void', 1], 'what is left');
        for (const result of results) {
          if (result?.ok === false) same(result, { ok: false, reason: 'illegal', record: now }, 'what a loser gets');
        }
      }
    },
  );

  add('nobody sees that a question is replaced before its replacement, and both are news', async (store) => {
    await store.create(question('one'));
    const heard: string[] = [];
    const seen: Promise<readonly [ApprovalRecord | undefined, ApprovalRecord | undefined]>[] = [];
    store.watch((id) => {
      heard.push(id);
      seen.push(store.get('one').then(async (old) => [old, await store.get('one, edited')]));
    });
    taken(await replace(store, 'one'), 'replace');
    await eventually(() => heard.includes('one') && heard.includes('one, edited'), 'the news of both');
    for (const [old, next] of await Promise.all(seen)) {
      check(old?.status !== 'void' || next !== undefined, 'a replaced question is seen with its replacement');
    }
  });
}
