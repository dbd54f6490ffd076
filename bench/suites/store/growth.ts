import type { Row } from '../../suite.ts';
import { Disk, fill, question, yes } from './disk.ts';
import { quantile, timed } from './numbers.ts';

const FEW = 1000;
const MANY = 100_000;
const ROUNDS = 15;

interface Operation {
  readonly name: string;
  /** What one is: microseconds of a step in a batch of 100, or milliseconds of a page. */
  readonly unit: 'µs' | 'ms';
  readonly target: string;
  run(disk: Disk, round: string): Promise<unknown>;
}

const BATCH = 100;
const batch = (make: (n: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: BATCH }, (_, n) => make(n)));

const operations: readonly Operation[] = [
  {
    name: 'create',
    unit: 'µs',
    target: '',
    run: ({ store }, round) => batch((n) => store.create(question(`${round}-${n}`))),
  },
  {
    name: 'decide',
    unit: 'µs',
    target: '',
    run: ({ store }, round) => batch((n) => store.decide(`${round}-${n}`, yes())),
  },
  {
    name: 'consume',
    unit: 'µs',
    target: '',
    run: ({ store }, round) => batch((n) => store.consume(`${round}-${n}`, 't', 1)),
  },
  {
    name: 'the record of one call',
    unit: 'µs',
    target: '',
    run: ({ store }, round) => batch((n) => store.list({ conversation: `c${n}`, batch: `m${round}-${n}` })),
  },
  {
    name: 'first page of pending ones',
    unit: 'ms',
    target: '≤ 20',
    run: ({ store }) => store.list({ status: 'pending' }),
  },
  {
    name: 'newest page of one person',
    unit: 'ms',
    target: '≤ 20',
    run: ({ store }) => store.list({ requester: 'p7', order: 'newest' }),
  },
  {
    name: 'a page in the middle',
    unit: 'ms',
    target: '≤ 20',
    run: ({ store }) => store.list({ status: 'pending', cursor: '@500' }),
  },
  { name: 'expire, nothing due', unit: 'ms', target: '', run: ({ store }) => store.expire(Date.now()) },
];

/** What operations cost with few and with many stored, and how much more that is. */
export async function growth(): Promise<readonly Row[]> {
  const disk = new Disk();
  await fill(disk.store, 0, FEW);
  const few = await costs(disk, 'few');
  await fill(disk.store, FEW, MANY);
  const many = await costs(disk, 'many');
  await disk.remove();
  return operations.map(({ name, unit, target }, index): Row => {
    const [before = Number.NaN, after = Number.NaN] = [few[index], many[index]];
    return [
      name,
      unit,
      before.toFixed(unit === 'ms' ? 2 : 0),
      after.toFixed(unit === 'ms' ? 2 : 0),
      (after / before).toFixed(2),
      target,
    ];
  });
}

async function costs(disk: Disk, label: string): Promise<readonly number[]> {
  const samples = operations.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, operation] of operations.entries()) {
      const took = await timed(() => operation.run(disk, `${label}-${round}`));
      samples[index]?.push(operation.unit === 'ms' ? took : (took * 1000) / BATCH);
    }
  }
  return samples.map((each) => quantile(each, 0.5));
}
