import { loadavg } from 'node:os';
import type { Suite } from '../suite.ts';
import { type Contender, LEAST, PEER, peerContender, tauContenders } from './ag-ui/contenders.ts';
import { COLUMNS, type Measurement, rowOf } from './ag-ui/measurement.ts';
import { memory } from './ag-ui/memory.ts';
import { loadPeer } from './ag-ui/peer.ts';
import { streaming } from './ag-ui/streaming.ts';
import { unread } from './ag-ui/unread.ts';
import { waiting } from './ag-ui/waiting.ts';
import { wire } from './ag-ui/wire.ts';

type Part = (contenders: readonly Contender[]) => Promise<readonly Measurement[]>;

const parts: readonly Part[] = [streaming, waiting, wire, unread, memory];

/** What the AG-UI bridge costs, compared with the bare SDK and with the bridge that is published for it. */
export const agUiSuite: Suite = {
  name: 'ag-ui',
  async run(progress) {
    const peer = await loadPeer(progress);
    const contenders = typeof peer === 'string' ? tauContenders : [...tauContenders, peerContender(peer)];
    const measurements: Measurement[] = [];
    for (const part of parts) {
      progress(part.name);
      measurements.push(...(await part(contenders)));
    }
    return [
      {
        title: 'The AG-UI bridge',
        columns: COLUMNS,
        rows: measurements.map(rowOf),
        notes: [
          typeof peer === 'string' ? peer : `${PEER}: ${peer.versions}`,
          'Medians of interleaved rounds in one process; a ratio is taken within a round. Targets are for the guarded agent.',
          `${LEAST}: an iterator that makes one event of each piece and does nothing else.`,
          'The first event, RUN_STARTED, is given before the thread is looked at; over Express the request is read first, and the client is another process.',
          `Load average over one minute at the end: ${loadavg()[0]?.toFixed(1)}.`,
        ],
      },
    ];
  },
};
