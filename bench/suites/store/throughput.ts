import { DatabaseSync } from 'node:sqlite';
import type { SqliteStore } from '../../../src/stores/sqlite/index.ts';
import type { Row } from '../../suite.ts';
import { Disk, question, yes } from './disk.ts';
import { quantile, timed } from './numbers.ts';

const ROUNDS = 5;

/** Asked, approved and redeemed, each step durable before the next: how many of these a second. */
export async function throughput(): Promise<readonly Row[]> {
  const disk = new Disk();
  const floor = commits(disk.file);
  const rates = { alone: await rate(disk.store, 1, 60), many: await rate(disk.store, 64, 640) };
  await disk.remove();
  return [
    ['bare SQLite: 3 transactions of one row each', '1/s', (floor / 3).toFixed(0), ''],
    ['create, decide, consume: one at a time', '1/s', rates.alone.toFixed(0), ''],
    ['create, decide, consume: 64 at once', '1/s', rates.many.toFixed(0), '≥ 1000'],
  ];
}

async function rate(store: SqliteStore, atOnce: number, count: number): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let next = 0;
    const live = async (): Promise<void> => {
      while (next < count) {
        const id = `rate-${atOnce}-${round}-${next++}`;
        await store.create(question(id));
        await store.decide(id, yes());
        const { ok } = await store.consume(id, 'token', Date.now());
        if (!ok) throw new Error(`${id} was not consumed`);
      }
    };
    const took = await timed(() => Promise.all(Array.from({ length: atOnce }, live)));
    rates.push((count / took) * 1000);
  }
  return quantile(rates, 0.5);
}

/** Durable transactions a second that SQLite itself makes on this disk. */
function commits(file: string): number {
  const database = new DatabaseSync(`${file}-bare`);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)');
  const insert = database.prepare('INSERT INTO t (b) VALUES (?)');
  const count = 300;
  const started = performance.now();
  for (let n = 0; n < count; n++) insert.run('x'.repeat(1500));
  const took = performance.now() - started;
  database.close();
  return (count / took) * 1000;
}
