import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApprovalRecord, DecisionRecord } from '../../../src/index.ts';
import { SqliteStore } from '../../../src/stores/sqlite/index.ts';

/** A store in a folder of its own, on the disk that holds temporary files. */
export class Disk {
  readonly file: string;
  readonly store: SqliteStore;
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'tau-bench-'));

  constructor() {
    this.file = join(this.#folder, 'tau.db');
    this.store = SqliteStore.open(this.file, { lockTimeoutMs: 60_000 });
  }

  async remove(): Promise<void> {
    await this.store.end();
    rmSync(this.#folder, { recursive: true });
  }
}

/** An open question such as a house asks. */
export function question(id: string): ApprovalRecord {
  const now = Date.now();
  const number = Number(id.replace(/\D/g, ''));
  return {
    id,
    kind: 'question',
    status: 'pending',
    request: {
      id,
      tool: 'unlock_door',
      tier: 2,
      effect: 'Unlocks the front door. Anybody can come in.',
      arguments: { door: 'front', note: 'for the postman' },
      digest: 'd'.repeat(64),
      toolUseId: `tooluse_${id}`,
      origin: {
        kind: 'model',
        conversation: `c${number % 1000}`,
        run: 'r1',
        principal: { id: `p${number % 50}`, kind: 'person' },
      },
    },
    definition: 'e'.repeat(64),
    policyVersion: 'default-1',
    position: {
      conversation: `c${number % 1000}`,
      batch: `m${id}`,
      toolUseId: `tooluse_${id}`,
      rawDigest: 'f'.repeat(64),
    },
    createdAt: now,
    deliveries: [],
    updatedAt: now,
  };
}

/** Somebody's yes. */
export function yes(): DecisionRecord {
  return { decision: 'approved', by: { id: 'ann', kind: 'person' }, channel: 'bench', at: Date.now(), tookMs: 1 };
}

/** Fills a store up with open questions. */
export async function fill(store: SqliteStore, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 1000) {
    const part = Array.from({ length: Math.min(1000, to - at) }, (_, n) => store.create(question(`filled-${at + n}`)));
    await Promise.all(part);
  }
}
