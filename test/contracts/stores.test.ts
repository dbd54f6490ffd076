import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ApprovalStore } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { storeContract } from 'strands-tau/testing';
import { describe, it } from 'vitest';
import { openRemotely } from '../stores/support/remote-store.ts';

type Handle = ApprovalStore & { end(): Promise<void> };

/** Stores in files of their own; a file is gone with the store that made it. */
class Files {
  readonly #paths = new WeakMap<Handle, string>();

  make(): Handle {
    const path = join(mkdtempSync(join(tmpdir(), 'tau-store-')), 'tau.db');
    const store = SqliteStore.open(path);
    this.#paths.set(store, path);
    return store;
  }

  pathOf(store: Handle): string {
    return this.#paths.get(store) ?? '';
  }

  async close(store: Handle): Promise<void> {
    await store.end();
    const path = this.#paths.get(store);
    if (path !== undefined) rmSync(dirname(path), { recursive: true });
  }
}

/** A store that is pruned after every decision. */
function pruning(): SqliteStore {
  const store = SqliteStore.open(':memory:');
  const decide = store.decide.bind(store);
  store.decide = async (id, decision) => {
    const transition = await decide(id, decision);
    await store.prune({ at: decision.at, approvalsBefore: decision.at + 1 });
    return transition;
  };
  return store;
}

describe('[P1, P2, P3] every approval store keeps the contract', () => {
  storeContract('MemoryApprovalStore', () => new MemoryApprovalStore(), {
    describe,
    it,
    forgetful: () => new MemoryApprovalStore({ keepSettled: 0 }),
  });

  storeContract('SqliteStore in memory', () => SqliteStore.open(':memory:'), {
    describe,
    it,
    close: (store) => store.end(),
    forgetful: pruning,
  });

  const files = new Files();
  const close = (store: Handle): Promise<void> => files.close(store);
  storeContract<Handle>('SqliteStore in a file, with a second connection', () => files.make(), {
    describe,
    it,
    another: (store) => SqliteStore.open(files.pathOf(store)),
    close,
  });

  const sharing = (title: string): boolean => /handle/.test(title);
  storeContract<Handle>('SqliteStore in a file, with a second process', () => files.make(), {
    describe,
    it: (title, body) => (sharing(title) ? it(title, body) : undefined),
    another: (store) => openRemotely(files.pathOf(store)),
    close,
  });
});
