import type { Row, Table } from '../suite.ts';
import type { Ledger } from './ledger.ts';

/** The heap in bytes, with every thread settled. */
export interface Heaps {
  readonly half: number;
  readonly end: number;
}

interface Check {
  readonly what: string;
  readonly found: string;
  readonly held: boolean;
}

const MOST_GROWTH = 0.05;
const MEBIBYTE = 1024 * 1024;

/** What must hold after a soak. */
export function checksOf(ledger: Ledger, { half, end }: Heaps): readonly Check[] {
  const bodies = ledger.of('bodies of tier 2');
  const approvals = ledger.of('question approved');
  const withdrawn = ledger.of('approvals withdrawn');
  const growth = end / half - 1;
  const stuck = ledger.open.length;
  return [
    { what: 'nothing that must not happen', found: `${ledger.of('failures')}`, held: ledger.of('failures') === 0 },
    { what: 'something happened', found: `${bodies} bodies`, held: bodies > 0 },
    {
      what: 'bodies = approvals',
      found: `${bodies} = ${approvals} − ${withdrawn} withdrawn`,
      held: bodies === approvals - withdrawn && bodies === ledger.of('question consumed'),
    },
    { what: 'no question is left open', found: `${stuck}`, held: stuck === 0 },
    {
      what: 'heap at the end, compared with half time',
      found: `${(half / MEBIBYTE).toFixed(1)} → ${(end / MEBIBYTE).toFixed(1)} MiB, ${(growth * 100).toFixed(1)} %`,
      held: growth <= MOST_GROWTH,
    },
  ];
}

/** The checks, then everything that was counted. */
export function tablesOf(checks: readonly Check[], ledger: Ledger, notes: readonly string[]): readonly Table[] {
  const counted = [...ledger.counts].sort(([a], [b]) => a.localeCompare(b));
  return [
    {
      title: 'Soak of the AG-UI bridge',
      columns: ['', 'found', 'held'],
      rows: checks.map(({ what, found, held }): Row => [what, found, held ? 'yes' : 'NO']),
      notes: [...notes, ...ledger.failures],
    },
    { title: 'What happened', columns: ['', 'times'], rows: counted, notes: [] },
  ];
}
