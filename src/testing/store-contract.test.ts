import { describe, expect, it } from 'vitest';
import type { ApprovalRecord, DecisionRecord, OutcomeRecord, Transition } from '../core/approval-record.ts';
import type { ApprovalFilter, ApprovalPage } from '../core/approval-store.ts';
import { MemoryApprovalStore } from '../core/memory-store.ts';
import { storeContract } from './store-contract.ts';

/** Runs the contract as a user's runner would; returns the titles of the tests that failed. */
async function failures(makeStore: () => MemoryApprovalStore): Promise<readonly string[]> {
  const tests: [string, () => Promise<void>][] = [];
  storeContract('broken', makeStore, {
    describe: (_title, body) => body(),
    it: (title, body) => tests.push([title, body]),
  });
  const failed: string[] = [];
  for (const [title, body] of tests) {
    await body().catch(() => failed.push(title));
  }
  return failed;
}

describe('[P1, P2] the contract', () => {
  storeContract('MemoryApprovalStore with a second handle', () => new MemoryApprovalStore(), {
    describe,
    it,
    another: (store) => store,
  });

  it('closes every store and every second handle, also of a test that failed', async () => {
    class Broken extends MemoryApprovalStore {
      override get(): Promise<ApprovalRecord | undefined> {
        return Promise.reject(new Error('broken'));
      }
    }
    const tests: (() => Promise<void>)[] = [];
    let opened = 0;
    let closed = 0;
    const open = (): Broken => {
      opened++;
      return new Broken();
    };
    storeContract('broken', open, {
      describe: (_title, body) => body(),
      it: (_title, body) => tests.push(body),
      another: (store) => {
        opened++;
        return store;
      },
      close: () => {
        closed++;
      },
    });
    const results = await Promise.allSettled(tests.map((test) => test()));
    expect(results.some((result) => result.status === 'rejected')).toBe(true);
    expect({ opened, closed }).toEqual({ opened: tests.length + 4, closed: tests.length + 4 });
  });

  it('passes for the reference store', async () => {
    expect(await failures(() => new MemoryApprovalStore())).toEqual([]);
  });

  it('fails a store in which the last decision wins', async () => {
    class LastWins extends MemoryApprovalStore {
      override async decide(id: string, decision: DecisionRecord): Promise<Transition> {
        const transition = await super.decide(id, decision);
        if (transition.ok || transition.reason === 'unknown_id') return transition;
        return { ok: true, record: { ...transition.record, status: decision.decision, decision } };
      }
    }
    expect(await failures(() => new LastWins())).toContain(
      'of 100 decisions at once one wins, and every other caller gets the record of the winner',
    );
  });

  it('fails a store that consumes twice, and one that takes any token', async () => {
    class Twice extends MemoryApprovalStore {
      override async consume(id: string, token: string, at: number): Promise<Transition> {
        const transition = await super.consume(id, token, at);
        return transition.ok || transition.reason === 'unknown_id'
          ? transition
          : { ok: true, record: transition.record };
      }
    }
    class AnyToken extends MemoryApprovalStore {
      override async finish(id: string, token: string, outcome: OutcomeRecord): Promise<Transition> {
        const record = await this.get(id);
        return super.finish(id, record?.token ?? token, outcome);
      }
    }
    expect(await failures(() => new Twice())).toContain(
      'of 100 that consume at once one does, and its token is on record',
    );
    expect(await failures(() => new AnyToken())).toContain(
      'only the token that consumed an approval can finish it, and only once',
    );
  });

  it('fails a store that replaces in two steps, and one that replaces what was approved', async () => {
    class TwoSteps extends MemoryApprovalStore {
      override async replace(id: string, next: ApprovalRecord, because: string, at: number): Promise<Transition> {
        const closed = await this.close(id, 'void', at, because);
        if (!closed.ok) return closed;
        await Promise.resolve();
        await this.create(next);
        return { ok: true, record: next };
      }
    }
    expect(await failures(() => new TwoSteps())).toEqual([
      'a record that is not pending is not replaced, and nothing is created',
      'a replacement whose id is taken is refused, and the question stays open',
      'of answers and replacements at once one wins, and a question that was answered has no replacement',
      'nobody sees that a question is replaced before its replacement, and both are news',
    ]);
  });

  it('fails a store that ignores filters, and one that swallows a duplicate id', async () => {
    class Everything extends MemoryApprovalStore {
      override list(filter: ApprovalFilter = {}): Promise<ApprovalPage> {
        const { limit, cursor } = filter;
        return super.list({ ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) });
      }
    }
    class Silent extends MemoryApprovalStore {
      override create(record: ApprovalRecord): Promise<void> {
        return super.create(record).catch(() => undefined);
      }
    }
    expect(await failures(() => new Everything())).toContain(
      'filters by status, conversation and batch; every given one must match',
    );
    expect(await failures(() => new Silent())).toContain('an id that is taken is refused, and the first record stays');
  });
});
