// Processes that are killed at random points: `npm run chaos`; `-- --rounds 10` for a short one, `-- --fault NAME` to see
// that the checks find what is planted. Ends with 1 when something happened that must never happen.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SqliteStore } from '../src/stores/sqlite/index.ts';
import { Checks, type Counts } from './chaos/checks.ts';
import { Deciding } from './chaos/deciding.ts';
import { FAULTS } from './chaos/fault.ts';
import { STORE } from './chaos/house.ts';
import { Lives } from './chaos/lives.ts';
import { SeededRandom } from './soak/random.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    fault: { type: 'string', default: 'none' },
  },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  throw new TypeError(`--rounds must be a whole number, not ${values.rounds}`);
if (values.fault !== 'none' && !FAULTS.some((name) => name === values.fault)) {
  throw new TypeError(`--fault must be one of ${FAULTS.join(', ')}, not ${values.fault}`);
}

const folder = mkdtempSync(join(tmpdir(), 'tau-chaos-'));
const store = SqliteStore.open(join(folder, STORE), { lockTimeoutMs: 20_000 });
const checks = new Checks(folder, store);
const lives = new Lives(folder, values.fault, new SeededRandom(Number(values.seed)));
const deciding = new Deciding(folder, values.fault, new SeededRandom(Number(values.seed) + 1));
const problems: string[] = [];
let counts: Counts = { approvals: 0, bodies: 0, unknown: 0, auditRows: 0 };
let done = 0;

async function look(): Promise<void> {
  const found = await deciding.paused(() => checks.run(new Map(deciding.told), lives.ended));
  counts = found.counts;
  problems.push(...found.problems);
}

try {
  for (; done < rounds && problems.length === 0; done++) {
    await lives.cutShort();
    await look();
    if (done % 10 === 9) console.error(`chaos: ${done + 1} of ${rounds} rounds, ${counts.bodies} bodies started`);
  }
  if (problems.length === 0) {
    const hanging = await lives.liveOn();
    if (hanging !== undefined) problems.push(hanging);
    await look();
  }
} finally {
  await deciding.stop();
}
if (counts.bodies === 0 || deciding.told.size === 0) problems.push('no body started, or nothing was decided');

await store.end();
rmSync(folder, { recursive: true });
for (const problem of problems) console.log(`chaos: round ${done}: ${problem}`);
console.log(
  `chaos: ${problems.length === 0 ? 'held' : 'FAILED'} after ${done} rounds: ${done} workers and ${deciding.kills} deciders killed, ` +
    `${lives.ended.size} conversations ended, ${counts.approvals} questions, ${deciding.told.size} decisions told, ` +
    `${counts.bodies} bodies started, ${counts.unknown} unknown, ${counts.auditRows} audit rows`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
