// Many clients at once that ask, answer, hang up and come back: `npm run soak`; `-- --seconds 5` for a short one.
import { loadavg } from 'node:os';
import { checksOf, tablesOf } from './soak/checks.ts';
import { openHouse } from './soak/house.ts';
import { Ledger } from './soak/ledger.ts';
import { readOptions } from './soak/options.ts';
import { SeededRandom } from './soak/random.ts';
import { Visitor } from './soak/visitor.ts';
import { heapInUse } from './suites/ag-ui/garbage.ts';
import { markdown } from './table.ts';

const { seconds, streams, seed } = readOptions();
const ledger = new Ledger();
process.on('unhandledRejection', (error) => ledger.fail(`Unhandled rejection: ${String(error)}`));
process.on('uncaughtException', (error) => ledger.fail(`Uncaught exception: ${error.stack}`));

const house = await openHouse(ledger, streams);
const visitors = Array.from(
  { length: streams },
  (_, at) => new Visitor(house, new SeededRandom(seed * 100_003 + at), `v${at}`),
);

/** Everybody visits for a while, then ends what is open and begins anew, so that the heap holds the same each time. */
async function visitFor(milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds;
  const visit = async (visitor: Visitor): Promise<void> => {
    while (performance.now() < until) await visitor.turn();
    await visitor.settle();
  };
  await Promise.all(visitors.map(visit));
  await Promise.all(visitors.map((visitor) => visitor.settle()));
  return heapInUse();
}

await visitFor(seconds * 50);
const half = await visitFor(seconds * 500);
const end = await visitFor(seconds * 500);
await house.server.close();

const checks = checksOf(ledger, { half, end });
const notes = [
  `${streams} streams, seed ${seed}, load average over one minute at the end ${loadavg()[0]?.toFixed(1)}.`,
];
for (const table of tablesOf(checks, ledger, notes)) console.log(`\n${markdown(table)}`);
process.exitCode = checks.every(({ held }) => held) ? 0 : 1;
