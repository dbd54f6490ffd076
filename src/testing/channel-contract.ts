import type { Channel } from '../core/channel.ts';
import { answeringTests } from './channel-contract/answering.ts';
import { Bench } from './channel-contract/bench.ts';
import { closingTests } from './channel-contract/closing.ts';
import type { ChannelDriver } from './channel-contract/driver.ts';
import { type AddChannelTest, showingTests } from './channel-contract/showing.ts';
import type { ContractRunner } from './store-contract/suite.ts';

/**
 * Everything that a `Channel` must do, as tests, through a real gate and inbox: whom it reaches, what it shows of hostile
 * and of long text, what it hands over, and how it takes a question down. Run it over a channel of your own before people
 * rely on it.
 *
 * @param name - Title of the suite.
 * @param makeChannel - Makes a new channel that nobody has asked anything yet; called once for each test.
 * @param driver - Plays the person at the other end.
 * @param runner - `describe` and `it` of your test runner.
 *
 * @example
 * ```ts
 * import { describe, it } from 'vitest';
 * import { channelContract } from 'strands-tau/testing';
 *
 * channelContract('my channel', () => new MyChannel(fakeService), driver, { describe, it });
 * ```
 */
export function channelContract<C extends Channel>(
  name: string,
  makeChannel: () => Promise<C> | C,
  driver: ChannelDriver<C>,
  { describe, it }: ContractRunner,
): void {
  const add: AddChannelTest<C> = (title, test) => it(title, () => withChannel(makeChannel, driver, test));
  describe(name, () => {
    showingTests(add);
    answeringTests(add);
    closingTests(add);
  });
}

async function withChannel<C extends Channel>(
  makeChannel: () => Promise<C> | C,
  driver: ChannelDriver<C>,
  test: (bench: Bench<C>) => Promise<void>,
): Promise<void> {
  const channel = await makeChannel();
  try {
    await test(new Bench(channel, driver));
  } finally {
    await driver.end?.(channel);
  }
}
