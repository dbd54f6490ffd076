import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { storeContract } from 'strands-tau/testing';
import { describe, it } from 'vitest';

describe('[P1, P2, P3] every approval store keeps the contract', () => {
  storeContract('MemoryApprovalStore', () => new MemoryApprovalStore(), { describe, it });

  storeContract('SqliteStore in memory', () => SqliteStore.open(':memory:'), {
    describe,
    it,
    close: (store) => store.end(),
  });

  const paths = new WeakMap<SqliteStore, string>();
  const open = (path: string): SqliteStore => {
    const store = SqliteStore.open(path);
    paths.set(store, path);
    return store;
  };
  const first = new WeakSet<SqliteStore>();
  storeContract(
    'SqliteStore in a file, with a second connection',
    () => {
      const store = open(join(mkdtempSync(join(tmpdir(), 'tau-store-')), 'tau.db'));
      first.add(store);
      return store;
    },
    {
      describe,
      it,
      another: (store) => open(paths.get(store) ?? ''),
      close: async (store) => {
        await store.end();
        if (first.has(store)) rmSync(dirname(paths.get(store) ?? ''), { recursive: true });
      },
    },
  );
});
