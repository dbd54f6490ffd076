import type { Row } from '../../suite.ts';
import { BARE, GUARDED, LEAST, PEER, PLAIN } from './contenders.ts';

/** One thing that was measured. */
export interface Measurement {
  readonly what: string;
  /** What it cost, by name of the contender. */
  readonly costs: ReadonlyMap<string, number>;
  readonly unit: string;
  /** Tau with a guarded agent as a multiple of another; by default its cost divided by the other's. */
  readonly ratios?: ReadonlyMap<string, number>;
  readonly target?: Target;
}

/** The largest that is wanted of both kinds of tau. */
export interface Target {
  readonly atMost: number;
  /** What it is a multiple of; a cost of its own without it. */
  readonly of?: string;
}

export const COLUMNS: readonly string[] = [
  '',
  'unit',
  BARE,
  LEAST,
  GUARDED,
  PLAIN,
  PEER,
  'guarded ÷ bare',
  'guarded ÷ least',
  'guarded ÷ published',
  'target',
  'met',
];

export function rowOf(measurement: Measurement): Row {
  const { what, unit, costs, target } = measurement;
  const cost = (name: string): string => figure(costs.get(name));
  return [
    what,
    unit,
    ...[BARE, LEAST, GUARDED, PLAIN, PEER].map(cost),
    figure(ratio(measurement, BARE)),
    figure(ratio(measurement, LEAST)),
    figure(ratio(measurement, PEER)),
    target === undefined ? '' : `≤ ${target.atMost}${target.of === undefined ? ` ${unit}` : ` × ${target.of}`}`,
    verdict(measurement),
  ];
}

function ratio({ costs, ratios }: Measurement, other: string): number | undefined {
  const [own, base] = [costs.get(GUARDED), costs.get(other)];
  return ratios?.get(other) ?? (own === undefined || base === undefined ? undefined : own / base);
}

function verdict(measurement: Measurement): string {
  const { target, costs } = measurement;
  if (target === undefined) return '';
  const reached = target.of === undefined ? costs.get(GUARDED) : ratio(measurement, target.of);
  if (reached === undefined) return 'unknown';
  return reached <= target.atMost ? 'yes' : 'no';
}

function figure(value: number | undefined): string {
  if (value === undefined) return '';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
