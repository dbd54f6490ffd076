import type { CliMessageKey } from '../messages.ts';

/**
 * What one check found.
 *
 * | status | meaning |
 * |---|---|
 * | `ok` | nothing to do |
 * | `note` | works, but somebody may want to know |
 * | `doubtful` | works, but hardly as it is meant; the text says what to look at |
 * | `broken` | must be fixed; the text says how |
 */
export interface Finding {
  readonly check: CliMessageKey & `doctor.${string}`;
  readonly status: 'ok' | 'note' | 'doubtful' | 'broken';
  readonly text: string;
}
