import type { Channel } from '../../core/channel.ts';
import { decision, question } from '../store-contract/sample.ts';
import { check, eventually, same } from '../store-contract/suite.ts';
import { ended, GRACE, settles } from './bench.ts';
import type { AddChannelTest } from './showing.ts';

const never = (): Promise<never> => Promise.reject(new Error('nobody was to answer'));

/** Tests of the end of a question. */
export function closingTests<C extends Channel>(add: AddChannelTest<C>): void {
  add('what was decided elsewhere is told with the name of who did, and cannot be answered any more', async (bench) => {
    const asked = await bench.askAndShow();
    const before = bench.driver.seen(bench.channel).length;
    await bench.gate.decide(asked.request.id, { decision: 'rejected', by: GRACE, channel: 'elsewhere' });
    await ended(asked);
    const told = (): string => bench.driver.seen(bench.channel).slice(before);
    await eventually(() => told().includes(GRACE.id), 'who decided it');
    const record = await bench.record(asked);
    await bench.answer(asked, 'approved');
    same(await bench.record(asked), record, 'the record');
    same(bench.ran, [], 'what ran');
    await bench.stillWorks('after a decision elsewhere');
  });

  add('a question that was withdrawn is taken down; a late yes runs nothing', async (bench) => {
    const asked = await bench.askAndShow();
    asked.cancel();
    await ended(asked);
    await bench.answer(asked, 'approved');
    same([(await bench.record(asked)).status, bench.ran], ['cancelled', []], 'what became of it');
    await bench.stillWorks('after a question that was withdrawn');
  });

  add('closing while it is being shown ends the delivery', async (bench) => {
    const record = question('closed');
    const hand = bench.byHand(record.request, never);
    await bench.channel.close({ ...record, status: 'rejected', decision: decision('rejected', GRACE.id) });
    hand.over();
    await settles(hand.shown, 'the delivery of a question that was closed');
    await bench.stillWorks('after a question that was closed while it was shown');
    same(hand.answers, [], 'answers');
  });

  add('the signal alone ends a question too', async (bench) => {
    const { request } = question('aborted');
    const hand = bench.byHand(request, never);
    hand.over();
    await settles(hand.shown, 'the delivery of a question that is over');
    await bench.stillWorks('after a question whose signal fired');
    same(hand.answers, [], 'answers');
  });

  add('closing what was never shown, or twice, is nothing', async (bench) => {
    const record = { ...question('stranger'), status: 'cancelled' } as const;
    await bench.channel.close(record);
    const asked = await bench.askAndShow();
    await bench.answer(asked, 'rejected');
    await ended(asked);
    const final = await bench.record(asked);
    await bench.channel.close(final);
    await bench.channel.close(final);
    check(bench.ran.length === 0, 'nothing has run');
    await bench.stillWorks('after closing twice');
  });
}
