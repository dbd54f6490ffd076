import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { countLine, reportCounts } from './tally.ts';

/** Ends a test run with the plain line `N passed, N failed`; a file that does not load and a stray error count as failed. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (state: string): number => states.filter((each) => each === state).length;
    const brokenFiles = modules.filter((module) => module.errors().length > 0).length;
    const counts = {
      passed: count('passed'),
      failed: count('failed') + count('pending') + brokenFiles + strayErrors.length,
      skipped: count('skipped'),
    };
    reportCounts(counts);
    process.on('exit', () => console.log(countLine(counts)));
  }
}
