import { appendFileSync } from 'node:fs';

/** How many things were tried and how they ended. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The plain line that people and machines read at the end of a run. */
export function countLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Hands the counts to `.ci/run`, which sums one line of `passed failed skipped` for each program that it starts. */
export function reportCounts({ passed, failed, skipped }: Counts): void {
  const file = process.env.TAU_CI_TALLY;
  if (file !== undefined) appendFileSync(file, `${passed} ${failed} ${skipped}\n`);
}
