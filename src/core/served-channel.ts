import type { Channel, Delivery, Shown } from './channel.ts';

/**
 * A place where people come to look at the open questions themselves: a page, a command line, an HTTP API. Nothing is
 * sent there, since the store is its list, and the answers go to `TierGate.decide` and `TierGate.edit`. In an inbox it
 * counts as reached when somebody exists who may decide there.
 */
export class ServedChannel implements Channel {
  readonly name: string;
  readonly timeoutSeconds?: number;
  readonly #reaches: Channel['reaches'];

  /**
   * @param options.reaches - Whether somebody who may decide this question can come there; ask `mayDecide` about each.
   * @param options.timeoutSeconds - How long people take there; default no limit.
   */
  constructor(options: {
    readonly name: string;
    readonly reaches: Channel['reaches'];
    readonly timeoutSeconds?: number;
  }) {
    this.name = options.name;
    this.#reaches = options.reaches;
    if (options.timeoutSeconds !== undefined) this.timeoutSeconds = options.timeoutSeconds;
  }

  reaches(delivery: Pick<Delivery, 'request' | 'mayDecide'>): boolean | Promise<boolean> {
    return this.#reaches(delivery);
  }

  /** Nothing to send, and nobody has seen it yet. */
  deliver(): Promise<Shown> {
    return Promise.resolve({});
  }

  /** Nothing to take down. */
  close(): void {}
}
