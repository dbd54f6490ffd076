import type { Channel } from '../../core/channel.ts';
import type { DecideResult } from '../../core/decide.ts';
import { question } from '../store-contract/sample.ts';
import { check, eventually, same } from '../store-contract/suite.ts';
import { ended } from './bench.ts';
import type { AddChannelTest } from './showing.ts';

/** Tests of what a channel hands over, and of what it makes of the result. */
export function answeringTests<C extends Channel>(add: AddChannelTest<C>): void {
  add('a yes runs the call once, and says who gave it to what', async (bench) => {
    const asked = await bench.askAndShow({ door: 'front' });
    await bench.answer(asked, 'approved');
    same((await ended(asked)).status, 'success', 'the outcome');
    same(bench.ran, [{ door: 'front' }], 'what ran');
    const { person } = bench.driver;
    const { digest } = asked.request;
    const [answer] = bench.answers;
    same(answer?.decision, 'approved', 'the decision');
    same([answer?.by.id, answer?.by.kind], [person.id, person.kind], 'who');
    same([answer?.digest, answer?.shownDigest], [digest, asked.proof.shownDigest], 'the digests');
    const { decision, deliveries } = await bench.record(asked);
    same([decision?.by.id, decision?.channel], [person.id, bench.channel.name], 'the decision on record');
    same(deliveries[0]?.shownDigest, asked.proof.shownDigest, 'the receipt on record');
  });

  add('a no runs nothing, and carries its reason where the channel can', async (bench) => {
    const asked = await bench.askAndShow();
    await bench.answer(asked, 'rejected', bench.driver.reasons ? 'the cat is out' : undefined);
    const outcome = await ended(asked);
    const [reason, text] = outcome.status === 'refused' ? [outcome.refusal.reason, outcome.refusal.refusal] : [];
    same(reason, 'rejected', 'the refusal');
    if (bench.driver.reasons) check(text?.includes('the cat is out') === true, 'the model reads the reason');
    same(bench.ran, [], 'what ran');
  });

  add('silence is no answer', async (bench) => {
    const asked = await bench.askAndShow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    same([bench.answers, bench.ran, (await bench.record(asked)).status], [[], [], 'pending'], 'after a while');
    asked.cancel();
    await ended(asked);
  });

  add('a repeated answer decides nothing twice', async (bench) => {
    const asked = await bench.askAndShow();
    await bench.answer(asked, 'approved');
    await ended(asked);
    const before = await bench.record(asked);
    await bench.answer(asked, 'approved');
    await bench.answer(asked, 'rejected');
    same(await bench.record(asked), before, 'the record');
    same(bench.ran.length, 1, 'how often it ran');
  });

  add('of two questions at once each gets its own answer', async (bench) => {
    const [front, back] = [await bench.ask({ door: 'front' }), await bench.ask({ door: 'back' })];
    await Promise.all([bench.answer(front, 'rejected'), bench.answer(back, 'approved')]);
    same([(await ended(front)).status, (await ended(back)).status], ['refused', 'success'], 'the outcomes');
    same(bench.ran, [{ door: 'back' }], 'what ran');
  });

  const refusals: [string, () => Promise<DecideResult>][] = [
    ['was not to what is open', () => Promise.resolve({ status: 'digest_mismatch' })],
    ['came from somebody who may not', () => Promise.resolve({ status: 'not_found' })],
    ['could not be recorded', () => Promise.reject(new Error('the store is broken'))],
  ];
  for (const [why, result] of refusals) {
    add(`an answer that ${why} is survived, and nobody is told that it counts`, async (bench) => {
      const { request } = question('stale');
      const hand = bench.byHand(request, result);
      await hand.shown;
      const before = bench.driver.seen(bench.channel).length;
      await bench.answer({ request }, 'approved');
      await eventually(() => hand.answers.length > 0, 'the answer');
      hand.over();
      await bench.channel.close({ ...question('stale'), status: 'cancelled' });
      const told = bench.driver.seen(bench.channel).slice(before);
      check(!/\bapproved\b/i.test(told), `the person was told that it was approved: ${told}`);
      await bench.stillWorks('after an answer that did not count');
    });
  }
}
