import type { ApprovalStore } from '../core/approval-store.ts';
import { forgettingTests } from './store-contract/forgetting.ts';
import { keepingTests } from './store-contract/keeping.ts';
import { listingTests } from './store-contract/listing.ts';
import { parkingTests } from './store-contract/parking.ts';
import { raceTests } from './store-contract/races.ts';
import { replacingTests } from './store-contract/replacing.ts';
import { sharingTests } from './store-contract/sharing.ts';
import type { ContractRunner, StoreTest } from './store-contract/suite.ts';
import { timeAndWatchTests } from './store-contract/time-and-watch.ts';
import { transitionTests } from './store-contract/transitions.ts';

/** How a contract suite runs over one store. */
export interface StoreContractOptions<S extends ApprovalStore> extends ContractRunner {
  /** Ends a store after its test: closes connections, deletes files. */
  readonly close?: (store: S) => Promise<void> | void;
  /**
   * Opens a second handle on the same data, as another process would; leave it out for a store that lives in one
   * process, and the tests of sharing are left out too. `close` is called for second handles as well, first.
   */
  readonly another?: (store: S) => Promise<S> | S;
  /**
   * Makes a new, empty store that forgets every record as soon as it is settled, for a store that can forget; leave it out
   * for one that keeps everything, and the tests of forgetting are left out too.
   */
  readonly forgetful?: () => Promise<S> | S;
}

/**
 * Everything that an `ApprovalStore` must do, as tests: whole records, every step on every status, replacements, races, lists and
 * pages, timeouts, watchers, parked turns. Run it over a store of your own before a gate relies on it.
 *
 * @param name - Title of the suite.
 * @param makeStore - Makes a new, empty store; called once for each test.
 * @param options - `describe` and `it` of your test runner, and how to end a store.
 *
 * @example
 * ```ts
 * import { describe, it } from 'vitest';
 * import { storeContract } from 'strands-tau/testing';
 *
 * storeContract('my store', () => new MyStore(':memory:'), { describe, it, close: (store) => store.close() });
 * ```
 */
export function storeContract<S extends ApprovalStore>(
  name: string,
  makeStore: () => Promise<S> | S,
  options: StoreContractOptions<S>,
): void {
  const { describe, it, close, another, forgetful } = options;
  const add = (title: string, test: StoreTest<S>): unknown => it(title, () => withStore(makeStore, test, close));
  describe(name, () => {
    keepingTests(add);
    transitionTests(add);
    replacingTests(add);
    raceTests(add);
    listingTests(add);
    timeAndWatchTests(add);
    parkingTests(add);
    if (another !== undefined) sharingTests(add, another, close);
    if (forgetful !== undefined) forgettingTests((title, test) => it(title, () => withStore(forgetful, test, close)));
  });
}

async function withStore<S extends ApprovalStore>(
  makeStore: () => Promise<S> | S,
  test: StoreTest<S>,
  close: StoreContractOptions<S>['close'],
): Promise<void> {
  const store = await makeStore();
  try {
    await test(store);
  } finally {
    await close?.(store);
  }
}
