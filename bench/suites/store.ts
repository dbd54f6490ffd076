import { loadavg } from 'node:os';
import type { Row, Suite } from '../suite.ts';
import { audit } from './store/audit.ts';
import { growth } from './store/growth.ts';
import { throughput } from './store/throughput.ts';
import { wakeUp } from './store/wake-up.ts';

/** What the SQLite store costs, durable, and whether that grows with what is stored. */
export const storeSuite: Suite = {
  name: 'store',
  async run(progress) {
    const rows: Row[] = [];
    for (const part of [throughput, wakeUp, audit]) {
      progress(part.name);
      rows.push(...(await part()));
    }
    progress(growth.name);
    const grown = await growth();
    const load = `Load average over one minute at the end: ${loadavg()[0]?.toFixed(1)}.`;
    return [
      {
        title: 'The SQLite store',
        columns: ['', 'unit', 'measured', 'target'],
        rows,
        notes: [
          'Every step waits for the disk (WAL, synchronous = FULL), with its audit row in the same transaction. Steps of one turn of the event loop share a transaction.',
          'A wake-up ends when whoever waits has read the decision; other processes look ten times a second.',
          load,
        ],
      },
      {
        title: 'The SQLite store, by how much is stored',
        columns: ['', 'unit', '1,000 stored', '100,000 stored', '×', 'target'],
        rows: grown,
        notes: [
          'Medians of 15 rounds. Microseconds are of one step among 100 at once, its share of the wait for the disk included.',
          load,
        ],
      },
    ];
  },
};
